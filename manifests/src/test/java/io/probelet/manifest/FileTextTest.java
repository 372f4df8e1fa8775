package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Source;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** What a user names as a file may be something that never comes to an end, or to a beginning. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class FileTextTest {
  @TempDir Path folder;

  @Test
  void refusesNamedPipesBeforeOpeningThem() throws Exception {
    Path pipe = folder.resolve("node-monitor.json");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);

    for (Path each : new Path[] {pipe, link}) {
      assertThat(FileText.read(each, 1))
          .isInstanceOfSatisfying(
              FileText.Unreadable.class,
              refused ->
                  assertThat(refused.problem().toString())
                      .contains(each + ": ", "is a named pipe; a regular file is expected"));
    }
  }

  /** As {@code validate <(command)} does. */
  @Test
  void readsPipesThatAreOpenAlready() throws IOException {
    Process holder = new ProcessBuilder("sleep", "60").start();
    try {
      try (OutputStream in = holder.getOutputStream()) {
        in.write("a: 1".getBytes(StandardCharsets.UTF_8));
      }
      Path open = Path.of("/proc/%d/fd/0".formatted(holder.pid()));
      assertThat(text(open)).isEqualTo("a: 1");
    } finally {
      holder.destroy();
    }
  }

  @Test
  void readsRegularFilesAndDevicesThatEnd() throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), "a: 1");
    assertThat(text(file)).isEqualTo("a: 1");
    assertThat(text(Path.of("/dev/null"))).isEmpty();
  }

  private static String text(Path file) {
    return FileText.read(file, 1) instanceof FileText.Text(Source source)
        ? source.text()
        : "unreadable";
  }
}
