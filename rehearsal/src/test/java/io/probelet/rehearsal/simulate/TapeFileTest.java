package io.probelet.rehearsal.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TapeFileTest {
  @TempDir private Path folder;
  private final List<String> full = new ArrayList<>();

  @Test
  @DisplayName("a tape has a bound; after it there is only the line that ends it")
  void bound() throws IOException {
    Path file = folder.resolve("tape.jsonl");
    try (TapeFile tape = new TapeFile(file, 1124, () -> full.add("full"))) {
      tape.accept("a".repeat(99));
      assertThat(Files.size(file)).as("written at once").isEqualTo(100);
      assertThat(tape.isCutOff()).isFalse();
      tape.accept("b");
      tape.accept("c");
      tape.accept("{\"at\":\"2026-10-01T00:00:00Z\",\"end\":true}");
      assertThat(tape.isCutOff()).isTrue();
    }
    assertThat(full).containsExactly("full");
    assertThat(Files.readAllLines(file))
        .containsExactly("a".repeat(99), "{\"at\":\"2026-10-01T00:00:00Z\",\"end\":true}");
  }

  @Test
  @DisplayName("a tape is not written over")
  void exists() throws IOException {
    Path file = Files.writeString(folder.resolve("tape.jsonl"), "");
    assertThatThrownBy(() -> new TapeFile(file, 1124, () -> {}))
        .isInstanceOf(FileAlreadyExistsException.class);
  }
}
