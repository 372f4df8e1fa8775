package io.probelet.health.tls;

import java.math.BigInteger;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;

/** Bounds of keys: larger ones take too long to compute with, also where any is trusted. */
public final class CertificateKeys {
  /** Larger keys are refused by Go. */
  private static final int MAX_RSA_BITS = 8192;

  /** Of an RSA key's exponent; a larger one no Go program reads. */
  private static final int MAX_EXPONENT_BITS = 31;

  private CertificateKeys() {}

  /**
   * Refuses what Go refuses before anything is computed with a certificate's key.
   *
   * @param certificate any
   * @throws CertificateException says how large an RSA key is, and may be
   */
  public static void check(X509Certificate certificate) throws CertificateException {
    if (certificate.getPublicKey() instanceof RSAPublicKey key) {
      atMost(MAX_RSA_BITS, key.getModulus(), "an RSA key");
      atMost(MAX_EXPONENT_BITS, key.getPublicExponent(), "an RSA key with an exponent");
    }
  }

  private static void atMost(int bits, BigInteger found, String what) throws CertificateException {
    if (found.bitLength() > bits) {
      throw new CertificateException(
          "certificate with " + what + " of " + found.bitLength() + " bits, more than " + bits);
    }
  }
}
