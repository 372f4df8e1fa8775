package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scripts/release leaves out of jars. */
class SlimJarsTest {
  private static final Path SCRIPT = Path.of("../scripts/SlimJars.java").toAbsolutePath();
  private static final LocalDateTime MADE = LocalDateTime.of(2026, 1, 2, 3, 4, 6);

  @TempDir Path directory;

  @Test
  @DisplayName("leaves indexes and messages' sources out, and the rest as it is, always the same")
  void slim() throws Exception {
    for (String name : List.of("one.jar", "same.jar")) {
      jar(
          name,
          "META-INF/MANIFEST.MF",
          "META-INF/jandex.idx",
          "a/A.class",
          "a/any.proto",
          "com/google/common/collect/ImmutableList.class",
          "com/google/common/graph/Graph.class",
          "a/jandex.idx");
    }
    jar("clean.jar", "a/A.class");
    byte[] clean = Files.readAllBytes(directory.resolve("clean.jar"));
    Files.writeString(directory.resolve("jvm.options"), "no jar");

    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            SCRIPT.toString(),
            directory.toString());
    FakeCheckout.Ended ended = FakeCheckout.end(java.start());
    assertThat(ended.exitCode()).as(ended.err()).isZero();

    try (JarFile jar = new JarFile(directory.resolve("one.jar").toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .containsExactly(
              "META-INF/MANIFEST.MF",
              "a/A.class",
              "com/google/common/collect/ImmutableList.class",
              "a/jandex.idx");
      assertThat(jar.stream().map(ZipEntry::getTimeLocal)).containsOnly(MADE);
      assertThat(jar.getInputStream(jar.getEntry("a/A.class"))).hasContent("of a/A.class");
    }
    assertThat(directory.resolve("one.jar")).hasSameBinaryContentAs(directory.resolve("same.jar"));
    assertThat(directory.resolve("clean.jar")).hasBinaryContent(clean);
    assertThat(directory.toFile().list())
        .containsExactlyInAnyOrder("one.jar", "same.jar", "clean.jar", "jvm.options");
  }

  private void jar(String name, String... entries) throws IOException {
    try (OutputStream file = Files.newOutputStream(directory.resolve(name));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (String each : entries) {
        ZipEntry entry = new ZipEntry(each);
        entry.setTimeLocal(MADE);
        zip.putNextEntry(entry);
        zip.write(("of " + each).getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }
}
