package io.probelet.agent.once;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
  @DisplayName("a healthy address: exit 0, the time of each phase, and what was said")
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
    assertThat(err.toString()).contains("readiness, liveness; choose one with --kind");
    assertThat(run("-f", pod.toString(), "-c", "sever")).isEqualTo(2);
    assertThat(err.toString()).contains("has no container \"sever\"; it has server");
  }

  @ParameterizedTest
  @CsvSource({
    "http:///path, it names no host",
    "tcp://127.0.0.1, it names no port",
    "tcp://127.0.0.1:99999, port 99999 is not between 1 and 65535",
    "http://127.0.0.1:0/, port 0 is not between 1 and 65535",
    "ftp://127.0.0.1/x, its scheme is not known",
    "http://a b/, Illegal character"
  })
  @DisplayName("an address that cannot be probed: exit 2, what is wrong, and what would be right")
  void wrong(String url, String why) {
    assertThat(run(url)).isEqualTo(2);
    assertThat(err.toString())
        .contains(why, "write http://host:port/path, https://…, tcp://host:port");
  }

  @Test
  @DisplayName("neither address nor manifest: exit 2")
  void nothing() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString())
        .contains("give a URL, or -f with a manifest and -c with a container");
  }

  private int run(String... arguments) {
    return new CommandLine(new ProbeCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
