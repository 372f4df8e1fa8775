package io.probelet.health.tls;

import static io.probelet.health.tls.ChainCases.NAME;
import static io.probelet.health.tls.ChainCases.SERVER;
import static io.probelet.health.tls.MadeCertificate.NOW;
import static io.probelet.health.tls.MadeCertificate.authority;
import static io.probelet.health.tls.MadeCertificate.named;
import static io.probelet.health.tls.MadeCertificate.server;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.ManualClock;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers with chains that are expensive to verify, and invalid authority files. */
class HostileChainTest {
  private static final String EXHAUSTED =
      "checking names, constraints and policies exceeds 250000 comparisons";

  private final MadeCertificate root = authority("root").selfSigned();

  private static String verdict(MadeCertificate root, List<MadeCertificate> shown)
      throws Exception {
    ServerVerifier verifier =
        ServerVerifier.trusting(List.of(root.certificate()), new ManualClock(NOW));
    try {
      verifier.verify(
          shown.stream().map(MadeCertificate::certificate).toArray(X509Certificate[]::new), SERVER);
      return "";
    } catch (CertificateException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static String[] many(int count, String before, String behind) {
    return IntStream.range(0, count).mapToObj(i -> before + i + behind).toArray(String[]::new);
  }

  @Test
  @DisplayName("TLS-2 a hundred certificates are accepted, one more is not")
  void certificates() throws Exception {
    List<MadeCertificate> shown = new ArrayList<>(List.of(server(NAME).by(root)));
    MadeCertificate other = authority("other").selfSigned();
    while (shown.size() < 100) {
      shown.add(other);
    }
    assertThat(verdict(root, shown)).isEmpty();
    shown.add(other);
    assertThat(verdict(root, shown)).isEqualTo("server sent 101 certificates, the limit is 100");
    assertThat(verdict(root, List.of())).isEqualTo("server sent 0 certificates, the limit is 100");
  }

  @Test
  @DisplayName("TLS-2 at most twenty signatures are computed")
  void signatures() throws Exception {
    List<MadeCertificate> shown = new ArrayList<>(List.of(server(NAME).by(authority("twin"))));
    for (int i = 0; i < 20; i++) {
      shown.add(authority("twin").by(root));
    }
    assertThat(verdict(root, shown)).startsWith("x509: certificate signed by unknown authority (");
    shown.add(authority("twin").by(root));
    assertThat(verdict(root, shown))
        .isEqualTo(
            "x509: signature check attempts limit reached while verifying certificate chain");
  }

  @Test
  @DisplayName("TLS-2 the product of names and constraints is limited")
  void constraints() throws Exception {
    String[] names = many(501, "dns:a", ".example");
    names[0] = NAME;
    MadeCertificate wide = authority("middle").only(many(499, "-dns:b", ".example")).by(root);
    assertThat(verdict(root, List.of(server(names).by(wide), wide))).isEmpty();
    MadeCertificate wider = authority("middle").only(many(500, "-dns:b", ".example")).by(root);
    assertThat(verdict(root, List.of(server(names).by(wider), wider))).endsWith(EXHAUSTED);
  }

  @Test
  @DisplayName("TLS-2 another path to the root does not reset the count")
  void oneBudget() throws Exception {
    String[] names = many(300, "dns:a", ".example");
    names[0] = NAME;
    String[] constraints = many(600, "-dns:b", ".example");
    constraints[599] =
        "-dns:a299.example"; // so that each path is followed to its end without success
    MadeCertificate one = authority("middle").only(constraints).by(root);
    MadeCertificate two = named("middle", one.keys()).constraints(DerWriter.yes());
    two.names("dns:a").only(constraints).by(root);
    assertThat(verdict(root, List.of(server(names).by(one), one, two)))
        .contains("is excluded by constraint");
    MadeCertificate free = named("middle", one.keys()).constraints(DerWriter.yes());
    free.names("dns:b").only(many(600, "-dns:c", ".example")).by(root);
    assertThat(verdict(root, List.of(server(names).by(one), one, free)))
        .as("the first way has used most of it")
        .contains("is excluded by constraint");
    assertThat(verdict(root, List.of(server(names).by(one), free))).isEmpty();
  }

  @Test
  @DisplayName("TLS-2 expensive keys are rejected before computing")
  void keySizes() throws Exception {
    BigInteger modulus = BigInteger.ONE.shiftLeft(8_199).setBit(0);
    PublicKey key =
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65_537)));
    MadeCertificate large =
        named("server", new KeyPair(key, root.keys().getPrivate())).names(NAME).by(root);
    assertThat(verdict(root, List.of(large)))
        .isEqualTo("certificate with an RSA key of 8200 bits, more than 8192");
  }

  @Test
  @DisplayName("TLS-2 certificate text is one line of bounded length")
  void texts() throws Exception {
    String[] long_ = many(99, "dns:\u001b[31m\r\n", "x".repeat(200) + ".example");
    assertThat(verdict(root, List.of(server(long_).by(root))))
        .hasSizeLessThan(700)
        .doesNotContainPattern("\\p{Cntrl}");
    MadeCertificate named = authority("\u202e\n" + "y".repeat(400)).expired().selfSigned();
    MadeCertificate forged = server(NAME).forged().by(named);
    assertThat(verdict(named, List.of(forged)))
        .hasSizeLessThan(800)
        .doesNotContainPattern("\\p{Cntrl}|\\p{Cf}")
        .startsWith("x509: certificate signed by unknown authority (possibly because of ");
  }

  @Test
  @DisplayName("A handshake without a server name is rejected")
  void nameless() throws Exception {
    MadeCertificate leaf = server(NAME).selfSigned();
    ServerVerifier verifier =
        ServerVerifier.trusting(leaf.pem().getBytes(US_ASCII), new ManualClock(NOW));
    X509Certificate[] shown = {leaf.certificate()};
    assertThatThrownBy(() -> verifier.checkServerTrusted(shown, "UNKNOWN"))
        .isInstanceOf(CertificateException.class)
        .satisfies(refused ->
            assertThat(ServerVerifier.refusal(new IllegalStateException(refused)))
                .hasValue("tls: failed to verify certificate: no server name to verify"));
    assertThat(ServerVerifier.refusal(new IllegalStateException("other"))).isEmpty();
    assertThatThrownBy(() -> verifier.checkClientTrusted(shown, "UNKNOWN"))
        .hasMessage("client certificates are not supported");
  }

  @Test
  @DisplayName("TLS-1 trusted certificates that Go would reject are ignored")
  void unreadableRoots() throws Exception {
    MadeCertificate bad = authority("root").serial(-1).selfSigned();
    MadeCertificate leaf = server(NAME).by(root);
    String both = bad.pem() + root.pem();
    ManualClock clock = new ManualClock(NOW);
    X509Certificate[] shown = {leaf.certificate()};
    assertThatCode(
            () -> ServerVerifier.trusting(both.getBytes(US_ASCII), clock).verify(shown, SERVER))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ServerVerifier.trusting(bad.pem().getBytes(US_ASCII), clock))
        .hasMessage("x509: negative serial number");
    for (String none : Arrays.asList("", "no certificate at all", "\n\n")) {
      assertThatThrownBy(() -> ServerVerifier.trusting(none.getBytes(US_ASCII), clock))
          .isInstanceOf(CertificateException.class);
    }
    assertThatThrownBy(() -> ServerVerifier.trustingPlatform(clock).verify(shown, SERVER))
        .hasMessage("x509: certificate signed by unknown authority");
  }
}
