package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Certificates;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.KeyAgreement;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpareKeyShareTest {
  /** With a loop of its own, as each loop has its own share. */
  @RegisterExtension static final Probing PROBING = new Probing();

  private static @TempDir Path directory;

  @BeforeAll
  static void register() {
    SpareKeyShare.register();
  }

  /** {@return the key of the next handshake of a probe on this thread} */
  private static KeyPair offered(String curve) {
    AtomicReference<KeyPair> pair = new AtomicReference<>();
    SpareKeyShare.offering(() -> pair.set(generated(curve)));
    return pair.get();
  }

  private static KeyPair generated(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      KeyPairGenerator named = KeyPairGenerator.getInstance("EC", "SunEC");
      named.initialize(new ECGenParameterSpec(curve));
      generator.initialize(((ECPublicKey) named.generateKeyPair().getPublic()).getParams());
      return generator.generateKeyPair();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** {@return the secret that both ends compute, which has to be the same} */
  private static byte[] agree(KeyPair ours, KeyPair theirs) throws Exception {
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
    agreement.init(ours.getPrivate());
    agreement.doPhase(theirs.getPublic(), true);
    return agreement.generateSecret();
  }

  @Test
  @DisplayName("offers a key again until a server takes it")
  void untilTaken() throws Exception {
    KeyPair first = offered("secp256r1");
    assertThat(offered("secp256r1").getPublic()).isEqualTo(first.getPublic());

    KeyPair theirs = generated("secp256r1");
    assertThat(agree(first, theirs)).isEqualTo(agree(theirs, first));

    assertThat(offered("secp256r1").getPublic()).isNotEqualTo(first.getPublic());
  }

  @Test
  @DisplayName("a key that was read counts as taken")
  void read() {
    KeyPair first = offered("secp256r1");
    assertThat(first.getPrivate().getEncoded()).isNotEmpty();
    assertThat(offered("secp256r1").getPublic()).isNotEqualTo(first.getPublic());
  }

  @Test
  @DisplayName("a key of another curve is a new one")
  void otherCurve() {
    KeyPair first = offered("secp256r1");
    assertThat(offered("secp384r1").getPublic().getEncoded())
        .hasSizeGreaterThan(first.getPublic().getEncoded().length);
  }

  @Test
  @DisplayName("elsewhere in the process the JDK generates keys, a new one each time")
  void elsewhere() throws Exception {
    KeyPair spare = offered("secp256r1");
    KeyPair other = generated("secp256r1");

    assertThat(other.getPublic()).isNotEqualTo(spare.getPublic());
    assertThat(generated("secp256r1").getPublic()).isNotEqualTo(other.getPublic());
    assertThat(KeyPairGenerator.getInstance("EC").getProvider().getName()).isEqualTo("SunEC");
  }

  @ParameterizedTest
  @CsvSource({"x25519,true", "secp256r1,false"})
  @DisplayName("handshakes offer a share again that no server took, and no other")
  void handshakes(String group, boolean again) throws Exception {
    ScriptedServer.Script script =
        connection -> {
          SSLSocket server = (SSLSocket) connection.socket();
          SSLParameters parameters = server.getSSLParameters();
          parameters.setNamedGroups(new String[] {group});
          server.setSSLParameters(parameters);
          server.startHandshake();
          connection.hang();
        };
    Certificates certificates = new Certificates(Files.createDirectory(directory.resolve(group)));
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("ca"), script)) {
      PublicKey before = offeredOnLoop();
      assertThat(dial(server.port())).isEqualTo(new Success(""));
      assertThat(dial(server.port())).isEqualTo(new Success(""));
      assertThat(offeredOnLoop().equals(before)).isEqualTo(again);
    }
  }

  private static PublicKey offeredOnLoop() throws Exception {
    return PROBING
        .dialer()
        .loop()
        .eventLoop()
        .submit(() -> offered("secp256r1").getPublic())
        .get(1, TimeUnit.MINUTES);
  }

  private static Verdict dial(int port) {
    return PROBING
        .outcome(done -> {
          Attempt attempt =
              Attempt.begin(
                  PROBING.dialer().loop(), Probing.TIMEOUT, _ -> new Failure("time is up"), done);
          PROBING
              .dialer()
              .dial(
                  attempt,
                  new Endpoint("127.0.0.1", port),
                  new Tls(TlsOptions.INSECURE, List.of()),
                  new ProbeConnection.Listener() {
                    @Override
                    public void connected(ProbeConnection connection) {
                      attempt.end(new Success(""));
                    }

                    @Override
                    public void failed(NetFailure failure) {
                      attempt.end(failure.verdict(""));
                    }
                  });
        })
        .verdict();
  }
}
