package io.probelet.kube.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A certificate before it is signed. */
final class CertificateDraft {
  private static final String COMMON_NAME = "2.5.4.3";
  private static final int SERIAL_BITS = 127;
  private static final Duration BACKDATED = Duration.ofHours(1);

  private final byte[] subject;
  private final PublicKey key;
  private final Instant from;
  private final Instant until;
  private final List<byte[]> extensions;

  /**
   * Creates a draft.
   *
   * @param subject the subject: an encoded Name
   * @param from the start of validity, minus an hour for clock differences
   * @param until the end of validity
   * @param extensions the encoded extensions
   */
  CertificateDraft(
      byte[] subject, PublicKey key, Instant from, Instant until, List<byte[]> extensions) {
    this.subject = subject;
    this.key = key;
    this.from = from;
    this.until = until;
    this.extensions = extensions;
  }

  static byte[] name(String common) {
    return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(common))));
  }

  static byte[] extension(String oid, boolean critical, byte[] content) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(content))
        : Der.sequence(Der.oid(oid), Der.octets(content));
  }

  static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has elliptic curves", impossible);
    }
  }

  /** Signs the certificate for an issuer with an encoded name. */
  X509Certificate signed(byte[] issuer, PrivateKey by) {
    try {
      SignatureAlgorithm algorithm = SignatureAlgorithm.of(by);
      byte[] content =
          Der.sequence(
              Der.explicit(0, Der.integer(BigInteger.TWO)), // version 3
              Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0)),
              algorithm.encoded(),
              issuer,
              Der.sequence(Der.time(from.minus(BACKDATED)), Der.time(until)),
              subject,
              key.getEncoded(),
              Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
      Signature signature = Signature.getInstance(algorithm.java());
      signature.initSign(by);
      signature.update(content);
      byte[] whole = Der.sequence(content, algorithm.encoded(), Der.bits(signature.sign(), 0));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("unreachable: the key has signed before", impossible);
    }
  }
}
