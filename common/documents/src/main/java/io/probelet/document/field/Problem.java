package io.probelet.document.field;

import io.probelet.document.tree.Position;
import io.probelet.health.ShortText;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A problem of an object or its file.
 *
 * @param origin the file as named by the user, or the API object
 * @param document the number of the document in the file, from 1; 0 for the whole file or an API
 *     object
 * @param at the position in the file; null for the whole file or an API object
 * @param severity whether the object is still usable
 * @param field path of the field, such as {@code spec.containers[0].livenessProbe}; possibly empty
 * @param message the value found and what is allowed, in one line
 * @param rule the ID of the advice, or the {@link Complaint#id()} of an error or a warning
 */
public record Problem(
    String origin,
    int document,
    @Nullable Position at,
    Severity severity,
    String field,
    String message,
    String rule) {
  private static final int MAX_FIELD = 500;
  private static final int MAX_MESSAGE = 1000;

  /** The most problems listed in one text; the rest is counted. */
  private static final int MAX_IN_TEXT = 10;

  /**
   * Converts field and message to one line of printable characters, since both may quote the
   * object.
   */
  public Problem {
    field = Rendering.onOneLine(cut(field, MAX_FIELD));
    message = Rendering.onOneLine(cut(message, MAX_MESSAGE));
    at = Position.UNKNOWN.equals(at) ? null : at;
  }

  /**
   * An error or a warning.
   *
   * @param origin the file as named by the user, or the API object
   * @param document the number of the document in the file; 0 for none
   * @param at the position in the file; null for none
   * @param severity whether the object is still usable
   * @param field path of the field, possibly empty
   * @param message the value found and what is allowed, in one line
   */
  public Problem(
      String origin,
      int document,
      @Nullable Position at,
      Severity severity,
      String field,
      String message) {
    this(origin, document, at, severity, field, message, Complaint.MANIFEST.id());
  }

  /** By file or object, then by position. */
  public static final Comparator<Problem> BY_PLACE =
      Comparator.comparing(Problem::origin)
          .thenComparing(Problem::at, Comparator.nullsFirst(Comparator.naturalOrder()));

  /** The severity of a problem. */
  public enum Severity {
    /** The object cannot be used. */
    ERROR,
    /** Usable, but probably a mistake. */
    WARNING,
    /** Valid, but rarely the best choice. */
    ADVICE;

    /** {@return error, warning or advice} */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A problem with a whole file.
   *
   * @param severity its severity
   * @param message the problem
   */
  public static Problem ofFile(Path file, Severity severity, String message) {
    return new Problem(file.toString(), 0, null, severity, "", message);
  }

  private static String cut(String text, int most) {
    return ShortText.of(text, most);
  }

  /** {@return whether it is an error} */
  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** {@return whether it is an error or a warning, not only advice} */
  public boolean isErrorOrWarning() {
    return severity != Severity.ADVICE;
  }

  /** {@return field and message, if the object is clear from context} */
  public String text() {
    return field.isEmpty() ? message : field + ": " + message;
  }

  /**
   * {@return fields and messages of the first problems in one line, the rest counted}
   *
   * @param problems of one object
   */
  public static String texts(List<Problem> problems) {
    String first =
        problems.stream().limit(MAX_IN_TEXT).map(Problem::text).collect(Collectors.joining("; "));
    return problems.size() <= MAX_IN_TEXT
        ? first
        : first + "; and " + (problems.size() - MAX_IN_TEXT) + " more";
  }

  /**
   * {@return the line shown to users: {@code file:line:column: error: document N: field: message}}
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(Rendering.onOneLine(origin)).append(':');
    if (at != null) {
      text.append(at).append(':');
    }
    text.append(' ').append(severity.word()).append(": ");
    if (document > 0) {
      text.append("document ").append(document).append(": ");
    }
    text.append(text());
    if (severity == Severity.ADVICE) {
      text.append(" (").append(rule).append(')');
    }
    if (at != null && at.inText() != null) {
      text.append(" (line ").append(at.inText().line());
      text.append(", column ").append(at.inText().column()).append(" of the text)");
    }
    return text.toString();
  }
}
