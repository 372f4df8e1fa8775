package io.probelet.runtime.cri;

import io.probelet.probe.runtime.ContainerRuntimeException;

/** A call that timed out. */
final class NoAnswerException extends ContainerRuntimeException {
  private static final long serialVersionUID = 1;

  NoAnswerException(String message) {
    super(message);
  }
}
