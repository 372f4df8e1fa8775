package io.probelet.health.tls;

import java.security.cert.CertificateException;

/** Limits the steps of one verification: servers choose how many names and policies there are. */
final class Budget {
  /** More than any real chain takes by far, and some ten milliseconds. */
  static final int STEPS = 250_000;

  private int left = STEPS;

  void take(int steps) throws CertificateException {
    left -= steps;
    if (left < 0) {
      throw new CertificateException(
          "checking names, constraints and policies exceeds " + STEPS + " comparisons");
    }
  }
}
