package io.probelet.document.field;

import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Position;

/**
 * The part of a document in which one set of rules holds.
 *
 * @param problems where problems go
 * @param unknownFields how bad an unknown field is: a warning in Kubernetes objects, which may be
 *     newer than we are, an error where the schema is ours
 */
public record Scope(Problems problems, Severity unknownFields) {
  void unknownField(Position at, String path, String message) {
    if (unknownFields == Severity.ERROR) {
      problems.error(at, path, message);
    } else {
      problems.warning(at, path, message);
    }
  }
}
