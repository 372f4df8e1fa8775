package io.probelet.health.tls;

import java.math.BigInteger;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.EllipticCurve;

/**
 * Limits of keys: computing with larger ones takes too long, even where any certificate is trusted.
 */
public final class CertificateKeys {
  /** Go rejects larger keys. */
  private static final int MAX_RSA_BITS = 8192;

  /** The exponent limit of RSA keys in Go. */
  private static final int MAX_EXPONENT_BITS = 31;

  private CertificateKeys() {}

  /**
   * Rejects keys that Go rejects, before computing with them.
   *
   * @param certificate any
   * @throws CertificateException with the size of the RSA key and the limit
   */
  public static void check(X509Certificate certificate) throws CertificateException {
    if (certificate.getPublicKey() instanceof RSAPublicKey key) {
      atMost(MAX_RSA_BITS, key.getModulus(), "an RSA key");
      atMost(MAX_EXPONENT_BITS, key.getPublicExponent(), "an RSA key with an exponent");
    }
  }

  /** Rejects an elliptic key that is not a point of its curve, as Go does when reading it. */
  static void checkPoint(PublicKey key) throws CertificateException {
    if (key instanceof ECPublicKey point
        && point.getParams().getCurve().getField() instanceof ECFieldFp field) {
      BigInteger p = field.getP();
      BigInteger x = point.getW().getAffineX();
      BigInteger y = point.getW().getAffineY();
      EllipticCurve curve = point.getParams().getCurve();
      BigInteger right = x.multiply(x).add(curve.getA()).multiply(x).add(curve.getB());
      boolean inField = x.signum() >= 0 && y.signum() >= 0 && x.max(y).compareTo(p) < 0;
      if (!inField || !y.multiply(y).subtract(right).mod(p).equals(BigInteger.ZERO)) {
        throw new CertificateException("x509: public key is not a point of its curve");
      }
    }
  }

  private static void atMost(int bits, BigInteger found, String what) throws CertificateException {
    if (found.bitLength() > bits) {
      throw new CertificateException(
          "certificate with " + what + " of " + found.bitLength() + " bits, more than " + bits);
    }
  }
}
