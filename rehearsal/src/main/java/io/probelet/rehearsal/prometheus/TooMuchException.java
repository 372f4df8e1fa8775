package io.probelet.rehearsal.prometheus;

import java.io.IOException;
import java.io.Serial;

/** A page is too long for Prometheus or for us; a shorter one may not be. */
final class TooMuchException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  TooMuchException(String message) {
    super(message);
  }
}
