package io.probelet.checks.operation;

/** What a controller can do to an object. */
public enum OperationType {
  /** Create. */
  CREATE("Create"),
  /** Reconcile to the desired state. */
  RECONCILE("Reconcile"),
  /** Delete. */
  DELETE("Delete"),
  /** Migrate away. */
  MIGRATE("Migrate"),
  /** Restore after a migration. */
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
