package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ManualClock;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputLogTest {
  private static final int FILE = 64 << 10;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final LongAdder dropped = new LongAdder();

  @TempDir private Path dir;

  @Test
  void appendsToWhatEarlierInstancesWrote() throws Exception {
    OutputLog log = log(3);
    write(log.start(), "first\n");
    write(log.start(), "second\n");
    assertThat(dir.resolve("web.log")).hasContent("first\nsecond\n");
    assertThat(files()).containsExactly("web.log", "web.log.start");
  }

  @Test
  void keepsYoungestFiles() throws Exception {
    try (OutputStream out = log(3).start()) {
      for (String text : List.of("a", "b", "c", "d")) {
        out.write(bytes(text.repeat(FILE)));
        clock.advance(SECOND);
      }
    }
    assertThat(files()).containsExactly("web.log", "web.log.1", "web.log.2", "web.log.start");
    assertThat(dir.resolve("web.log")).hasContent("d".repeat(FILE));
    assertThat(dir.resolve("web.log.1")).hasContent("c".repeat(FILE));
    assertThat(dir.resolve("web.log.2")).hasContent("b".repeat(FILE));
    assertThat(dropped.sum()).isZero();
  }

  @Test
  void losesNothingWhileItRotates() throws Exception {
    OutputLog log = log(1000);
    try (OutputStream out = log.start()) {
      for (int i = 0; i < 50_000; i++) {
        out.write(bytes(i + "\n"));
      }
    }
    StringBuilder written = new StringBuilder();
    for (int i = files().size() - 2; i > 0; i--) {
      written.append(Files.readString(dir.resolve("web.log." + i)));
    }
    written.append(Files.readString(dir.resolve("web.log")));
    assertThat(written.toString().lines().toList())
        .isEqualTo(IntStream.range(0, 50_000).mapToObj(Integer::toString).toList());
  }

  @Test
  void movesStartOfInstanceWithItsOutput() throws Exception {
    OutputLog log = log(3);
    write(log.start(), "a".repeat(FILE - 10));
    try (OutputStream out = log.start()) {
      out.write(bytes("b".repeat(5)));
      assertThat(Files.readString(dir.resolve("web.log.start")).strip())
          .isEqualTo("" + (FILE - 10));
      out.write(bytes("b".repeat(10)));
    }
    assertThat(dir.resolve("web.log.1")).hasContent("a".repeat(FILE - 10) + "b".repeat(10));
    assertThat(dir.resolve("web.log")).hasContent("b".repeat(5));
  }

  @Test
  @DisplayName("Attack: more output in a second than the files can hold")
  void dropsOutputBeyondTotalAndReportsIt() throws Exception {
    byte[] piece = bytes("x".repeat(FILE));
    try (OutputStream out = log(3).start()) {
      for (int i = 0; i < 100; i++) {
        out.write(piece);
        assertThat(size()).isLessThanOrEqualTo(3L * FILE + 20);
      }
      out.write(bytes("\nlast words\n"));
      assertThat(dropped.sum()).isEqualTo(97L * FILE + 12 - OutputLog.TAIL);
      clock.advance(SECOND);
      out.write(bytes("later\n"));
    }
    assertThat(Files.readString(dir.resolve("web.log")))
        .startsWith("\nprobelet: " + dropped.sum() + " bytes of output dropped\nx")
        .endsWith("x\nlast words\nlater\n");
  }

  @Test
  @DisplayName("The last words after a flood are written although the container falls silent")
  void writesLastWordsOfSilentContainer() throws Exception {
    try (OutputStream out = log(2).start()) {
      out.write(bytes("x".repeat(3 * FILE)));
      out.write(bytes("\nlast words\n"));
      assertThat(Files.readString(dir.resolve("web.log"))).doesNotContain("last words");
      clock.advance(SECOND);
      await()
          .untilAsserted(() ->
              assertThat(Files.readString(dir.resolve("web.log")))
                  .startsWith("\nprobelet: " + dropped.sum() + " bytes of output dropped\nx")
                  .endsWith("x\nlast words\n"));
    }
  }

  @Test
  void reportsDroppedOutputAtEndOfInstance() throws Exception {
    try (OutputStream out = log(2).start()) {
      out.write(bytes("x".repeat(3 * FILE)));
      out.write(bytes("\nlast words\n"));
    }
    assertThat(Files.readString(dir.resolve("web.log")))
        .contains(" bytes of output dropped\n")
        .endsWith("x\nlast words\n");
  }

  @Test
  @DisplayName("a log that cannot be rotated stops growing until it can")
  void neverGrowsWithoutRotation() throws Exception {
    Path copy = dir.resolve("web.log.rotating");
    Path victim = Files.createFile(dir.resolve("victim"));
    Files.createSymbolicLink(copy, victim);
    try (OutputStream out = log(3).start()) {
      for (int i = 0; i < 10; i++) {
        out.write(bytes("x".repeat(FILE)));
        clock.advance(SECOND);
      }
      assertThat(dir.resolve("web.log")).hasSize(FILE);
      assertThat(victim).isEmptyFile();
      assertThat(dropped.sum()).isEqualTo(9L * FILE - OutputLog.TAIL);

      Files.delete(copy);
      clock.advance(OutputLog.REST);
      out.write(bytes("\nback\n"));
    }
    assertThat(dir.resolve("web.log.1")).hasContent("x".repeat(FILE));
    assertThat(Files.readString(dir.resolve("web.log")))
        .startsWith("\nprobelet: " + dropped.sum() + " bytes of output dropped\nx")
        .endsWith("x\nback\n");
  }

  @Test
  void reopensDeletedLog() throws Exception {
    try (OutputStream out = log(3).start()) {
      out.write(bytes("before\n"));
      Files.delete(dir.resolve("web.log"));
      clock.advance(SECOND);
      out.write(bytes("after\n"));
    }
    assertThat(dir.resolve("web.log")).hasContent("after\n");
  }

  @Test
  @DisplayName("a log that somebody else made larger is cut to the newest part")
  void cutsLogOfAnotherWriter() throws Exception {
    Files.writeString(dir.resolve("web.log"), "a".repeat(5 * FILE) + "b".repeat(FILE));
    write(log(3).start(), "c");
    assertThat(dir.resolve("web.log.1")).hasContent("b".repeat(FILE));
    assertThat(dir.resolve("web.log")).hasContent("c");
  }

  @Test
  void refusesLink() throws Exception {
    Path victim = Files.createFile(dir.resolve("victim"));
    Files.createSymbolicLink(dir.resolve("web.log"), victim);
    assertThatThrownBy(() -> log(3).start()).hasMessageContaining("not a regular file");
    assertThat(victim).isEmptyFile();
  }

  private OutputLog log(int files) {
    return new OutputLog(dir.resolve("web.log"), new LogRotation(FILE, files), clock, dropped);
  }

  private static void write(OutputStream out, String text) throws IOException {
    try (out) {
      out.write(bytes(text));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private long size() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(Path::toFile).mapToLong(File::length).sum();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
