package io.probelet.document.field;

/** The kind of a problem, for programs. Messages are for people and may change. */
public enum Complaint {
  /** A value is missing. */
  REQUIRED_VALUE("required-value", "A value is missing."),
  /** A value is invalid. */
  INVALID_VALUE("invalid-value", "A value is invalid."),
  /** A key of a map, such as a label, is invalid. */
  INVALID_KEY("invalid-key", "A key of a map is invalid."),
  /** A value is not one of those supported. */
  UNSUPPORTED_VALUE("unsupported-value", "A value is not one of those supported."),
  /** A value is repeated. */
  DUPLICATE_VALUE("duplicate-value", "A value is repeated."),
  /** A field is not allowed here. */
  FORBIDDEN("forbidden", "A field is not allowed here."),
  /** A referenced object does not exist. */
  NOT_FOUND("not-found", "A referenced object does not exist."),
  /** A value is too long. */
  TOO_LONG("too-long", "A value is too long."),
  /** A field is unknown. */
  UNKNOWN_FIELD("unknown-field", "A field is unknown."),
  /** A field has no effect here. */
  NO_EFFECT("no-effect", "A field has no effect here."),
  /** An object of this kind is ignored. */
  IGNORED_KIND("ignored-kind", "An object of this kind is ignored."),
  /** Anything else. */
  MANIFEST("manifest", "A file or value cannot be parsed.");

  private final String id;
  private final String description;

  Complaint(String id, String description) {
    this.id = id;
    this.description = description;
  }

  /** {@return its stable name in reports} */
  public String id() {
    return id;
  }

  /** {@return its description, in a sentence} */
  public String description() {
    return description;
  }
}
