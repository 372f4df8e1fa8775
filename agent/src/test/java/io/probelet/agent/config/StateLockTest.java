package io.probelet.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One Probelet at a time has a state folder. */
class StateLockTest {
  @TempDir private Path dir;

  @Test
  void isHeldByOneAtATime() throws Exception {
    Path folder = dir.resolve("new/state");
    try (StateLock first = StateLock.take(folder, "--state-dir")) {
      assertThat(first.isHeld()).isTrue();
      assertThat(folder.resolve("lock")).hasContent(ProcessHandle.current().pid() + "\n");
      assertThatThrownBy(() -> StateLock.take(folder, "--state-dir"))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "state folder %s is in use by another Probelet (pid %d): stop it, or choose another folder with --state-dir"
                  .formatted(folder, ProcessHandle.current().pid()));
    }
    try (StateLock next = StateLock.take(folder, "--state-dir")) {
      assertThat(next.isHeld()).isTrue();
    }
  }

  @Test
  void quotesNothingButANumberOfTheHolder() throws Exception {
    try (StateLock _ = StateLock.take(dir, "x")) {
      for (String content : new String[] {"", "\u001b[31mroot", "12345678901", "-1", "7\nroot"}) {
        Files.writeString(dir.resolve("lock"), content);
        assertThatThrownBy(() -> StateLock.take(dir, "x"))
            .hasMessageContaining("is in use by another Probelet: stop it");
      }
    }
  }

  @Test
  void keepsNoStateWhereNothingCanBeWritten() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    try (StateLock none = StateLock.take(file.resolve("state"), "x")) {
      assertThat(none.isHeld()).isFalse();
    }
    Files.createSymbolicLink(dir.resolve("lock"), file);
    try (StateLock none = StateLock.take(dir, "x")) {
      assertThat(none.isHeld()).as("a link may lead to a file of another").isFalse();
    }
  }
}
