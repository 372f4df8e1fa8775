package io.probelet.health.tls;

import static io.probelet.health.tls.MadeCertificate.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Verdicts of {@link ServerVerifier}, each compared with Go 1.26 and OpenSSL. */
class ServerVerifierTest {
  @ParameterizedTest
  @MethodSource("io.probelet.health.tls.ChainCases#all")
  @DisplayName("TLS-1 a server is verified as in Go")
  void verifies(ChainCases.Case each) throws Exception {
    assertThat(verdict(each)).isEqualTo(each.verdict());
  }

  static String verdict(ChainCases.Case each) throws CertificateException {
    ServerVerifier verifier = ServerVerifier.trusting(each.roots(), new ManualClock(NOW));
    try {
      verifier.verify(each.shown().toArray(X509Certificate[]::new), each.server());
      return "";
    } catch (CertificateException refused) {
      return String.valueOf(refused.getMessage());
    }
  }
}
