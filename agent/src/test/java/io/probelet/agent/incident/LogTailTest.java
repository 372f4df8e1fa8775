package io.probelet.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last lines of a log, which a tenant writes. */
class LogTailTest {
  @TempDir Path folder;

  @Test
  @DisplayName("the last lines come without a runtime's prefix, without secrets, and cut")
  void lines() throws IOException {
    Path log = folder.resolve("0.log");
    Files.writeString(
        log,
        """
        2026-11-27T10:00:00.123456789Z stdout F first
        2026-11-27T10:00:01.123456789Z stderr F password=hunter2 in use
        2026-11-27T10:00:02.123456789Z stderr F \u001b[31mred\u001b[0m
        """
            + "y".repeat(2000)
            + "\nlast");
    assertThat(new LogTail(() -> 4).of(log.toString(), "a"))
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(LogTail.MAX_LINE))
        .allSatisfy(line -> assertThat(line).doesNotContain("\u001b", "hunter2"))
        .last()
        .isEqualTo("last");
  }

  @Test
  @DisplayName("without permission nothing is read, and a tenth of a terabyte takes no time")
  void limits() throws IOException {
    Path log = folder.resolve("0.log");
    try (RandomAccessFile sparse = new RandomAccessFile(log.toFile(), "rw")) {
      sparse.setLength(100L << 30);
      sparse.seek((100L << 30) - 4);
      sparse.writeBytes("\nend");
    }
    assertThat(new LogTail(() -> 0).of(log.toString(), "a")).isEmpty();
    assertThat(new LogTail(() -> 20).of(log.toString(), "a")).last().isEqualTo("end");
    assertThat(new LogTail(() -> 1_000_000).of(log.toString(), "a"))
        .hasSizeLessThanOrEqualTo(LogTail.MAX_LINES);
  }

  @Test
  @DisplayName("what an earlier instance had written at its record is not the next one's")
  void instances() throws IOException {
    Path log = Files.writeString(folder.resolve("0.log"), "first of a\n");
    LogTail tail = new LogTail(() -> 20);
    assertThat(tail.of(log.toString(), "a")).containsExactly("first of a");
    assertThat(tail.of(log.toString(), "b")).isEmpty();
    Files.writeString(log, "first of b\n", StandardOpenOption.APPEND);
    assertThat(tail.of(log.toString(), "b")).containsExactly("first of b");
    Files.writeString(log, "second of b\n", StandardOpenOption.APPEND);
    assertThat(tail.of(log.toString(), "b")).containsExactly("first of b", "second of b");
    Files.writeString(log, "rotated\n");
    assertThat(tail.of(log.toString(), "c")).containsExactly("rotated");
  }

  @Test
  @DisplayName("a pipe, a link, a folder and a missing file have no lines")
  void notRegular() throws Exception {
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Path link = Files.createSymbolicLink(folder.resolve("link"), secret);
    LogTail tail = new LogTail(() -> 20);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertThat(tail.of(pipe.toString(), "a")).isEmpty());
    assertThat(tail.of(link.toString(), "a")).isEmpty();
    assertThat(tail.of(folder.toString(), "a")).isEmpty();
    assertThat(tail.of(folder.resolve("none").toString(), "a")).isEmpty();
    assertThat(tail.of("\0", "a")).isEmpty();
  }
}
