package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where the newest instance begins in a log. */
@Timeout(60)
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
    assertThat(LogStart.of(log).offset()).hasValue("first instance\n".length());
  }

  /** Attack or accident: a full disk, or a folder in the way. */
  @Test
  void doesNotFailIfItCannotBeWritten() throws IOException {
    Files.createDirectory(folder.resolve("web.log.start"));
    LogStart.mark(log);
    LogStart.cut(log, 3);
    LogStart.mark(folder.resolve("missing.log"));
    assertThat(LogStart.of(log).offset()).isEmpty();
  }

  @Test
  void movesWithRotation() throws IOException {
    LogStart.mark(log);
    LogStart.cut(log, 10);
    assertThat(LogStart.of(log).offset()).hasValue("first instance\n".length() - 10);
    LogStart.cut(log, 1000);
    assertThat(LogStart.of(log).offset()).hasValue("first instance\n".length() - 1010);
  }

  @Test
  void countsWhatWasRotated() throws IOException {
    LogStart.cut(log, 10);
    assertThat(LogStart.of(log)).isEqualTo(new LogStart(OptionalLong.empty(), 10));
    LogStart.mark(log);
    LogStart.cut(log, 5);
    assertThat(LogStart.of(log)).isEqualTo(new LogStart(OptionalLong.of(10), 15));
  }

  @Test
  void isUnknownIfMissingOrCorrupt() throws IOException {
    assertThat(LogStart.of(log).offset()).isEmpty();
    LogStart.cut(log, 10);
    assertThat(LogStart.of(log).offset()).isEmpty();
    Files.writeString(folder.resolve("web.log.start"), "x".repeat(1000));
    assertThat(LogStart.of(log).offset()).isEmpty();
    Files.writeString(folder.resolve("web.log.start"), "9".repeat(1000));
    assertThat(LogStart.of(log).offset()).isEmpty();
    Files.writeString(folder.resolve("web.log.start"), "12"); // of an earlier version
    assertThat(LogStart.of(log)).isEqualTo(new LogStart(OptionalLong.of(12), 0));
  }

  @Test
  @DisplayName("Attack: a pipe or a link in place of the file")
  void opensNeitherPipesNorLinks() throws Exception {
    Path start = folder.resolve("web.log.start");
    assertThat(new ProcessBuilder("mkfifo", start.toString()).start().waitFor()).isZero();
    assertThat(LogStart.of(log).offset()).isEmpty();
    Files.delete(start);
    Files.createSymbolicLink(start, Files.writeString(folder.resolve("other"), "12"));
    assertThat(LogStart.of(log).offset()).isEmpty();
  }
}
