package io.probelet.document.field;

/** What a problem is about, for programs. Messages are for people and may be reworded. */
public enum Complaint {
  /** A value is missing. */
  REQUIRED_VALUE("required-value", "A value is missing."),
  /** A value breaks the rule for it. */
  INVALID_VALUE("invalid-value", "A value is invalid."),
  /** A name that is data, such as that of a label, breaks the rule for it. */
  INVALID_KEY("invalid-key", "A key of a map is invalid."),
  /** A word is none of those allowed. */
  UNSUPPORTED_VALUE("unsupported-value", "A value is not one of those supported."),
  /** A value was given before. */
  DUPLICATE_VALUE("duplicate-value", "A value is repeated."),
  /** A field must not be here. */
  FORBIDDEN("forbidden", "A field is not allowed here."),
  /** What is named is not there. */
  NOT_FOUND("not-found", "A referenced object does not exist."),
  /** A value is longer than it may be. */
  TOO_LONG("too-long", "A value is too long."),
  /** A field is not known. */
  UNKNOWN_FIELD("unknown-field", "A field is unknown."),
  /** A field has no effect here. */
  NO_EFFECT("no-effect", "A field has no effect here."),
  /** An object's kind is not read here. */
  IGNORED_KIND("ignored-kind", "An object of this kind is ignored."),
  /** Anything else. */
  MANIFEST("manifest", "A file or value cannot be parsed.");

  private final String id;
  private final String description;

  Complaint(String id, String description) {
    this.id = id;
    this.description = description;
  }

  /** {@return its name in reports, which stays} */
  public String id() {
    return id;
  }

  /** {@return what it is about, in a sentence} */
  public String description() {
    return description;
  }
}
