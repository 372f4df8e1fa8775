package io.probelet.runtime.cri;

import io.probelet.probe.runtime.ContainerRuntimeException;

/** A call that was given up on, because no answer to it had come in time. */
final class NoAnswerException extends ContainerRuntimeException {
  private static final long serialVersionUID = 1;

  NoAnswerException(String message) {
    super(message);
  }
}
