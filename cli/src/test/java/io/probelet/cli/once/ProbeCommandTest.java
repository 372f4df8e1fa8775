package io.probelet.cli.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.probelet.agent.run.WarmServer;
import io.probelet.kube.certificate.CertificateAuthority;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code probelet probe}: what it prints and how it exits. */
class ProbeCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer server;
  private int port;

  @TempDir Path home;

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              exchange.getRequestHeaders().getFirst("X-Who").getBytes(StandardCharsets.UTF_8);
          int status = exchange.getRequestURI().getPath().equals("/broken") ? 500 : 200;
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    port = server.getAddress().getPort();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  @Test
  @DisplayName("--method HEAD: the answer has no body, and the server sees the method")
  void method() {
    assertThat(
            run(
                "http://127.0.0.1:" + port + "/",
                "-H",
                "X-Who: me",
                "--method=HEAD",
                "--timeout=30s"))
        .isZero();
    assertThat(out.toString()).startsWith("success  ").doesNotContain("\nme");
  }

  @Test
  @DisplayName("a healthy address: exit 0, the duration of each phase, and the answer")
  void healthy() {
    assertThat(run("http://127.0.0.1:" + port + "/", "-H", "X-Who: me", "--timeout=30s")).isZero();
    assertThat(out.toString())
        .startsWith("success  http://127.0.0.1:" + port + "/")
        .containsPattern("connect +[0-9.]+ ms")
        .containsPattern("first byte +[0-9.]+ ms")
        .containsPattern("total +[0-9.]+ ms")
        .endsWith("me\n");
  }

  @Test
  @DisplayName("an unhealthy address: exit 1 and why")
  void unhealthy() {
    assertThat(run("http://127.0.0.1:" + port + "/broken", "-H", "X-Who: me", "--timeout=30s"))
        .isOne();
    assertThat(out.toString()).contains("failure", "HTTP probe failed with statuscode: 500");
  }

  @Test
  @DisplayName("tcp: open is success, closed is failure")
  void tcp() throws Exception {
    assertThat(run("tcp://127.0.0.1:" + port, "--timeout=30s")).isZero();
    try (Socket silent = new Socket()) { // has the port, so that nobody else takes it
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertThat(run("tcp://127.0.0.1:" + silent.getLocalPort(), "--timeout=30s")).isOne();
    }
    assertThat(out.toString()).contains("connection refused");
  }

  @Test
  @DisplayName("a probe out of a manifest, by container and kind")
  void manifest() throws Exception {
    Path pod = home.resolve("pod.yaml");
    Files.writeString(
        pod,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: web}
        spec:
          containers:
            - name: server
              image: nginx
              ports: [{name: http, containerPort: %d}]
              livenessProbe: {tcpSocket: {port: http}, timeoutSeconds: 30}
              readinessProbe:
                httpGet: {port: http, path: /broken, httpHeaders: [{name: X-Who, value: me}]}
                timeoutSeconds: 30
        """
            .formatted(port));
    assertThat(run("-f", pod.toString(), "-c", "server", "--kind", "liveness")).isZero();
    assertThat(out.toString()).contains("default/web/server liveness probe (tcpSocket)");
    assertThat(run("-f", pod.toString(), "-c", "server", "--kind", "readiness")).isOne();

    assertThat(run("-f", pod.toString(), "-c", "server")).isEqualTo(2);
    assertThat(err.toString())
        .contains("several probes: readiness, liveness; choose one with --kind");
    assertThat(run("-f", pod.toString(), "-c", "sever")).isEqualTo(2);
    assertThat(err.toString()).contains("has no container \"sever\"; it has server");
  }

  @ParameterizedTest
  @CsvSource({
    "http:///path, the host is missing",
    "tcp://127.0.0.1, the port is missing",
    "tcp://127.0.0.1:99999, port 99999 is out of range 1-65535",
    "http://127.0.0.1:0/, port 0 is out of range 1-65535",
    "ftp://127.0.0.1/x, unknown scheme",
    "http://a b/, illegal character"
  })
  @DisplayName("an address that cannot be probed: exit 2, the error, and the allowed forms")
  void wrong(String url, String why) {
    assertThat(run(url)).isEqualTo(2);
    assertThat(err.toString())
        .contains(why, "write http://host:port/path, https://…, tcp://host:port");
  }

  @Test
  @DisplayName("the phases add up to the total")
  void phases() throws Exception {
    assertThat(run("http://localhost:" + port + "/", "-H", "X-Who: me", "-o", "json")).isZero();
    JsonNode probe = JSON.readTree(out.toString()).path("probes").path(0);
    double sum = 0;
    for (JsonNode phase : probe.path("phasesMs")) {
      sum += phase.asDouble();
    }
    assertThat(probe.path("phasesMs").properties())
        .extracting(Map.Entry::getKey)
        .containsSubsequence("resolve", "connect", "firstByte", "body");
    assertThat(sum).isCloseTo(probe.path("totalMs").asDouble(), offset(0.01));
    assertThat(probe.path("result").asText()).isEqualTo("success");
    assertThat(probe.path("message").asText()).isEqualTo("me");
  }

  @Test
  @DisplayName("--repeat: number of healthy outcomes, and percentiles of each phase")
  void repeated() throws Exception {
    String url = "http://127.0.0.1:" + port;
    assertThat(run(url + "/", "-H", "X-Who: me", "--repeat=20", "--timeout=30s")).isZero();
    assertThat(out.toString())
        .startsWith("20 of 20 healthy  " + url + "/")
        .containsPattern("MILLISECONDS +P50 +P90 +P99 +MAX\n")
        .containsPattern("first byte( +[0-9.]+){4}\n")
        .containsPattern("total( +[0-9.]+){4}\n");
    assertThat(run(url + "/broken", "-H", "X-Who: me", "--repeat", "3", "-o", "json")).isOne();
    assertThat(out.toString()).contains("\"percentilesMs\"", "\"firstByte\"");
    assertThat(run(url, "--repeat", "10001")).isEqualTo(2);
    assertThat(err.toString()).contains("--repeat must be from 1 to 10000, not 10001");
  }

  @Test
  @DisplayName("over TLS: version, cipher and the chain with its expiry, also of gRPC")
  void tls() throws Exception {
    Instant now = Instant.now();
    try (WarmServer https = WarmServer.secure("http/1.1", now)) {
      assertThat(run("https://localhost:" + https.port() + "/", "--timeout=30s")).isZero();
      assertThat(out.toString())
          .containsPattern("TLS +[0-9.]+ ms")
          .contains("TLS        TLSv1.3, TLS_AES_")
          .containsPattern("certificate .*, issued by CN=.*, expires " + until(now));
    }
    Path authority = home.resolve("ca.pem");
    Files.writeString(
        authority, CertificateAuthority.make("another", now, Duration.ofDays(1)).certificatePem());
    try (WarmServer https = WarmServer.secure("http/1.1", now)) {
      String address = "https://localhost:" + https.port() + "/";
      assertThat(run(address, "--timeout=30s", "--ca-file=" + authority)).isOne();
      assertThat(out.toString()).contains("tls: ");
    }
    try (WarmServer tls = WarmServer.secure("http/1.1", now)) {
      String address = "tls://localhost:" + tls.port();
      assertThat(run(address, "--timeout=30s")).isZero();
      assertThat(out.toString()).contains("certificates expire at " + until(now));
      assertThat(run(address, "--timeout=30s", "--min-validity=48h")).isEqualTo(1);
      assertThat(out.toString()).contains("minValidity is 48h0m0s");
    }
    try (WarmServer grpcs = WarmServer.secure("h2", now)) {
      assertThat(run("grpcs://localhost:" + grpcs.port(), "-o", "json", "--timeout=30s")).isZero();
      assertThat(out.toString()).contains("\"version\" : \"TLSv1.3\"", "\"notAfter\"");
    }
    try (WarmServer grpc = WarmServer.plain()) {
      assertThat(run("grpc://127.0.0.1:" + grpc.port(), "--timeout=30s")).isZero();
      assertThat(run("grpc://127.0.0.1:" + grpc.port(), "--authority=shop.example")).isZero();
    }
    assertThat(run("https://localhost/", "--cert", "cert.pem")).isEqualTo(2);
    assertThat(err.toString()).contains("--cert and --key must be given together");
  }

  private static String until(Instant now) {
    return now.plus(Duration.ofDays(1)).toString().substring(0, 10);
  }

  @Test
  @DisplayName("--spec: combinations, expectations and errors")
  void written() throws Exception {
    String http =
        "httpGet: {port: " + port + ", path: /, httpHeaders: [{name: X-Who, value: me}]}\n";
    String expecting = http + "expect: {body: {contains: %s}}\ntimeout: 30s";
    assertThat(run("--spec", expecting.formatted("me"))).isZero();
    Path file = home.resolve("probe.yaml");
    Files.writeString(file, expecting.formatted("you"));
    assertThat(run("--spec-file", file.toString())).isOne();
    assertThat(out.toString()).contains("body does not contain \"you\"");
    assertThat(run("--spec", "anyOf: [{tcpSocket: {port: 1}}, {tcpSocket: {port: " + port + "}}]"))
        .isZero();

    String cel = http + "timeout: 30s\nexpect:\n  cel: ";
    assertThat(run("--spec", cel + "body == \"me\" && status < 300")).isZero();
    assertThat(run("--spec", cel + "body == \"you\"")).isOne();
    assertThat(out.toString()).contains("expression is false: body == \"you\"");
    assertThat(run("--spec", cel + "body == 5")).isEqualTo(2);
    assertThat(err.toString()).contains("line 1, column 6: ");

    assertThat(run("--spec", "htpGet: {port: 1}")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--spec:1:1: htpGet: unknown field; did you mean \"httpGet\"?");
    Files.writeString(file, "httpGet:\n  port: 1\n  pth: /\ntimeout: 5\n");
    assertThat(run("--spec-file", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(file + ":3:3: httpGet.pth: unknown field; did you mean \"path\"?")
        .contains(file + ":4:10: timeout: Invalid value: 5: must be a duration");
    assertThat(run("--spec", "httpGet: {port: 1}\nx: [")).isEqualTo(2);
    assertThat(err.toString()).containsPattern("--spec:2:[0-9]+: ");
    assertThat(run("--spec", "exec: {command: [ls]}")).isOne();
    assertThat(out.toString()).contains("runs inside its container");
    Files.writeString(file, "x".repeat(70_000));
    assertThat(run("--spec-file", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is larger than 65536 bytes");
    assertThat(run("--spec-file", home.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("cannot read", "none: no such file or directory");
  }

  @Test
  @DisplayName("without address, manifest or spec: exit 2")
  void nothing() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString())
        .contains("give a URL, or -f with a manifest and -c with a container, or --spec");
  }

  private int run(String... arguments) {
    return new CommandLine(new ProbeCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
