package io.probelet.web.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.delegated.DelegatedAccess;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.TestSockets;
import io.probelet.web.tls.HttpsServer;
import io.probelet.web.tls.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The listener for scraping, as a stranger reaches it. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class ScrapeServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestTls tls = TestTls.make();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private volatile boolean away;
  private HttpsServer server;
  private HttpClient client;

  @BeforeEach
  void open() throws Exception {
    DelegatedAccess access =
        new DelegatedAccess(this::review, ScrapePart.PATH, SystemClock.INSTANCE);
    Resource metrics = _ -> Answer.of(200, Resource.TEXT, "up 1\n");
    server =
        ScrapePart.server(
            ListenAddress.parse("127.0.0.1:0"),
            tls.certificate(),
            new GuardedMetrics(metrics, access, registry, SystemClock.INSTANCE),
            SystemClock.INSTANCE);
    client = HttpClient.newBuilder().sslContext(tls.trusting()).build();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private ApiResult review(String path, JsonNode review) {
    if (away) {
      return new Unanswered("connection refused");
    }
    String token = review.at("/spec/token").asText();
    String user = review.at("/spec/user").asText();
    return done(
        path.endsWith("/tokenreviews")
            ? token.equals("wrong")
                ? "{\"status\": {\"error\": \"invalid bearer token\"}}"
                : "{\"status\": {\"authenticated\": true, \"user\": {\"username\": \""
                    + token
                    + "\"}}}"
            : "{\"status\": {\"allowed\": " + user.equals("prometheus") + "}}");
  }

  private static ApiResult done(String answer) {
    try {
      return new Done(JSON.readTree(answer));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private double counted(String result) {
    return registry.get("probelet.scrapes").tag("result", result).counter().count();
  }

  @Test
  @DisplayName("authorized clients get metrics, others 403, unknown ones 401; each is counted")
  void who() throws Exception {
    HttpResponse<String> answer = get("/metrics", "Authorization", "Bearer prometheus");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("up 1\n");
    HttpResponse<String> forbidden = get("/metrics", "Authorization", "Bearer tenant");
    assertThat(forbidden.statusCode()).isEqualTo(403);
    assertThat(forbidden.body()).isEqualTo("tenant is not allowed to get /metrics\n");
    HttpResponse<String> wrong = get("/metrics", "Authorization", "Bearer wrong");
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(wrong.body()).doesNotContain("wrong");
    assertThat(get("/metrics").statusCode()).isEqualTo(401);
    assertThat(counted("answered")).isEqualTo(1);
    assertThat(counted("forbidden")).isEqualTo(1);
    assertThat(counted("unauthenticated")).isEqualTo(2);
  }

  @Test
  @DisplayName("without the API server new clients get 503, without its message")
  void away() throws Exception {
    away = true;
    HttpResponse<String> answer = get("/metrics", "Authorization", "Bearer prometheus");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).doesNotContain("refused");
    assertThat(counted("unavailable")).isEqualTo(1);
  }

  @Test
  @DisplayName("many wrong tokens: after a few 429, without a question to the API server")
  void limited() throws Exception {
    int status = 0;
    for (int i = 0; i < 50 && status != 429; i++) {
      away = true; // so that no answer is remembered
      status = get("/metrics", "Authorization", "Bearer some-" + i).statusCode();
    }
    assertThat(status).isEqualTo(429);
  }

  @Test
  @DisplayName("nothing but GET /metrics is answered, with a good token or without")
  void nothingElse() throws Exception {
    for (String path : List.of("/", "/livez", "/api/v1/containers", "/api/v1/node", "/metrics/")) {
      assertThat(get(path, "Authorization", "Bearer prometheus").statusCode())
          .as(path)
          .isEqualTo(404);
    }
    HttpRequest post =
        HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/metrics"))
            .header("Authorization", "Bearer prometheus")
            .POST(HttpRequest.BodyPublishers.ofString("x"))
            .build();
    assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  @DisplayName("no plain HTTP, and no TLS older than 1.3")
  void neverPlain() throws Exception {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout(60_000);
      plain
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(plain.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .doesNotContain("HTTP/1.1");
    }
    try (SSLSocket old =
        (SSLSocket) tls.trusting().getSocketFactory().createSocket("localhost", server.port())) {
      old.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(old::startHandshake).isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  @DisplayName(
      "200 connections that say nothing: some 20 are taken, and an honest scrape is answered")
  void silent() throws Exception {
    assertHonestAgainst(1, 200, 40);
  }

  @Test
  @DisplayName("100 each from five addresses: 48 at most stay, and an honest scrape is answered")
  void silentMany() throws Exception {
    assertHonestAgainst(5, 100, 48);
  }

  private void assertHonestAgainst(int addresses, int each, int stay) throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int address = 0; address < addresses; address++) {
        InetAddress from = InetAddress.ofLiteral("127.0.1." + (address + 1));
        for (int i = 0; i < each; i++) {
          silent.add(new Socket(InetAddress.getLoopbackAddress(), server.port(), from, 0));
        }
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(() ->
              assertThat(get("/metrics", "Authorization", "Bearer prometheus").statusCode())
                  .isEqualTo(200));
      await()
          .atMost(Duration.ofSeconds(4)) // before they would end for their silence
          .until(() -> silent.stream().filter(TestSockets::isOpen).count() <= stay);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }
}
