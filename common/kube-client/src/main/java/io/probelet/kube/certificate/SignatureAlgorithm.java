package io.probelet.kube.certificate;

import java.security.InvalidKeyException;
import java.security.Key;

/** The signature algorithm for each type of key. */
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

  /** Its name in Java. */
  String java() {
    return java;
  }

  /** Its identifier in certificates. */
  byte[] encoded() {
    return switch (this) {
      case ECDSA -> Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
      case RSA -> Der.sequence(Der.oid("1.2.840.113549.1.1.11"), Der.nothing());
    };
  }
}
