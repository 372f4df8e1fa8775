package io.probelet.document.field;

import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Position;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Collects the problems of one document or object, up to a limit. */
public final class Problems {
  /** The most problems kept; further ones are only counted. */
  public static final int MAX_PROBLEMS = 200;

  private final String origin;
  private final int document;
  private final List<Problem> all = new ArrayList<>();
  private final List<Problem> advice = new ArrayList<>();
  private final Set<Object> mistyped = new HashSet<>();
  private int errors;

  /** Creates an empty collection. */
  public Problems(Path file, int document) {
    this(file.toString(), document);
  }

  private Problems(String origin, int document) {
    this.origin = origin;
    this.document = document;
  }

  /**
   * Creates an empty collection for an object of the API.
   *
   * @param name its name for users, such as {@code NodeHealthCheck workers}
   */
  public static Problems ofObject(String name) {
    return new Problems(name, 0);
  }

  /**
   * Adds an error.
   *
   * @param at its position; {@link Position#UNKNOWN} for an API object
   * @param field path of the field, possibly empty
   */
  public void error(Position at, String field, String message) {
    add(Severity.ERROR, at, field, Complaint.MANIFEST, message);
  }

  /**
   * Adds a warning.
   *
   * @param field path of the field, possibly empty
   */
  public void warning(Position at, String field, String message) {
    add(Severity.WARNING, at, field, Complaint.MANIFEST, message);
  }

  /** Adds a piece of advice; beyond {@link #MAX_PROBLEMS} further ones are dropped. */
  public void advice(Position at, String field, String message, String rule) {
    if (advice.size() < MAX_PROBLEMS) {
      advice.add(new Problem(origin, document, at, Severity.ADVICE, field, message, rule));
    }
  }

  void add(Severity severity, Position at, String field, Complaint about, String message) {
    errors += severity == Severity.ERROR ? 1 : 0;
    add(new Problem(origin, document, at, severity, field, message, about.id()));
  }

  private void add(Problem problem) {
    if (all.size() < MAX_PROBLEMS) {
      all.add(problem);
    } else if (all.size() == MAX_PROBLEMS) {
      String message = "has more problems than the " + MAX_PROBLEMS + " shown";
      all.add(new Problem(origin, document, problem.at(), problem.severity(), "", message));
    } else if (problem.isError() && !all.getLast().isError()) {
      all.set(MAX_PROBLEMS, asError(all.getLast())); // errors count even if not shown
    }
  }

  private static Problem asError(Problem last) {
    return new Problem(
        last.origin(), last.document(), last.at(), Severity.ERROR, last.field(), last.message());
  }

  /** Records a value of the wrong type; returns whether it is new. */
  boolean firstMistyped(Position at, String path) {
    return mistyped.size() < MAX_PROBLEMS
        && mistyped.add(at.equals(Position.UNKNOWN) ? withoutBrackets(path) : at);
  }

  /**
   * Adds the problems of another reading of the same document, except for positions and fields
   * already reported.
   */
  public void addNew(Problems other) {
    Set<String> known = new HashSet<>();
    for (Problem problem : all) {
      known.add("WARNING " + key(problem));
      known.add(problem.severity() + " " + key(problem));
    }
    for (Problem problem : other.all) {
      if (known.add(problem.severity() + " " + key(problem))) {
        errors += problem.isError() ? 1 : 0;
        add(problem);
      }
    }
  }

  private static String key(Problem problem) {
    return problem.at() + " " + withoutBrackets(problem.field());
  }

  /** A field of a map key is written in two ways. */
  private static String withoutBrackets(String path) {
    return path.replace("[", ".").replace("]", "");
  }

  /**
   * {@return whether further problems will not be shown, so that creating their text is
   * unnecessary}
   */
  boolean isFull() {
    return all.size() > MAX_PROBLEMS;
  }

  /** {@return the number of errors so far; if unchanged after reading something, it was valid} */
  public int errors() {
    return errors;
  }

  /** {@return all problems so far, in order of detection, advice last} */
  public List<Problem> all() {
    return Stream.concat(all.stream(), advice.stream()).toList();
  }

  /** {@return the errors in one line, without warnings; empty if there is none} */
  public String errorText() {
    return Problem.texts(all().stream().filter(Problem::isError).toList());
  }
}
