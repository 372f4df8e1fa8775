package io.probelet.agent.manifest.field;

import io.probelet.agent.manifest.field.Problem.Severity;
import io.probelet.agent.manifest.tree.Position;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Collects the problems of one document. */
public final class Problems {
  private final Path file;
  private final int document;
  private final List<Problem> all = new ArrayList<>();
  private int errors;

  /**
   * Creates an empty collection.
   *
   * @param file the file as the user named it
   * @param document which document of the file
   */
  public Problems(Path file, int document) {
    this.file = file;
    this.document = document;
  }

  /**
   * Adds an error.
   *
   * @param at where
   * @param field path of the field, possibly empty
   * @param message what was found and what would be right
   */
  public void error(Position at, String field, String message) {
    errors++;
    all.add(new Problem(file, document, at, Severity.ERROR, field, message));
  }

  /**
   * Adds a warning.
   *
   * @param at where
   * @param field path of the field, possibly empty
   * @param message what was found and what would be right
   */
  public void warning(Position at, String field, String message) {
    all.add(new Problem(file, document, at, Severity.WARNING, field, message));
  }

  /**
   * {@return how many errors there are so far; unchanged after reading something means it was good}
   */
  public int errors() {
    return errors;
  }

  /** {@return everything so far, in the order of finding} */
  public List<Problem> all() {
    return List.copyOf(all);
  }
}
