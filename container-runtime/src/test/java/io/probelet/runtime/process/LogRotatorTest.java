package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a rotation does when it cannot copy; OutputLogTest has the rest. */
class LogRotatorTest {
  private static final int LIMIT = 64 << 10;

  @TempDir private Path dir;

  @Test
  @DisplayName("a copy onto a full disk fails and says why")
  void fullDisk() throws Exception {
    Path log = Files.writeString(dir.resolve("web.log"), "x".repeat(LIMIT));
    try (FileChannel from = FileChannel.open(log);
        FileChannel to = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
      assertThatThrownBy(() -> LogRotator.copy(from, 0, LIMIT, to))
          .hasMessageContaining("No space left");
    }
  }

  @Test
  @DisplayName("the oldest file makes room for the copy; without a copy the log stays as it is")
  void noCopy() throws Exception {
    Path log = Files.writeString(dir.resolve("web.log"), "x".repeat(LIMIT));
    Path oldest = Files.createFile(dir.resolve("web.log.2"));
    Path younger = Files.createFile(dir.resolve("web.log.1"));
    Files.createDirectory(dir.resolve("web.log.rotating"));
    LogRotator rotator = new LogRotator(new LogRotation(LIMIT, 3));
    try (FileChannel open =
        FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertThatThrownBy(() -> rotator.rotate(log, open))
          .hasMessageContaining("not a regular file");
    }
    assertThat(log).hasSize(LIMIT);
    assertThat(oldest).doesNotExist();
    assertThat(younger).exists();
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "a file that somebody else empties while it is copied ends the copy, which is dropped")
  void shrinks() throws Exception {
    Path log = Files.writeString(dir.resolve("web.log"), "x".repeat(LIMIT));
    Path copy = dir.resolve("copy");
    try (FileChannel from = FileChannel.open(log);
        FileChannel to =
            FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThatThrownBy(() -> LogRotator.copy(from, 0, LIMIT + 1, to))
          .hasMessageContaining("another process truncated it");
    }
    assertThat(copy).isEmptyFile();
  }
}
