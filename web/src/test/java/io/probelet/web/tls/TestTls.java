package io.probelet.web.tls;

import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.kube.certificate.ServingCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost, and who trusts it. */
public final class TestTls {
  private final CertificateAuthority authority;
  private final ServingCertificate certificate;

  private TestTls(CertificateAuthority authority, ServingCertificate certificate) {
    this.authority = authority;
    this.certificate = certificate;
  }

  public static TestTls make() {
    Instant now = Instant.now();
    CertificateAuthority authority =
        CertificateAuthority.make("localhost", now, Duration.ofDays(1));
    return new TestTls(authority, authority.issue(List.of("localhost"), now, Duration.ofDays(1)));
  }

  public ServingCertificate certificate() {
    return certificate;
  }

  /** Puts it into a folder, as tls.crt and tls.key. */
  public void writeTo(Path folder) throws IOException {
    try {
      Files.writeString(
          folder.resolve("tls.crt"),
          pem("CERTIFICATE", certificate.chain().getFirst().getEncoded()));
    } catch (java.security.cert.CertificateEncodingException impossible) {
      throw new IOException(impossible);
    }
    Files.writeString(
        folder.resolve("tls.key"), pem("PRIVATE KEY", certificate.key().getEncoded()));
  }

  /** Writes what trusts it. */
  public void writeAuthorityTo(Path file) throws IOException {
    Files.writeString(file, authority.certificatePem());
  }

  /** What a server shows it with. */
  public SSLContext serving() throws Exception {
    char[] password = {};
    KeyStore shown = KeyStore.getInstance("PKCS12");
    shown.load(null, null);
    shown.setKeyEntry(
        "server", certificate.key(), password, certificate.chain().toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(shown, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static String pem(String label, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            label,
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content),
            label);
  }

  /** Trusts the authority alone. */
  public SSLContext trusting() throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("authority", authority.certificate());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
