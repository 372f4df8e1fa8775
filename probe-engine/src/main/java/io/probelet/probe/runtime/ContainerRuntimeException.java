package io.probelet.probe.runtime;

/** A runtime operation failed. This says nothing about the container's health. */
public class ContainerRuntimeException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message the operation and its result
   */
  public ContainerRuntimeException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message the operation and its result
   * @param cause the cause
   */
  public ContainerRuntimeException(String message, Throwable cause) {
    super(message, cause);
  }
}
