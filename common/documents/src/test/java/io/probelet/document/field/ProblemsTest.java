package io.probelet.document.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Position;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Collecting problems of a document, up to the limit. */
class ProblemsTest {
  private final Problems problems = new Problems(Path.of("a.yaml"), 1);

  @Test
  @DisplayName("an error beyond the limit still invalidates the document")
  void hiddenError() {
    for (int i = 0; i < 300; i++) {
      problems.warning(Position.START, "field", "warning " + i);
    }
    assertThat(problems.all()).hasSize(201).noneMatch(Problem::isError);
    problems.error(Position.START, "field", "error");
    problems.warning(Position.START, "field", "warning");
    assertThat(problems.all()).hasSize(201);
    assertThat(problems.all().getLast())
        .hasToString("a.yaml:1:1: error: document 1: has more problems than the 200 shown");
  }

  @Test
  @DisplayName("advice takes no room from errors, and has its own limit")
  void advice() {
    for (int i = 0; i < 300; i++) {
      problems.advice(Position.START, "field", "better so", "some-advice");
    }
    problems.error(Position.START, "field", "error");
    assertThat(problems.all()).hasSize(201).filteredOn(Problem::isErrorOrWarning).hasSize(1);
    assertThat(problems.all().getLast())
        .hasToString("a.yaml:1:1: advice: document 1: field: better so (some-advice)");
  }
}
