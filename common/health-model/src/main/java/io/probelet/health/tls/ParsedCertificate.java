package io.probelet.health.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;

/**
 * A certificate parsed by Go's rules. The JDK's class hides the bytes needed to compare names and
 * keys, and accepts some certificates that Go rejects.
 *
 * @param source the JDK's certificate
 * @param version 1 to 3
 * @param issuer the issuer's bytes
 * @param subject the subject's bytes
 * @param name the displayed parts of the subject
 * @param key the bytes of the public key with its algorithm
 * @param algorithm the bytes of the algorithm by which it is signed, with its parameters
 * @param extensions what it is for
 */
record ParsedCertificate(
    X509Certificate source,
    int version,
    String issuer,
    String subject,
    DistinguishedName name,
    String key,
    String algorithm,
    CertificateExtensions extensions) {
  private static final int VERSION = 0xa0;
  private static final int ISSUER_ID = 0x81;
  private static final int SUBJECT_ID = 0x82;
  private static final int EXTENSIONS = 0xa3;
  private static final int MAX_VERSION = 3;

  /**
   * Reads it.
   *
   * @throws CertificateException if Go would reject it
   */
  static ParsedCertificate of(X509Certificate source) throws CertificateException {
    DerReader whole = DerReader.of(source.getEncoded()).read(DerReader.SEQUENCE);
    DerReader signed = whole.read(DerReader.SEQUENCE);
    byte[] algorithm = whole.element(DerReader.SEQUENCE);
    whole.read(DerReader.BIT_STRING).bits();
    int version = 1;
    if (signed.peek() == VERSION) {
      version += signed.read(VERSION).read(DerReader.INTEGER).count();
    }
    if (version < 1 || version > MAX_VERSION) {
      throw new CertificateParsingException("x509: invalid version");
    }
    if (signed.read(DerReader.INTEGER).integer().signum() < 0) {
      throw new CertificateParsingException("x509: negative serial number");
    }
    if (!Arrays.equals(signed.element(DerReader.SEQUENCE), algorithm)) {
      throw new CertificateParsingException(
          "x509: inner and outer signature algorithm identifiers don't match");
    }
    byte[] issuer = signed.element(DerReader.SEQUENCE);
    DistinguishedName.of(issuer);
    signed.read(DerReader.SEQUENCE); // its validity, which the JDK has read
    byte[] subject = signed.element(DerReader.SEQUENCE);
    byte[] key = signed.element(DerReader.SEQUENCE);
    CertificateKeys.checkPoint(source.getPublicKey());
    return new ParsedCertificate(
        source,
        version,
        new String(issuer, ISO_8859_1),
        new String(subject, ISO_8859_1),
        DistinguishedName.of(subject),
        new String(key, ISO_8859_1),
        new String(algorithm, ISO_8859_1),
        extensions(signed, version));
  }

  private static CertificateExtensions extensions(DerReader signed, int version)
      throws CertificateException {
    CertificateExtensions extensions = new CertificateExtensions();
    if (version == MAX_VERSION) {
      signed.skip(ISSUER_ID);
      signed.skip(SUBJECT_ID);
      if (signed.peek() == EXTENSIONS) {
        extensions.readAll(signed.read(EXTENSIONS).read(DerReader.SEQUENCE));
      }
    }
    return extensions;
  }

  boolean isSelfIssued() {
    return issuer.equals(subject);
  }

  /** {@return its common name, else its organization, else its serial number, for messages} */
  String shownName() {
    if (!name.commonName().isEmpty()) {
      return name.commonName();
    }
    return name.organization().isEmpty()
        ? "serial:" + source.getSerialNumber()
        : name.organization();
  }
}
