package io.probelet.kube.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.ManualClock;
import io.probelet.kube.certificate.CertificateFolder.Found;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class CertificateFolderTest {
  private static final String NAME = "hook.probelet.svc";
  private static final Duration YEAR = Duration.ofDays(365);

  private final Instant start = Instant.parse("2026-11-22T00:00:00Z");
  private final ManualClock clock = new ManualClock(start);
  @TempDir Path directory;
  private CertificateFolder folder;

  @BeforeEach
  void open() {
    folder = new CertificateFolder(directory, List.of(NAME), clock);
  }

  private void write(CertificateAuthority authority) throws IOException {
    Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
    Files.writeString(directory.resolve("ca.key"), authority.keyPem());
  }

  private void write(ServingCertificate certificate) throws IOException {
    Files.writeString(directory.resolve("tls.crt"), Pem.of(certificate.chain().getFirst()));
    Files.writeString(directory.resolve("tls.key"), Pem.of(certificate.key()));
  }

  private ServingCertificate served() {
    return assertServed().certificate();
  }

  private Found.Certificate assertServed() {
    Found found = folder.read();
    assertThat(found).isInstanceOf(Found.Certificate.class);
    return (Found.Certificate) found;
  }

  private String why() {
    Found found = folder.read();
    assertThat(found).isInstanceOf(Found.Nothing.class);
    return ((Found.Nothing) found).why();
  }

  @Test
  @DisplayName("without files there is no certificate, and the expected files are named")
  void nothing() {
    assertThat(why()).contains("ca.crt and ca.key", "tls.crt", "webhook-setup");
  }

  @Test
  @DisplayName("from an authority: for the Service's name, for a day, renewed with a third left")
  void issued() throws Exception {
    CertificateAuthority authority = CertificateAuthority.make(NAME, start, YEAR);
    write(authority);
    ServingCertificate first = served();
    X509Certificate leaf = first.chain().getFirst();
    leaf.verify(authority.certificate().getPublicKey());
    assertThat(leaf.getSubjectAlternativeNames().toString()).contains(NAME);
    assertThat(leaf.getBasicConstraints()).as("no authority itself").isEqualTo(-1);
    assertThat(first.until()).isEqualTo(start.plus(Duration.ofDays(1)));

    clock.advance(Duration.ofHours(15));
    assertThat(served()).isSameAs(first);
    clock.advance(Duration.ofHours(1));
    assertThat(served()).isNotEqualTo(first);
    assertThat(served().until()).isEqualTo(start.plus(Duration.ofHours(40)));
  }

  @Test
  @DisplayName("a new authority is used immediately; an expired one is not")
  void changed() throws Exception {
    write(CertificateAuthority.make(NAME, start, YEAR));
    ServingCertificate first = served();
    CertificateAuthority next = CertificateAuthority.make(NAME, start, Duration.ofHours(2));
    write(next);
    ServingCertificate second = served();
    assertThat(second).isNotEqualTo(first);
    second.chain().getFirst().verify(next.certificate().getPublicKey());
    assertThat(second.until()).isEqualTo(start.plus(Duration.ofHours(2)));
    clock.advance(Duration.ofHours(3));
    assertThat(why()).contains("ca.crt has expired");
  }

  @Test
  @DisplayName("tls.crt and tls.key are used unchanged, and reloaded")
  void given() throws Exception {
    CertificateAuthority authority = CertificateAuthority.make(NAME, start, YEAR);
    ServingCertificate certificate = authority.issue(List.of(NAME), start, Duration.ofDays(90));
    write(certificate);
    Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
    assertThat(served()).isEqualTo(certificate);
    assertThat(assertServed().concern()).isEmpty();

    clock.advance(Duration.ofDays(61));
    assertThat(assertServed().concern()).contains("expires at 2027-02-20T00:00:00Z");
    ServingCertificate renewed =
        authority.issue(List.of("*.probelet.svc"), clock.wallTime(), Duration.ofDays(90));
    write(renewed);
    assertThat(assertServed()).isEqualTo(new Found.Certificate(renewed, ""));
    write(authority.issue(List.of("other.svc"), clock.wallTime(), YEAR));
    assertThat(assertServed().concern()).contains("is not valid for " + NAME);
  }

  @Test
  @DisplayName("an authority takes precedence over a certificate")
  void both() throws Exception {
    CertificateAuthority authority = CertificateAuthority.make(NAME, start, YEAR);
    write(authority.issue(List.of(NAME), start, YEAR));
    write(authority);
    assertThat(served().until()).isEqualTo(start.plus(Duration.ofDays(1)));
  }

  @Test
  @DisplayName("unusable files are named: wrong key, no authority, no PEM, truncated PEM")
  void unusable() throws Exception {
    CertificateAuthority one = CertificateAuthority.make(NAME, start, YEAR);
    CertificateAuthority two = CertificateAuthority.make(NAME, start, YEAR);
    write(new CertificateAuthority(one.certificate(), two.key()));
    assertThat(why()).contains("ca.crt and ca.key", "does not match the certificate");
    ServingCertificate leaf = one.issue(List.of(NAME), start, YEAR);
    write(new CertificateAuthority(leaf.chain().getFirst(), leaf.key()));
    assertThat(why()).contains("not a CA certificate");
    Files.writeString(directory.resolve("ca.key"), "hello");
    write(new CertificateAuthority(one.certificate(), one.key()));
    Files.writeString(directory.resolve("ca.crt"), "hello");
    assertThat(why()).contains("ca.crt and ca.key cannot be used");
    Files.write(directory.resolve("ca.crt"), new byte[70_000]);
    assertThat(why()).contains("ca.crt is larger than 65536 bytes");
    Files.delete(directory.resolve("ca.crt"));
    Files.createSymbolicLink(directory.resolve("ca.crt"), Path.of("/dev/zero"));
    assertThat(why()).contains("ca.crt is not a regular file");
  }

  @ParameterizedTest
  @CsvSource({
    "ec, ecparam -name prime256v1 -genkey -noout, EC PRIVATE KEY",
    "ec with parameters, ecparam -name secp384r1 -genkey, EC PRIVATE KEY",
    "rsa, genrsa -traditional, RSA PRIVATE KEY",
    "pkcs8, genrsa, BEGIN PRIVATE KEY"
  })
  @DisplayName("keys of OpenSSL, Helm and cert-manager are read, and sign")
  void forms(String name, String command, String form) throws Exception {
    Path key = directory.resolve("ca.key");
    openssl(command + " -out " + key);
    assertThat(key).as(name).content().contains(form);
    openssl(
        "req -x509 -new -key "
            + key
            + " -days 365 -subj /CN=ca -addext keyUsage=keyCertSign -out "
            + directory.resolve("ca.crt"));
    ManualClock now = new ManualClock(Instant.now());
    Found found = new CertificateFolder(directory, List.of(NAME), now).read();
    assertThat(found).isInstanceOf(Found.Certificate.class);
    Path leaf = directory.resolve("leaf.pem");
    Files.writeString(leaf, Pem.of(((Found.Certificate) found).certificate().chain().getFirst()));
    openssl(
        "verify -partial_chain -purpose sslserver -CAfile "
            + directory.resolve("ca.crt")
            + " -verify_hostname "
            + NAME
            + " "
            + leaf);
  }

  @Test
  @DisplayName("our authority is constrained to the Service's name")
  void constrained() throws Exception {
    CertificateAuthority authority =
        CertificateAuthority.make(NAME, Instant.now(), Duration.ofDays(1));
    write(authority);
    Path leaf = directory.resolve("leaf.pem");
    String verify = "verify -purpose sslserver -CAfile " + directory.resolve("ca.crt") + " " + leaf;
    Files.writeString(leaf, leaf(authority, NAME));
    openssl(verify);
    Files.writeString(leaf, leaf(authority, "kubernetes.default.svc"));
    assertThatThrownBy(() -> openssl(verify)).hasMessageContaining("permitted subtree violation");
  }

  private static String leaf(CertificateAuthority authority, String name) {
    ServingCertificate issued = authority.issue(List.of(name), Instant.now(), Duration.ofHours(1));
    return Pem.of(issued.chain().getFirst());
  }

  @Test
  void noKeyInIt() {
    CertificateAuthority authority = CertificateAuthority.make(NAME, start, YEAR);
    assertThatThrownBy(() -> CertificateAuthority.read(authority.certificatePem(), "-----BEGIN"))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("no unencrypted private key");
  }

  private static void openssl(String arguments) throws Exception {
    Process process =
        new ProcessBuilder(("openssl " + arguments).split(" ", -1))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new AssertionError(arguments + ": " + said);
    }
  }
}
