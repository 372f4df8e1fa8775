package io.probelet.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
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
    assertThat(new LogTail(() -> 4).of(log.toString()))
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
    assertThat(new LogTail(() -> 0).of(log.toString())).isEmpty();
    assertThat(new LogTail(() -> 20).of(log.toString())).last().isEqualTo("end");
    assertThat(new LogTail(() -> 1_000_000).of(log.toString()))
        .hasSizeLessThanOrEqualTo(LogTail.MAX_LINES);
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
        Duration.ofSeconds(10), () -> assertThat(tail.of(pipe.toString())).isEmpty());
    assertThat(tail.of(link.toString())).isEmpty();
    assertThat(tail.of(folder.toString())).isEmpty();
    assertThat(tail.of(folder.resolve("none").toString())).isEmpty();
    assertThat(tail.of("\0")).isEmpty();
  }
}
