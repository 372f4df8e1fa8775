package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the newest instance begins in a log. */
class LogStartTest {
  @TempDir private Path folder;
  private Path log;

  @BeforeEach
  void write() throws IOException {
    log = Files.writeString(folder.resolve("web.log"), "first instance\n");
  }

  @Test
  void isEndOfLogWhenInstanceStarts() throws IOException {
    LogStart.mark(log);
    Files.writeString(log, "second\n", java.nio.file.StandardOpenOption.APPEND);
    assertThat(LogStart.of(log)).isEqualTo("first instance\n".length());
  }

  /** Attack or accident: a full disk, or a folder in the way. */
  @Test
  void doesNotFailIfItCannotBeWritten() throws IOException {
    Files.createDirectory(folder.resolve("web.log.start"));
    LogStart.mark(log);
    LogStart.cut(log, 3);
    LogStart.mark(folder.resolve("missing.log"));
    assertThat(LogStart.of(log)).isZero();
  }

  @Test
  void movesWithRotation() throws IOException {
    LogStart.mark(log);
    LogStart.cut(log, 10);
    assertThat(LogStart.of(log)).isEqualTo("first instance\n".length() - 10);
    LogStart.cut(log, 1000);
    assertThat(LogStart.of(log)).isZero();
  }

  @Test
  void isBeginningIfUnknownOrCorrupt() throws IOException {
    assertThat(LogStart.of(log)).isZero();
    LogStart.cut(log, 10);
    assertThat(LogStart.of(log)).isZero();
    Files.writeString(folder.resolve("web.log.start"), "x".repeat(1000));
    assertThat(LogStart.of(log)).isZero();
    Files.writeString(folder.resolve("web.log.start"), "9".repeat(1000));
    assertThat(LogStart.of(log)).isPositive();
  }
}
