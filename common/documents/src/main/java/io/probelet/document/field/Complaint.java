package io.probelet.document.field;

/** What a problem is about, for programs. Messages are for people and may be reworded. */
public enum Complaint {
  /** A value is missing. */
  REQUIRED_VALUE("required-value", "A value is missing."),
  /** A value breaks the rule for it. */
  INVALID_VALUE("invalid-value", "A value breaks the rule for it."),
  /** A name that is data, such as that of a label, breaks the rule for it. */
  INVALID_KEY("invalid-key", "A name that is data breaks the rule for it."),
  /** A word is none of those allowed. */
  UNSUPPORTED_VALUE("unsupported-value", "A word is none of those allowed."),
  /** A value was given before. */
  DUPLICATE_VALUE("duplicate-value", "A value was given before."),
  /** A field must not be here. */
  FORBIDDEN("forbidden", "A field must not be here."),
  /** What is named is not there. */
  NOT_FOUND("not-found", "What is named is not there."),
  /** A value is longer than it may be. */
  TOO_LONG("too-long", "A value is longer than it may be."),
  /** A field is not known. */
  UNKNOWN_FIELD("unknown-field", "A field is not known."),
  /** A field has no effect here. */
  NO_EFFECT("no-effect", "A field has no effect here."),
  /** An object's kind is not read here. */
  IGNORED_KIND("ignored-kind", "An object's kind is not read here."),
  /** Anything else. */
  MANIFEST("manifest", "A file or a value is not what can be read here.");

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
