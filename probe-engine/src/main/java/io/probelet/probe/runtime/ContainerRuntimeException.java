package io.probelet.probe.runtime;

/** The runtime could not do what it was asked to; says nothing about the container's health. */
public class ContainerRuntimeException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message what was asked and what came back
   */
  public ContainerRuntimeException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was asked and what came back
   * @param cause what went wrong underneath
   */
  public ContainerRuntimeException(String message, Throwable cause) {
    super(message, cause);
  }
}
