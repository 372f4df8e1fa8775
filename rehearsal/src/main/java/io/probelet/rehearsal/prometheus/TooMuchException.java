package io.probelet.rehearsal.prometheus;

import java.io.IOException;
import java.io.Serial;

/** A page exceeds a limit of Prometheus or of ours; a shorter page may work. */
final class TooMuchException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  TooMuchException(String message) {
    super(message);
  }
}
