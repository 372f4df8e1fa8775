package io.probelet.kube.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes certificates and keys as PEM, in the formats of common tools. */
final class Pem {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PKCS_8 = "PRIVATE KEY";
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");
  private static final int LINE = 64;

  private Pem() {}

  static String of(X509Certificate certificate) {
    try {
      return armored(certificate.getEncoded(), CERTIFICATE);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(
          "unreachable: the certificate was decoded from this encoding", impossible);
    }
  }

  static String of(PrivateKey key) {
    return armored(key.getEncoded(), PKCS_8);
  }

  /**
   * Reads certificates, at least one.
   *
   * @throws GeneralSecurityException if the text contains none
   */
  static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
    List<X509Certificate> chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (chain.isEmpty()) {
      throw new CertificateException("no certificate found");
    }
    return chain;
  }

  /**
   * Reads the key of a certificate: PKCS #8, or the formats of OpenSSL and Go for RSA and elliptic
   * curves.
   *
   * @param owner the public key it belongs to
   * @throws GeneralSecurityException if it is not such a key, or does not match the certificate
   */
  static PrivateKey key(String pem, PublicKey owner) throws GeneralSecurityException {
    Matcher found = KEY.matcher(pem);
    if (!found.find()) {
      throw new InvalidKeyException("no unencrypted private key found");
    }
    byte[] content;
    try {
      content = Base64.getMimeDecoder().decode(found.group(2));
    } catch (IllegalArgumentException cut) {
      throw new InvalidKeyException("the private key is not valid base64", cut);
    }
    if (!found.group(1).equals(PKCS_8)) {
      // The algorithm and curve that the key's format lacks are taken from the certificate.
      byte[] algorithm = Der.first(owner.getEncoded());
      content = Der.sequence(Der.integer(BigInteger.ZERO), algorithm, Der.octets(content));
    }
    PrivateKey key =
        KeyFactory.getInstance(owner.getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(content));
    if (!belong(key, owner)) {
      throw new InvalidKeyException("the private key does not match the certificate");
    }
    return key;
  }

  private static boolean belong(PrivateKey key, PublicKey owner) throws GeneralSecurityException {
    byte[] anything = {1};
    Signature signature = Signature.getInstance(SignatureAlgorithm.of(owner).java());
    signature.initSign(key);
    signature.update(anything);
    byte[] signed = signature.sign();
    signature.initVerify(owner);
    signature.update(anything);
    return signature.verify(signed);
  }

  private static String armored(byte[] content, String label) {
    String lines =
        Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, lines, label);
  }
}
