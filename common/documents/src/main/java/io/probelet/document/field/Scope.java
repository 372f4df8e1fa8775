package io.probelet.document.field;

import io.probelet.document.field.Problem.Severity;

/**
 * The part of a document in which one set of rules holds.
 *
 * @param unknownFields how bad an unknown field is: a warning in Kubernetes objects, which may be
 *     newer than we are, an error where the schema is ours
 * @param anyCase whether names of fields match in upper and lower case alike, as Go reads JSON
 */
public record Scope(Problems problems, Severity unknownFields, boolean anyCase) {
  /**
   * A part whose fields are written as they are called.
   *
   * @param unknownFields how bad an unknown field is
   */
  public Scope(Problems problems, Severity unknownFields) {
    this(problems, unknownFields, false);
  }
}
