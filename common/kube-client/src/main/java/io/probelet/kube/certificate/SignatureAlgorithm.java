package io.probelet.kube.certificate;

import java.security.InvalidKeyException;
import java.security.Key;

/** How certificates are signed, by the kind of the key. */
enum SignatureAlgorithm {
  ECDSA("EC", "SHA256withECDSA"),
  RSA("RSA", "SHA256withRSA");

  private final String keys;
  private final String java;

  SignatureAlgorithm(String keys, String java) {
    this.keys = keys;
    this.java = java;
  }

  static SignatureAlgorithm of(Key key) throws InvalidKeyException {
    for (SignatureAlgorithm algorithm : values()) {
      if (algorithm.keys.equals(key.getAlgorithm())) {
        return algorithm;
      }
    }
    throw new InvalidKeyException(
        "unsupported key type " + key.getAlgorithm() + "; use RSA or an elliptic curve (EC)");
  }

  /** What Java calls it. */
  String java() {
    return java;
  }

  /** What a certificate calls it. */
  byte[] encoded() {
    return switch (this) {
      case ECDSA -> Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
      case RSA -> Der.sequence(Der.oid("1.2.840.113549.1.1.11"), Der.nothing());
    };
  }
}
