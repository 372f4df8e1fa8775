package io.probelet.rehearsal.prometheus;

import java.io.Serial;

/** The tape cannot be created; the message is for the user. */
public final class PrometheusException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  PrometheusException(String message) {
    super(message);
  }
}
