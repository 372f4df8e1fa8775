package io.probelet.checks.operation;

/** The state of an operation. */
public enum OperationState {
  /** In progress. */
  PROCESSING("Processing"),
  /** Succeeded. */
  SUCCEEDED("Succeeded"),
  /** Failed, and will be retried. */
  ERROR("Error"),
  /** Failed, and will not be retried. */
  FAILED("Failed"),
  /** Waiting to start. */
  PENDING("Pending"),
  /** Canceled. */
  ABORTED("Aborted");

  private final String text;

  OperationState(String text) {
    this.text = text;
  }

  /** {@return the spelling used in Kubernetes objects} */
  @Override
  public String toString() {
    return text;
  }
}
