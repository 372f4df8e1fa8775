package io.probelet.document.field;

import java.util.ArrayList;
import java.util.List;

/**
 * Something wrong with an object.
 *
 * @param path the field, from the resource's root; names, and indices in brackets
 * @param fatal whether the resource is refused for it; a remark otherwise
 * @param message what was found and what would be right
 */
public record Finding(List<String> path, boolean fatal, String message) {
  /** Copies the path. */
  public Finding {
    path = List.copyOf(path);
  }

  /** {@return the path in the usual notation, {@code spec.escalatingRemediations[0].timeout}} */
  public String field() {
    StringBuilder field = new StringBuilder();
    for (String step : path) {
      field.append(field.isEmpty() || step.startsWith("[") ? "" : ".").append(step);
    }
    return field.toString();
  }

  /** {@return field and message} */
  @Override
  public String toString() {
    return path.isEmpty() ? message : field() + ": " + message;
  }

  /**
   * Extends a path.
   *
   * @param path names, and indices in brackets
   * @param step one more of them
   * @return both
   */
  public static List<String> child(List<String> path, String step) {
    List<String> child = new ArrayList<>(path);
    child.add(step);
    return child;
  }
}
