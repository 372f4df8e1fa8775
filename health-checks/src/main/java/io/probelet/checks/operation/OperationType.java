package io.probelet.checks.operation;

/** What a controller can do to an object. */
public enum OperationType {
  /** It is made. */
  CREATE("Create"),
  /** It is brought to what is wanted. */
  RECONCILE("Reconcile"),
  /** It is taken away. */
  DELETE("Delete"),
  /** It leaves its place. */
  MIGRATE("Migrate"),
  /** It comes back in another place. */
  RESTORE("Restore");

  private final String text;

  OperationType(String text) {
    this.text = text;
  }

  /** {@return the spelling used in Kubernetes objects} */
  @Override
  public String toString() {
    return text;
  }
}
