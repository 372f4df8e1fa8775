package io.probelet.kube.certificate;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The certificate authority that the API server trusts for the webhook. An authority created here
 * is constrained to the webhook's own name: with a stolen key one can impersonate the webhook, and
 * nothing else.
 */
public record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
  private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String NAME_CONSTRAINTS = "2.5.29.30";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

  /** keyCertSign and cRLSign; one bit of the byte is unused. */
  private static final byte[] SIGNING = {(byte) 0b0000_0110};

  private static final int SIGNING_UNUSED = 1;

  /** digitalSignature; seven bits of the byte are unused. */
  private static final byte[] SERVING = {(byte) 0b1000_0000};

  private static final int SERVING_UNUSED = 7;

  /** Address and mask, all zero: every address. */
  private static final int IPV4 = 2 * 4;

  private static final int IPV6 = 2 * 16;

  /**
   * Creates an authority.
   *
   * @param dnsName the only name, with its subdomains, for which it can issue certificates
   */
  public static CertificateAuthority make(String dnsName, Instant now, Duration validity) {
    KeyPair keys = CertificateDraft.newKeys();
    byte[] name = CertificateDraft.name("Probelet webhook CA");
    byte[] constraints =
        Der.sequence(
            Der.explicit(0, Der.sequence(Der.dnsName(dnsName))),
            Der.explicit(
                1,
                Der.concatenated(
                    Der.sequence(Der.ipAddress(new byte[IPV4])),
                    Der.sequence(Der.ipAddress(new byte[IPV6])))));
    CertificateDraft draft =
        new CertificateDraft(
            name,
            keys.getPublic(),
            now,
            now.plus(validity),
            List.of(
                // No authorities below this one.
                CertificateDraft.extension(
                    BASIC_CONSTRAINTS,
                    true,
                    Der.sequence(Der.bool(true), Der.integer(BigInteger.ZERO))),
                CertificateDraft.extension(KEY_USAGE, true, Der.bits(SIGNING, SIGNING_UNUSED)),
                CertificateDraft.extension(NAME_CONSTRAINTS, true, constraints)));
    return new CertificateAuthority(draft.signed(name, keys.getPrivate()), keys.getPrivate());
  }

  /**
   * Reads an authority created by any tool.
   *
   * @param certificatePem the certificate; others may follow
   * @throws GeneralSecurityException if the texts are not a certificate and its key; the message is
   *     for the user
   */
  public static CertificateAuthority read(String certificatePem, String keyPem)
      throws GeneralSecurityException {
    X509Certificate certificate = Pem.certificates(certificatePem).getFirst();
    if (certificate.getBasicConstraints() < 0) {
      throw new CertificateException("the certificate is not a CA certificate (CA:TRUE)");
    }
    return new CertificateAuthority(certificate, Pem.key(keyPem, certificate.getPublicKey()));
  }

  /**
   * Issues a certificate for a server.
   *
   * @param names the DNS names, at least one
   * @param validity the validity, limited by that of the authority
   */
  public ServingCertificate issue(List<String> names, Instant now, Duration validity) {
    KeyPair keys = CertificateDraft.newKeys();
    Instant end = certificate.getNotAfter().toInstant();
    Instant until = now.plus(validity);
    byte[] alternatives = Der.sequence(names.stream().map(Der::dnsName).toArray(byte[][]::new));
    CertificateDraft draft =
        new CertificateDraft(
            CertificateDraft.name("Probelet webhook"),
            keys.getPublic(),
            now,
            until.isBefore(end) ? until : end,
            List.of(
                CertificateDraft.extension(BASIC_CONSTRAINTS, true, Der.sequence()),
                CertificateDraft.extension(KEY_USAGE, true, Der.bits(SERVING, SERVING_UNUSED)),
                CertificateDraft.extension(
                    EXTENDED_KEY_USAGE, false, Der.sequence(Der.oid(SERVER_AUTHENTICATION))),
                CertificateDraft.extension(SUBJECT_ALTERNATIVE_NAME, false, alternatives)));
    byte[] issuer = certificate.getSubjectX500Principal().getEncoded();
    return new ServingCertificate(List.of(draft.signed(issuer, key)), keys.getPrivate());
  }

  /** {@return the certificate as text} */
  public String certificatePem() {
    return Pem.of(certificate);
  }

  /** {@return the key as text} */
  public String keyPem() {
    return Pem.of(key);
  }
}
