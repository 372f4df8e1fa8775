package io.probelet.checks;

/** The client for an object's target cluster could not be built. */
public final class TargetUnavailableException extends RuntimeException {

  TargetUnavailableException(RuntimeException cause) {
    super("cannot build a client for the target cluster: " + cause.getMessage(), cause);
  }
}
