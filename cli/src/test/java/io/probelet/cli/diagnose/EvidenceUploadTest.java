package io.probelet.cli.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.probelet.agent.config.UploadSettings;
import io.probelet.agent.diagnose.EvidenceUpload;
import io.probelet.cli.Probelet;
import io.probelet.health.RetryBackoff;
import io.probelet.web.tls.TestTls;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** ACT-107: bundles are put to a real HTTPS server. */
@Timeout(120)
class EvidenceUploadTest {
  private static final RetryBackoff SOON =
      RetryBackoff.doubling(Duration.ofMillis(1), Duration.ofMillis(1));

  private static final TestTls TLS = TestTls.make();

  @TempDir Path dir;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Integer> answers = new CopyOnWriteArrayList<>();
  private HttpsServer server;
  private Path authority;

  @BeforeEach
  void serve() throws Exception {
    authority = dir.resolve("ca.crt");
    TLS.writeAuthorityTo(authority);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(TLS.serving()));
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    int bytes = exchange.getRequestBody().readAllBytes().length;
    requests.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + " "
            + exchange.getRequestHeaders().getFirst("Authorization")
            + " "
            + bytes);
    exchange.getResponseHeaders().set("Location", "https://127.0.0.1:1/");
    exchange.sendResponseHeaders(answers.isEmpty() ? 201 : answers.removeFirst(), -1);
    exchange.close();
  }

  private String url() {
    return "https://localhost:" + server.getAddress().getPort() + "/b/{node}/{name}";
  }

  private UploadSettings settings(Optional<Path> token) {
    return new UploadSettings(Optional.of(url()), Optional.of(authority), token);
  }

  private EvidenceUpload upload(UploadSettings settings) {
    return new EvidenceUpload(
        (name, _) -> dir.resolve(name), "node-1", () -> settings, SOON, new Random(1));
  }

  private static String outcome(EvidenceUpload upload) throws Exception {
    return upload.last().get(60, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("uploads with the token, to the URL with node and name")
  void puts() throws Exception {
    Path token = Files.writeString(dir.resolve("token"), "abc.def\n");
    try (EvidenceUpload upload = upload(settings(Optional.of(token)))) {
      assertThat(upload.keep("e-1.tar.gz", new byte[7])).isEqualTo(dir.resolve("e-1.tar.gz"));

      assertThat(outcome(upload)).isEmpty();
      assertThat(requests).containsExactly("PUT /b/node-1/e-1.tar.gz Bearer abc.def 7");
    }
  }

  @Test
  @DisplayName("retries transient failures, four attempts in all")
  void again() throws Exception {
    answers.addAll(List.of(503, 429));
    try (EvidenceUpload upload = upload(settings(Optional.empty()))) {
      upload.keep("a", new byte[1]);
      assertThat(outcome(upload)).isEmpty();
      assertThat(requests).hasSize(3);

      requests.clear();
      answers.addAll(List.of(500, 500, 500, 500, 500));
      upload.keep("b", new byte[1]);
      assertThat(outcome(upload)).isEqualTo("it answered 500");
      assertThat(requests).hasSize(4);
    }
  }

  @Test
  @DisplayName("does not retry a refusal nor follow a redirect")
  void refused() throws Exception {
    answers.addAll(List.of(403, 307));
    try (EvidenceUpload upload = upload(settings(Optional.empty()))) {
      upload.keep("a", new byte[1]);
      assertThat(outcome(upload)).isEqualTo("it answered 403");
      upload.keep("b", new byte[1]);
      assertThat(outcome(upload)).isEqualTo("it answered 307");
      assertThat(requests).hasSize(2);
    }
  }

  @Test
  @DisplayName("sends nothing to an untrusted server")
  void untrusted() throws Exception {
    UploadSettings system =
        new UploadSettings(Optional.of(url()), Optional.empty(), Optional.empty());
    try (EvidenceUpload upload = upload(system)) {
      upload.keep("a", new byte[1]);
      assertThat(outcome(upload))
          .contains("tls: failed to verify certificate: x509: certificate signed by unknown");
      assertThat(requests).isEmpty();
    }
  }

  @Test
  @DisplayName("neither sends nor shows an invalid token")
  void badToken() throws Exception {
    Path token = Files.writeString(dir.resolve("token"), "HUNTER2\r\nX-Other: 1");
    try (EvidenceUpload upload = upload(settings(Optional.of(token)))) {
      upload.keep("a", new byte[1]);
      assertThat(outcome(upload)).endsWith("token contains no bearer token");
      assertThat(requests).isEmpty();
    }
  }

  @Test
  @DisplayName("uploads a bundle that the node cannot keep; uploads nothing without a URL")
  void notKept() throws Exception {
    UploadSettings settings = settings(Optional.empty());
    try (EvidenceUpload upload =
        new EvidenceUpload(
            (_, _) -> {
              throw new IOException("read-only file system");
            },
            "n",
            () -> settings,
            SOON,
            new Random(1))) {
      assertThatThrownBy(() -> upload.keep("a", new byte[1])).hasMessageContaining("read-only");
      assertThat(outcome(upload)).isEmpty();
    }
    try (EvidenceUpload off = upload(UploadSettings.OFF)) {
      off.keep("a", new byte[1]);
      assertThat(outcome(off)).isEmpty();
    }
    assertThat(requests).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evidence.example/{name}",
        "https://evidence.example/",
        "https://user:password@evidence.example/{name}",
        "https://evidence.example/{name}#x",
        "https://{node}/{name}",
        "https:///{name}",
        "{name}",
        "nonsense"
      })
  @DisplayName("accepts only an https URL with a fixed host and the bundle's name")
  void urls(String url) throws Exception {
    Path config = Files.writeString(dir.resolve("a.yaml"), "evidence: {upload: \"" + url + "\"}\n");
    StringWriter err = new StringWriter();
    CommandLine line = Probelet.commandLine("diagnose");
    line.setErr(new PrintWriter(err));

    assertThat(line.execute("diagnose", "--upload", "--config=" + config)).isEqualTo(2);
    assertThat(err.toString()).contains("evidence.upload", "is not none, or an https URL");
  }

  @Test
  @DisplayName("the command waits for its upload")
  void byHand() throws Exception {
    Path root = Files.createDirectories(dir.resolve("node/proc"));
    Path config =
        Files.writeString(
            dir.resolve("agent.yaml"),
            """
            nodeMonitor: {stateFolder: %s}
            evidence: {upload: "%s", caFile: %s}
            """
                .formatted(dir, url(), authority));
    String[] args = {
      "diagnose",
      "--upload",
      "--config=" + config,
      "--node-name=n",
      "--host-root=" + root.getParent(),
      "--kmsg=" + dir.resolve("kmsg"),
      "--runtime-endpoint=none",
      "--address=127.0.0.1:1"
    };
    CommandLine line = Probelet.commandLine(args);
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));

    assertThat(line.execute(args)).as(err.toString()).isZero();
    assertThat(requests).hasSize(1).first().asString().startsWith("PUT /b/n/evidence-");

    answers.add(403);
    assertThat(line.execute(args)).isEqualTo(1);
    assertThat(err.toString()).contains("not uploaded: it answered 403");
  }
}
