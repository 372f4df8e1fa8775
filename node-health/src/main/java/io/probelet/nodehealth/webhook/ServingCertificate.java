package io.probelet.nodehealth.webhook;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that vouches for itself, and its key.
 *
 * @param certificate what the API server is told to trust
 * @param key kept by the agents
 */
public record ServingCertificate(X509Certificate certificate, PrivateKey key) {
  private static final String ECDSA_SHA256 = "1.2.840.10045.4.3.2";
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

  /** digitalSignature and keyCertSign, which leaves two bits of the byte unused. */
  private static final byte[] USAGES = {(byte) 0b1000_0100};

  private static final int SERIAL_BITS = 127;
  private static final Duration BACKDATED = Duration.ofHours(1);
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";

  /**
   * Makes one.
   *
   * @param names DNS names it is for, at least one
   * @param now from when it is valid, less an hour for clocks that differ
   * @param validity for how long
   * @return the certificate
   */
  public static ServingCertificate make(List<String> names, Instant now, Duration validity) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      byte[] algorithm = Der.sequence(Der.oid(ECDSA_SHA256));
      byte[] name =
          Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(names.getFirst()))));
      byte[] content =
          Der.sequence(
              Der.explicit(0, Der.integer(BigInteger.TWO)), // version 3
              Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0)),
              algorithm,
              name,
              Der.sequence(Der.time(now.minus(BACKDATED)), Der.time(now.plus(validity))),
              name,
              keys.getPublic().getEncoded(),
              Der.explicit(3, extensions(names)));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] whole = Der.sequence(content, algorithm, Der.bits(signature.sign(), 0));
      return new ServingCertificate(parse(whole), keys.getPrivate());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has elliptic curves", impossible);
    }
  }

  /**
   * Reads one.
   *
   * @param certificatePem the certificate
   * @param keyPem the key, PKCS #8
   * @return the certificate
   * @throws GeneralSecurityException if that is not what the texts are
   */
  public static ServingCertificate read(String certificatePem, String keyPem)
      throws GeneralSecurityException {
    try {
      PrivateKey key =
          KeyFactory.getInstance("EC")
              .generatePrivate(new PKCS8EncodedKeySpec(unarmored(keyPem, KEY)));
      return new ServingCertificate(parse(unarmored(certificatePem, CERTIFICATE)), key);
    } catch (IllegalArgumentException noBase64) {
      throw new GeneralSecurityException("no PEM", noBase64);
    }
  }

  /** {@return the certificate as text} */
  public String certificatePem() {
    try {
      return armored(certificate.getEncoded(), CERTIFICATE);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("it was made from its encoding", impossible);
    }
  }

  /** {@return the key as text} */
  public String keyPem() {
    return armored(key.getEncoded(), KEY);
  }

  /**
   * Tells whether it should be replaced: with a third of its life left, or when it is for others.
   *
   * @param names the names it has to be for
   * @param now the moment
   * @return true if a new one is due
   */
  public boolean isDue(List<String> names, Instant now) {
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    Instant due = until.minus(Duration.between(from, until).dividedBy(3));
    return !now.isBefore(due) || !coversAll(names);
  }

  private boolean coversAll(List<String> names) {
    try {
      var alternatives = certificate.getSubjectAlternativeNames();
      return alternatives != null
          && names.stream()
              .allMatch(name -> alternatives.stream().anyMatch(entry -> name.equals(entry.get(1))));
    } catch (GeneralSecurityException unreadable) {
      return false;
    }
  }

  private static byte[] extensions(List<String> names) {
    byte[] alternatives = Der.sequence(names.stream().map(Der::dnsName).toArray(byte[][]::new));
    return Der.sequence(
        Der.sequence(
            Der.oid(BASIC_CONSTRAINTS), Der.bool(true), Der.octets(Der.sequence(Der.bool(true)))),
        Der.sequence(Der.oid(KEY_USAGE), Der.bool(true), Der.octets(Der.bits(USAGES, 2))),
        Der.sequence(
            Der.oid(EXTENDED_KEY_USAGE), Der.octets(Der.sequence(Der.oid(SERVER_AUTHENTICATION)))),
        Der.sequence(Der.oid(SUBJECT_ALTERNATIVE_NAME), Der.octets(alternatives)));
  }

  private static X509Certificate parse(byte[] encoded) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static String armored(byte[] content, String label) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, lines, label);
  }

  private static byte[] unarmored(String pem, String label) {
    return Base64.getMimeDecoder()
        .decode(
            pem.replace("-----BEGIN " + label + "-----", "")
                .replace("-----END " + label + "-----", ""));
  }
}
