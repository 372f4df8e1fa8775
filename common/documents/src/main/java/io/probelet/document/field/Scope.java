package io.probelet.document.field;

import io.probelet.document.field.Problem.Severity;

/**
 * The rules for unknown fields and case in a part of a document.
 *
 * @param unknownFields the severity of an unknown field: a warning in Kubernetes objects, which may
 *     be newer than this program, an error in our own formats
 * @param anyCase whether field names are case-insensitive, as Go reads JSON
 */
public record Scope(Problems problems, Severity unknownFields, boolean anyCase) {
  /**
   * Creates a scope with case-sensitive field names.
   *
   * @param unknownFields the severity of an unknown field
   */
  public Scope(Problems problems, Severity unknownFields) {
    this(problems, unknownFields, false);
  }
}
