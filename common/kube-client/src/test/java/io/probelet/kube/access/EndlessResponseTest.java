package io.probelet.kube.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.probelet.health.Certificates;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streaming responses over TLS use their own connection and thread. */
@Timeout(120)
class EndlessResponseTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(500);

  /** Ends a response of {@code /endless}. */
  private static final String END = "";

  @TempDir static Path authority;
  private static Certificates certificates;

  @TempDir Path home;
  private final BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> come = new LinkedBlockingQueue<>();
  private HttpServer server;
  private TlsFront front;
  private ClusterAccess access;
  private ApiServer api;

  @BeforeAll
  static void certificates() {
    certificates = new Certificates(authority).add("server", "-ext", "san=ip:127.0.0.1");
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/endless", this::endless);
    server.createContext("/hung", _ -> take());
    server.createContext("/refused", EndlessResponseTest::refuse);
    server.start();
    front =
        new TlsFront(
            "http://127.0.0.1:" + server.getAddress().getPort(), certificates.server("server"));
    Path kubeconfig = home.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
        users: [{name: u, user: {token: made-up}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(front.url(), certificates.certificate("ca")));
    access = new ClusterAccess(kubeconfig, SystemClock.INSTANCE);
    api = ApiServer.of(access.client(), LONG);
  }

  @AfterEach
  void stop() throws IOException {
    access.close();
    pieces.add(END);
    front.close();
    server.stop(0);
    await().untilAsserted(() -> assertThat(readers()).isEmpty());
  }

  private static List<String> readers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("watch-"))
        .toList();
  }

  @Test
  @DisplayName("each chunk is passed on as it arrives, with the client's token, until the end")
  void pieces() throws Exception {
    CompletableFuture<ApiResult> ended = follow("/endless", LONG);
    assertThat(asked.take()).isEqualTo("Bearer made-up application/json");
    for (String piece : List.of("first", "second")) {
      pieces.add(piece);
      assertThat(come.take()).isEqualTo(piece);
    }
    pieces.add(END);
    assertThat(ended.get()).isInstanceOf(Done.class);
  }

  @Test
  @DisplayName("two responses use two connections, and neither waits for the other")
  void apart() throws Exception {
    CompletableFuture<ApiResult> one = follow("/endless", LONG);
    CompletableFuture<ApiResult> other = follow("/endless", LONG);
    asked.take();
    asked.take();
    assertThat(front.clients()).hasSize(2);
    pieces.add(END);
    CompletableFuture.anyOf(one, other).get();
    assertThat(List.of(one.isDone(), other.isDone())).containsExactlyInAnyOrder(true, false);
  }

  @Test
  @DisplayName("the reason and requested wait of a refusal are read")
  void refused() throws Exception {
    ApiResult answer = follow("/refused", LONG).get();
    assertThat(answer.summary()).endsWith("503 not now");
    assertThat(answer.requestedWait()).contains(Duration.ofSeconds(7));
  }

  @Test
  @DisplayName("an idle response is ended with its connection")
  void silent() throws Exception {
    pieces.add("first"); // with which its head is sent, too
    assertThat(follow("/endless", SHORT).get()).isEqualTo(Unanswered.silence(SHORT));
    await().untilAsserted(() -> assertThat(readers()).isEmpty());
  }

  @Test
  @DisplayName("a response that never begins times out, and its connection ends with the client")
  void hung() throws Exception {
    api = ApiServer.of(access.client(), SHORT);
    assertThat(follow("/hung", LONG).get()).isEqualTo(new Unanswered("timed out after 500 ms"));
    assertThat(readers()).containsExactly("watch-hung");
    access.close();
    await().untilAsserted(() -> assertThat(readers()).isEmpty());
  }

  @Test
  @DisplayName("a broken response reports the cause")
  void brokenOff() throws Exception {
    CompletableFuture<ApiResult> ended = follow("/endless", LONG);
    pieces.add("first");
    assertThat(come.take()).isEqualTo("first");
    front.present(certificates.server("server"));
    assertThat(ended.get()).isInstanceOf(Unanswered.class);
  }

  @Test
  @DisplayName("an exception of its reader ends it")
  void disliked() throws Exception {
    pieces.add("first");
    ApiResult answer =
        api.follow(
            "/endless",
            ApiServer.JSON_TYPE,
            LONG,
            _ -> {
              throw new IOException("not this");
            });
    assertThat(answer.summary()).contains("not this");
  }

  @Test
  @DisplayName("a server with another's certificate gets no request")
  void otherAuthority(@TempDir Path elsewhere) throws Exception {
    front.present(
        new Certificates(elsewhere).add("server", "-ext", "san=ip:127.0.0.1").server("server"));
    assertThat(follow("/endless", LONG).get().summary())
        .contains("x509: certificate signed by unknown authority");
    front.present(new Certificates(Files.createDirectory(home.resolve("c"))).server("ca"));
    assertThat(follow("/endless", LONG).get()).isInstanceOf(Unanswered.class);
    assertThat(asked).isEmpty();
  }

  @Test
  @DisplayName("a stream ends when the client is closed")
  void closed() throws Exception {
    access.close();
    assertThat(follow("/endless", LONG).get()).isEqualTo(new Unanswered("the client is closed"));
  }

  private CompletableFuture<ApiResult> follow(String path, Duration silence) {
    CompletableFuture<ApiResult> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            ended.complete(
                api.follow(
                    path,
                    ApiServer.JSON_TYPE,
                    silence,
                    piece -> come.add(UTF_8.decode(piece).toString())));
          } catch (InterruptedException stop) {
            ended.completeExceptionally(stop);
          }
        });
    return ended.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private void endless(HttpExchange exchange) throws IOException {
    asked.add(
        exchange.getRequestHeaders().getFirst("Authorization")
            + " "
            + exchange.getRequestHeaders().getFirst("Accept"));
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      for (String piece = take(); !piece.equals(END); piece = take()) {
        out.write(piece.getBytes(UTF_8));
        out.flush();
      }
    }
  }

  private String take() {
    try {
      return pieces.take();
    } catch (InterruptedException stopped) {
      return END;
    }
  }

  private static void refuse(HttpExchange exchange) throws IOException {
    byte[] why = "{\"message\":\"not now\"}".getBytes(UTF_8);
    exchange.getResponseHeaders().add("Retry-After", "7");
    exchange.sendResponseHeaders(503, why.length);
    exchange.getResponseBody().write(why);
    exchange.close();
  }
}
