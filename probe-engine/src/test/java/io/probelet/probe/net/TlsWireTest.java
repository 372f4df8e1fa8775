package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.probelet.health.Certificates;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS servers as Go's crypto/tls takes them, which the JDK does not by itself (H-7). */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class TlsWireTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static @TempDir Path directory;
  private static Certificates certificates;

  @BeforeAll
  static void make() {
    certificates = new Certificates(directory);
  }

  private static SSLContext showing(UnaryOperator<X509Certificate[]> chain) {
    return certificates.showing("ca", chain);
  }

  private static Verdict dial(SSLContext server, boolean verify, String... suites)
      throws Exception {
    return dial(
        server,
        verify,
        socket -> {
          if (suites.length > 0) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(suites);
          }
        });
  }

  private static Verdict dial(SSLContext server, boolean verify, Consumer<SSLSocket> prepare)
      throws Exception {
    ScriptedServer.Script script =
        connection -> {
          SSLSocket socket = (SSLSocket) connection.socket();
          prepare.accept(socket);
          socket.startHandshake();
          connection.hang();
        };
    try (ScriptedServer listening = ScriptedServer.startTls(server, script)) {
      TlsOptions options = new TlsOptions(verify, null, null, null, null);
      return PROBING
          .outcome(done -> {
            Attempt attempt =
                Attempt.begin(
                    PROBING.dialer().loop(), Probing.TIMEOUT, _ -> new Failure("time is up"), done);
            PROBING
                .dialer()
                .dial(
                    attempt,
                    new Endpoint("127.0.0.1", listening.port()),
                    new Tls(options, List.of()),
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
      })
  @DisplayName("H-7 of TLS 1.2 each cipher suite will do that Go offers")
  void suites(String suite) throws Exception {
    assertThat(dial(certificates.server("ca"), false, suite)).isEqualTo(new Success(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"
      })
  @DisplayName("H-7 what Go does not offer, no probe does")
  void otherSuites(String suite) throws Exception {
    assertThat(dial(certificates.server("ca"), false, suite))
        .isEqualTo(new Failure("remote error: tls: handshake failure"));
  }

  @Test
  @DisplayName("H-7 a server's key may be of kinds that Go takes and browsers do not")
  void rareKeys() throws Exception {
    Certificates rare =
        new Certificates(Files.createDirectory(directory.resolve("rare")))
            .add("p521", "-groupname", "secp521r1")
            .add("ed25519", "-keyalg", "EdDSA", "-groupname", "ed25519");
    for (String key : List.of("p521", "ed25519")) {
      for (String version : List.of("TLSv1.2", "TLSv1.3")) {
        Verdict verdict =
            dial(
                rare.server(key),
                false,
                server -> server.setEnabledProtocols(new String[] {version}));
        assertThat(verdict).as("%s, %s", key, version).isEqualTo(new Success(""));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,false", "false,false"})
  @DisplayName("H-7 a certificate may lack its issuer, its subject or both")
  void nameless(boolean issuer, boolean subject) throws Exception {
    SSLContext server = showing(chain -> new X509Certificate[] {shown(chain[0], issuer, subject)});
    assertThat(dial(server, false)).isEqualTo(new Success(""));
    assertThat(dial(server, false, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
        .isEqualTo(new Success(""));
    assertThat(dial(server, true)).as("verified").isInstanceOf(Failure.class);
  }

  @ParameterizedTest
  @CsvSource({
    "x25519,true",
    "secp256r1,true",
    "secp384r1,true",
    "secp521r1,true",
    "x448,false",
    "ffdhe2048,false",
    "ffdhe8192,false"
  })
  @DisplayName("H-7 of groups those will do that Go offers, so that no server asks for the dearest")
  void groups(String group, boolean offered) throws Exception {
    Verdict verdict =
        dial(
            certificates.server("ca"),
            false,
            server -> {
              SSLParameters parameters = server.getSSLParameters();
              parameters.setNamedGroups(new String[] {group});
              server.setSSLParameters(parameters);
            });
    assertThat(verdict)
        .isEqualTo(
            offered ? new Success("") : new Failure("remote error: tls: unexpected message"));
  }

  @ParameterizedTest
  @CsvSource({
    "8192,31,true,",
    "8193,17,false,certificate with an RSA key of 8193 bits",
    "16384,64,false,certificate with an RSA key of 16384 bits",
    "2048,32,false,certificate with an RSA key with an exponent of 32 bits",
    "3072,3071,false,certificate with an RSA key with an exponent of 3071 bits"
  })
  @DisplayName("H-7 a key is refused that takes longer to compute with than Go would")
  void dearKeys(int modulus, int exponent, boolean taken, String why) throws Exception {
    PublicKey key =
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(odd(modulus), odd(exponent)));
    SSLContext server =
        showing(chain -> {
          try {
            return new X509Certificate[] {chain[0], new ShownCertificate(chain[0], key)};
          } catch (Exception failed) {
            throw new AssertionError(failed);
          }
        });
    Verdict verdict = dial(server, false);
    if (taken) {
      assertThat(verdict).isEqualTo(new Success(""));
    } else {
      assertThat(verdict.text())
          .startsWith("tls: failed to verify certificate: " + why + ", more than ");
    }
  }

  private static BigInteger odd(int bits) {
    return BigInteger.ONE.shiftLeft(bits - 1).setBit(0);
  }

  @Test
  @DisplayName("TLS-2 at most a hundred certificates are verified")
  void manyToVerify() throws Exception {
    String refused = "tls: failed to verify certificate: ";
    assertThat(dial(showing(chain -> repeated(chain[0], 100)), true))
        .isEqualTo(
            new Failure(
                refused
                    + "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain"
                    + " any IP SANs"));
    assertThat(dial(showing(chain -> repeated(chain[0], 101)), true))
        .isEqualTo(new Failure(refused + "server sent 101 certificates, the limit is 100"));
  }

  private static X509Certificate shown(X509Certificate real, boolean issuer, boolean subject) {
    try {
      return new ShownCertificate(real, issuer, subject);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  @DisplayName("missing names are filled in only for handshakes that trust any certificate")
  void elsewhere() throws Exception {
    byte[] nameless = shown(certificates.chain("ca")[0], false, false).getEncoded();
    NamelessCertificates.register();
    NamelessCertificates.register();
    assertThatThrownBy(() -> read(nameless)).isInstanceOf(CertificateException.class);
    NamelessCertificates.accepting(() -> {
      try {
        assertThat(read(nameless).getPublicKey())
            .isEqualTo(certificates.chain("ca")[0].getPublicKey());
      } catch (CertificateException refused) {
        throw new AssertionError(refused);
      }
      Random random = new Random(4);
      for (int i = 0; i < 2_000; i++) {
        byte[] changed = Arrays.copyOf(nameless, 1 + random.nextInt(nameless.length));
        changed[random.nextInt(Math.min(60, changed.length))] = (byte) random.nextInt(256);
        try {
          assertThat(read(changed)).isNotNull();
        } catch (CertificateException refused) {
          assertThat(refused).isNotNull(); // and nothing else is thrown
        }
      }
    });
  }

  private static X509Certificate read(byte[] der) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static X509Certificate[] repeated(X509Certificate certificate, int count) {
    X509Certificate[] chain = new X509Certificate[count];
    Arrays.fill(chain, certificate);
    return chain;
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", ""})
  @DisplayName("H-7 certificates are limited to 256 KiB")
  void manyCertificates(String suite) throws Exception {
    String[] suites = suite.isEmpty() ? new String[0] : new String[] {suite};
    int each = certificates.chain("ca")[0].getEncoded().length + 5;
    for (int count : new int[] {11, 250 * 1024 / each}) {
      assertThat(dial(showing(chain -> repeated(chain[0], count)), false, suites))
          .as(count + " certificates")
          .isEqualTo(new Success(""));
    }
    assertThat(dial(showing(chain -> repeated(chain[0], 260 * 1024 / each)), false, suites))
        .isInstanceOf(Failure.class);
  }

  @Test
  @DisplayName("the JDK's bounds are Go's, in the programs' flags as well")
  void bounds() throws Exception {
    GoTlsDefaults.raiseBounds();
    String flags = Files.readString(Path.of("..", "cli", "src", "main", "dist", "jvm.options"));
    for (String property :
        List.of(
            "jdk.tls.maxHandshakeMessageSize", "jdk.tls.client.maxInboundCertificateChainLength")) {
      assertThat(flags).contains("-D" + property + "=" + System.getProperty(property) + "\n");
    }
  }

  @Test
  @DisplayName("as a client of servers in Go a program asks for the suite that costs it least")
  void suitesOfClients() throws Exception {
    String name = "-Djdk.tls.client.cipherSuites=";
    String flag =
        Files.readAllLines(Path.of("..", "cli", "src", "main", "dist", "jvm.options")).stream()
            .filter(line -> line.startsWith(name))
            .findFirst()
            .orElseThrow();
    assertThat(flag.substring(name.length()).split(","))
        .startsWith("TLS_CHACHA20_POLY1305_SHA256")
        .containsExactlyInAnyOrderElementsOf(GoTlsDefaults.CIPHERS)
        .isSubsetOf(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
  }

  private final List<NetFailure> failures = new ArrayList<>();

  private static ByteBuf record(int length) {
    return record(22, length);
  }

  private static ByteBuf data(int length) {
    return record(23, length);
  }

  private static ByteBuf record(int type, int length) {
    return Unpooled.buffer().writeByte(type).writeShort(0x303).writeShort(length).writeZero(length);
  }

  @Test
  @DisplayName("H-7 long handshakes are limited to a few connections; others are discarded")
  void longHandshakes() {
    LongHandshakes permits = new LongHandshakes(1, 4);
    EmbeddedChannel one = new EmbeddedChannel(new HandshakeLimiter(failures::add, permits));
    EmbeddedChannel other = new EmbeddedChannel(new HandshakeLimiter(failures::add, permits));
    one.writeInbound(record(HandshakeLimiter.FREE_BYTES));
    other.writeInbound(record(HandshakeLimiter.FREE_BYTES - 5));
    assertThat(failures).isEmpty();

    other.writeInbound(record(1));
    assertThat(failures)
        .containsExactly(
            new NetFailure(
                Reason.NODE_BUDGET,
                "tls: more than 16 handshakes of more than 32768 bytes at once"));
    assertThat(one.finishAndReleaseAll()).isTrue();
    assertThat(other.finishAndReleaseAll()).isTrue();
    assertThat(permits.underWay()).isZero();
  }

  @Test
  @DisplayName("H-7 one address has a quarter of the long handshakes, and others still have theirs")
  void longHandshakesOfOneAddress() {
    LongHandshakes permits = new LongHandshakes(16, 4);
    List<EmbeddedChannel> hostile = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      hostile.add(peer("10.0.0.1", i + 1, permits));
    }
    hostile.forEach(each -> each.writeInbound(record(HandshakeLimiter.FREE_BYTES)));
    assertThat(permits.underWay()).isEqualTo(4);
    assertThat(failures)
        .hasSize(12)
        .containsOnly(
            new NetFailure(
                Reason.POD_BUDGET,
                "tls: more than 4 handshakes of more than 32768 bytes at once with one address"));
    failures.clear();
    EmbeddedChannel honest = peer("10.0.0.2", 1, permits);
    honest.writeInbound(record(HandshakeLimiter.FREE_BYTES));
    assertThat(failures).isEmpty();
    hostile.forEach(EmbeddedChannel::finishAndReleaseAll);
    honest.finishAndReleaseAll();
    assertThat(permits.underWay()).isZero();
  }

  private EmbeddedChannel peer(String address, int port, LongHandshakes permits) {
    return new EmbeddedChannel(new HandshakeLimiter(failures::add, permits)) {
      @Override
      public SocketAddress remoteAddress() {
        return new InetSocketAddress(address, port);
      }
    };
  }

  @Test
  @DisplayName("H-7 a handshake has at most 512 KiB and, if it is long, 512 records")
  void endlessHandshake() {
    LongHandshakes permits = new LongHandshakes(9, 9);
    EmbeddedChannel large = new EmbeddedChannel(new HandshakeLimiter(failures::add, permits));
    for (int i = 0; i <= HandshakeLimiter.MAX_BYTES / 16_000; i++) {
      large.writeInbound(record(16_000));
    }
    assertThat(failures)
        .containsExactly(new NetFailure(null, "tls: handshake of more than 524288 bytes"));

    EmbeddedChannel small = new EmbeddedChannel(new HandshakeLimiter(failures::add, permits));
    ByteBuf records = Unpooled.buffer();
    for (int i = 0; i < 6_000; i++) {
      records.writeBytes(record(1));
    }
    while (records.isReadable()) {
      small.writeInbound(records.readBytes(Math.min(7, records.readableBytes())));
    }
    assertThat(failures.getLast())
        .isEqualTo(new NetFailure(null, "tls: handshake of more than 512 records"));
    assertThat(failures).hasSize(2);

    assertThat(large.finishAndReleaseAll()).isTrue();
    assertThat(small.finishAndReleaseAll()).isTrue();
    assertThat(permits.underWay()).isZero();
  }

  @Test
  @DisplayName("H-7 after a handshake data has no bound, and what brings none has")
  void afterwards() {
    HandshakeLimiter meter = new HandshakeLimiter(failures::add);
    EmbeddedChannel plain = new EmbeddedChannel(meter, meter.data());
    meter.onHandshake();
    for (int i = 0; i < 100; i++) {
      plain.writeInbound(data(60_000), data(1));
    }
    assertThat(plain.finishAndReleaseAll()).isTrue();

    HandshakeLimiter unheard = new HandshakeLimiter(failures::add);
    EmbeddedChannel idle = new EmbeddedChannel(unheard);
    unheard.onHandshake();
    ByteBuf most = Unpooled.buffer();
    for (int i = 0; i < HandshakeLimiter.MAX_IDLE; i++) {
      most.writeBytes(data(i));
    }
    idle.writeInbound(most);
    assertThat(idle.inboundMessages()).hasSize(HandshakeLimiter.MAX_IDLE);
    assertThatThrownBy(() -> idle.writeInbound(data(1)))
        .isInstanceOf(SSLException.class)
        .hasMessage("more than 16 records in a row without data");
    idle.writeInbound(data(1));
    assertThat(idle.inboundMessages()).hasSize(HandshakeLimiter.MAX_IDLE);
    assertThat(idle.finishAndReleaseAll()).isTrue();
    assertThat(failures).isEmpty();
  }
}
