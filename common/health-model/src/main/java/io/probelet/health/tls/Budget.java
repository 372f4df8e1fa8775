package io.probelet.health.tls;

import java.security.cert.CertificateException;

/** Limits the steps of one verification, since servers choose the number of names and policies. */
final class Budget {
  /** Far more than any real chain needs, and about ten milliseconds. */
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
