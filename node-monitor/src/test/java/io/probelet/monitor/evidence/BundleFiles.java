package io.probelet.monitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Unpacks bundles with the machine's tar, as users do. */
public final class BundleFiles {
  private BundleFiles() {}

  /** The text of each file by its name, without the folder that all are in. */
  public static Map<String, String> read(EvidenceBundle bundle)
      throws IOException, InterruptedException {
    return read(Objects.requireNonNull(bundle.path()));
  }

  /** The text of each file by its name, without the folder that all are in. */
  public static Map<String, String> read(Path archive) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("bundle");
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", folder.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(tar.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
    assertThat(tar.exitValue()).isZero();
    SequencedMap<String, String> files = new LinkedHashMap<>();
    List<Path> unpacked;
    try (Stream<Path> all = Files.walk(folder)) {
      unpacked = all.toList();
    }
    for (Path file : unpacked.reversed()) {
      if (Files.isRegularFile(file)) {
        files.putFirst(file.getFileName().toString(), Files.readString(file));
      }
      Files.delete(file);
    }
    return files;
  }
}
