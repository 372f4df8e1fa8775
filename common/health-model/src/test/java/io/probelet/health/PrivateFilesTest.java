package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60) // who opens a pipe may wait forever
class PrivateFilesTest {
  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.write(dir.resolve("state"), CONTENT);
  }

  @Test
  void readsWholeFile() throws Exception {
    assertThat(PrivateFiles.read(file, CONTENT.length)).isEqualTo(CONTENT);
  }

  @Test
  @DisplayName("A file that is one byte too large is refused, with the limit in the message")
  void refusesLargerFile() {
    assertThatThrownBy(() -> PrivateFiles.read(file, 2))
        .isInstanceOf(IOException.class)
        .hasMessage("it has more than 2 bytes");
  }

  @Test
  void tellsMissingFile() {
    assertThatThrownBy(() -> PrivateFiles.read(dir.resolve("none"), 2))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void refusesLink() throws Exception {
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    assertThatThrownBy(() -> PrivateFiles.read(link, 10))
        .hasMessageContaining("not a regular file");
  }

  @Test
  @DisplayName("A pipe is refused, not waited for")
  void refusesPipe() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> PrivateFiles.read(pipe, 10))
        .hasMessageContaining("not a regular file");
  }
}
