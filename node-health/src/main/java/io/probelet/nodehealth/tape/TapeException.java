package io.probelet.nodehealth.tape;

import io.probelet.document.field.Problem;
import java.io.Serial;
import java.util.List;

/** A tape cannot be read any further. */
public final class TapeException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  TapeException(List<Problem> problems) {
    super(Problem.texts(problems));
    this.problems = List.copyOf(problems);
  }

  /** {@return the error, with file and line; never empty} */
  public List<Problem> problems() {
    return problems;
  }
}
