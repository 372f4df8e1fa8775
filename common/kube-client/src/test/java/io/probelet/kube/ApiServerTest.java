package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handling of API server responses and timeouts. */
@Timeout(300)
class ApiServerTest {
  /** The timeout without a response. */
  private static final Duration SHORT = Duration.ofMillis(500);

  /** Long enough for a response on a busy machine. */
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CountDownLatch never = new CountDownLatch(1);
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> asked = new ArrayList<>();
  private HttpServer server;
  private KubernetesClient client;
  private ApiServer api;
  private ApiServer impatient;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/hung", _ -> hang());
    server.createContext("/lines", this::lines);
    server.createContext("/refused/", this::refuse);
    server.createContext(
        "/encodings",
        exchange -> {
          asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding")));
          send(exchange, 200, "{}");
        });
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")));
          send(
              exchange,
              200,
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        });
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build();
    api = ApiServer.of(client, LONG);
    impatient = ApiServer.of(client, SHORT);
  }

  @AfterEach
  void stop() {
    never.countDown();
    lines.add("");
    client.close();
    server.stop(0);
  }

  @Test
  @DisplayName("an unanswered request times out; the next one succeeds")
  void hungRequest() {
    assertThat(impatient.get("/hung")).isInstanceOf(Unanswered.class);
    await().until(() -> impatient.get("/version") instanceof Done);
  }

  @Test
  @DisplayName("an unanswered or idle stream times out, no other")
  void hungStream() throws Exception {
    assertThat(impatient.stream("/hung", SHORT, _ -> {}))
        .isEqualTo(new Unanswered("timed out after 500 ms"));

    await().until(this::outlastsSilence);
  }

  /**
   * Whether an active stream outlives the idle timeout, and ends once idle. On a busy machine it
   * may end early, but not every time.
   */
  private boolean outlastsSilence() throws Exception {
    AtomicInteger come = new AtomicInteger();
    CompletableFuture<ApiResult> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            ended.complete(api.stream("/lines", SHORT, _ -> come.incrementAndGet()));
          } catch (InterruptedException end) {
            ended.completeExceptionally(end);
          }
        });
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < SHORT.multipliedBy(3).dividedBy(2).toNanos()) {
      int before = come.get();
      await()
          .until(() -> {
            lines.add("a\n");
            return come.get() > before || ended.isDone();
          });
      if (ended.isDone()) {
        return false;
      }
    }
    assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(Unanswered.silence(SHORT));
    return true;
  }

  @Test
  @DisplayName("only lists may be compressed")
  void encodings() throws InterruptedException {
    assertThat(api.open("/encodings", ApiServer.JSON_TYPE).read(InputStream::readAllBytes))
        .isInstanceOf(Done.class);
    assertThat(api.stream("/encodings", LONG, _ -> {})).isInstanceOf(Done.class);
    assertThat(api.follow("/encodings", ApiServer.JSON_TYPE, LONG, _ -> {}))
        .isInstanceOf(Done.class);
    assertThat(api.get("/encodings")).isInstanceOf(Done.class);
    assertThat(asked).containsExactly("gzip", "null", "null", "null");
  }

  @Test
  @DisplayName("a request after close fails with the reason")
  void closed() throws InterruptedException {
    client.close();
    assertThat(api.get("/version")).isInstanceOf(Unanswered.class);
    assertThat(api.stream("/version", SHORT, _ -> {})).isInstanceOf(Unanswered.class);
  }

  @Test
  @DisplayName("an object is applied with force, as our field manager")
  void applied() throws IOException {
    JsonNode part = JSON.readTree("{\"kind\":\"Lease\"}");
    assertThat(api.apply("/leases/a", part)).isEqualTo(new Done(part));
    assertThat(asked)
        .containsExactly(
            "PATCH /leases/a?fieldManager=probelet&force=true", "application/apply-patch+yaml");
  }

  @Test
  @DisplayName("a missing permission is named as a rule for a Role")
  void missingRight() {
    assertThat(api.get("/refused/403?cannot"))
        .extracting(ApiResult::summary)
        .asString()
        .startsWith("403 User \"x\" cannot get; the service account needs the rule {")
        .endsWith("}, see Rights in docs/operate/security.md");
    assertThat(api.get("/refused/403").summary()).isEqualTo("403 no");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "400,true",
    "401,false",
    "403,false",
    "404,true",
    "408,false",
    "409,true",
    "410,true",
    "422,true",
    "429,false",
    "500,false",
    "503,false",
  })
  @DisplayName(
      "a refusal that may be lifted later is not permanent; its requested wait is passed " + "on")
  void hopeless(int code, boolean hopeless) throws InterruptedException {
    for (ApiResult answer :
        List.of(api.get("/refused/" + code), api.stream("/refused/" + code, SHORT, _ -> {}))) {
      assertThat(answer.isPermanentRefusal()).isEqualTo(hopeless);
      assertThat(answer.requestedWait()).contains(Duration.ofSeconds(7));
      assertThat(answer instanceof Refused).isEqualTo(code < 500);
      assertThat(answer.summary()).endsWith(code + " no");
    }
  }

  @Test
  @DisplayName("an HTML error page is truncated to one line")
  void wordy() {
    assertThat(api.get("/refused/404?wordy").summary())
        .hasSizeLessThan(320)
        .startsWith("404 <p> <p> ")
        .endsWith("…");
  }

  @Test
  @DisplayName("The budget that refuses an eviction is read from the details")
  void budget() {
    assertThat(api.get("/refused/429?budget").summary())
        .isEqualTo("429 violates. web needs 2 healthy pods");
  }

  private void hang() {
    try {
      never.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void lines(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try {
      for (String line = lines.take(); !line.isEmpty(); line = lines.take()) {
        exchange.getResponseBody().write(line.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Retry-After", "7");
    String path = exchange.getRequestURI().getPath();
    String body =
        switch (String.valueOf(exchange.getRequestURI().getQuery())) {
          case "cannot" -> "{\"message\":\"User \\\"x\\\" cannot get\"}";
          case "budget" ->
              "{\"message\":\"violates.\",\"details\":{\"causes\":[{\"reason\":\"DisruptionBudget\","
                  + "\"message\":\"web needs 2 healthy pods\"},{\"reason\":\"x\",\"message\":\"y\"}]}}";
          case "wordy" -> "<p>\n".repeat(1000);
          default -> "{\"message\":\"no\"}";
        };
    send(exchange, Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)), body);
  }

  private static void send(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
