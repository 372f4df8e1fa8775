package io.probelet.checks.operation;

/** How far an operation came. */
public enum OperationState {
  /** It is under way. */
  PROCESSING("Processing"),
  /** It is done. */
  SUCCEEDED("Succeeded"),
  /** It went wrong and is tried again. */
  ERROR("Error"),
  /** It went wrong and is not tried again. */
  FAILED("Failed"),
  /** It may not begin yet. */
  PENDING("Pending"),
  /** It was called off. */
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
