package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The manifests of {@code probelet run} as {@code GET /api/v1/node} shows them.
 *
 * @param invalid files whose present content is not used, by name, at most {@link #MAX_FILES}
 */
@JsonPropertyOrder({"invalid", "more"})
public record ManifestsView(List<InvalidFileView> invalid, int more) {
  /** Invalid files that are shown one by one. */
  public static final int MAX_FILES = 20;

  /** All manifests are valid, or there are none. */
  public static final ManifestsView VALID = new ManifestsView(List.of(), 0);

  /** Takes what another agent leaves out for empty. */
  public ManifestsView {
    invalid = JsonDefaults.list(invalid);
  }

  /** {@return how many files are invalid in all} */
  public int total() {
    return invalid.size() + more;
  }

  /**
   * A file whose present content is not used.
   *
   * @param file its path; at most 300 characters in one line
   * @param line where in the file, 1 for the first line; 0 when it is about the whole file
   * @param column where in the line, 1 for the first column; 0 when it is about the whole file
   * @param field path of the field; possibly empty
   * @param errors how many errors the file has; the others are in the log
   * @param use what of the file is used meanwhile: Nothing, LastValid or OtherPods
   * @param since when the file was found to be invalid, RFC 3339 in UTC
   */
  @JsonPropertyOrder({"file", "line", "column", "field", "message", "errors", "use", "since"})
  public record InvalidFileView(
      String file,
      int line,
      int column,
      String field,
      String message,
      int errors,
      String use,
      String since) {
    /** Takes what another agent leaves out for empty. */
    public InvalidFileView {
      file = JsonDefaults.text(file);
      field = JsonDefaults.text(field);
      message = JsonDefaults.text(message);
      use = JsonDefaults.text(use);
      since = JsonDefaults.text(since);
    }

    /** {@return file, line, field and message in one line} */
    public String text() {
      return file
          + (line == 0 ? "" : ":" + line + ":" + column)
          + ": "
          + (field.isEmpty() ? "" : field + ": ")
          + message
          + (errors > 1 ? " (1 of " + errors + " errors)" : "");
    }

    /** {@return what runs of the file, in words} */
    public String consequence() {
      return switch (use) {
        case "LastValid" -> "the last valid version keeps running";
        case "OtherPods" -> "its other pods run";
        default -> "none of its pods run";
      };
    }
  }
}
