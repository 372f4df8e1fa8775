package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** B-23 on a real kernel: an XFS filesystem that was shut down. Takes root and xfsprogs. */
class XfsShutdownTest {
  @TempDir Path dir;

  private boolean run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("output").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() == 0;
  }

  @Test
  @DisplayName("A shut down XFS fails to open until it is remounted")
  void shutdown() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/mkfs.xfs"))
            && Files.isExecutable(Path.of("/usr/sbin/xfs_io")),
        "xfsprogs are not installed");
    String image = dir.resolve("image").toString();
    Path mount = Files.createDirectory(dir.resolve("mount"));
    assertThat(run("truncate", "-s", "400M", image)).isTrue();
    assertThat(run("/usr/sbin/mkfs.xfs", "-q", image)).isTrue();
    assumeTrue(run("mount", "-o", "loop", image, mount.toString()), "may not mount XFS here");
    try {
      assertThat(new LibC().opens(mount)).isTrue();
      assertThat(run("/usr/sbin/xfs_io", "-x", "-c", "shutdown", mount.toString())).isTrue();
      assertThat(new LibC().opens(mount)).isFalse();
      assertThat(run("umount", mount.toString())).isTrue();
      assertThat(run("mount", "-o", "loop", image, mount.toString())).isTrue();
      assertThat(new LibC().opens(mount)).isTrue();
    } finally {
      run("umount", mount.toString());
    }
  }
}
