package io.probelet.rehearsal.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.probelet.health.RetryBackoff;
import io.probelet.web.tls.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that no honest Prometheus gives, and some that it does. */
@Timeout(120)
class PrometheusClientTest {
  private static final RangeQuery QUERY = new RangeQuery("up", 1_000, 1_600, 60);
  private static final String OF_ONE =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":"
          + "{\"node\":\"a\"},\"values\":[%s]}]}}";

  @TempDir private Path folder;
  private HttpServer server;
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger requests = new AtomicInteger();

  @AfterEach
  void stop() {
    over.countDown();
    if (server != null) {
      server.stop(0);
    }
  }

  private URI serve(HttpHandler handler) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          handler.handle(exchange);
        });
    server.start();
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  private static PrometheusClient client(URI url, Optional<Path> token, Duration timeout) {
    return client(url, token, Optional.empty(), timeout);
  }

  private static PrometheusClient client(URI url, Optional<Path> token, Optional<Path> authority) {
    return client(url, token, authority, Duration.ofSeconds(20));
  }

  private static PrometheusClient client(
      URI url, Optional<Path> token, Optional<Path> authority, Duration timeout) {
    return new PrometheusClient(
        new PrometheusSource(
            url,
            token,
            authority,
            "",
            Set.of(),
            Instant.EPOCH,
            Instant.EPOCH,
            Duration.ofMinutes(1)),
        timeout,
        RetryBackoff.doubling(Duration.ofMillis(1), Duration.ofMillis(1)),
        new Random(1));
  }

  private static PrometheusClient client(URI url) {
    return client(url, Optional.empty(), Duration.ofSeconds(20));
  }

  static Stream<Arguments> refusals() {
    String strange = "returned an unexpected response";
    return Stream.of(
        arguments(200, "<html>log in</html>", "an unexpected response that is not JSON", 1),
        arguments(200, "[]", strange + ": the response has an unexpected format", 1),
        arguments(200, "{\"data\":7}", strange + ": data has an unexpected format", 1),
        arguments(
            200, "{\"data\":{\"result\":[7]}}", strange + ": a series has an unexpected format", 1),
        arguments(
            200,
            "{\"data\":{\"result\":[{\"metric\":{\"node\":7}}]}}",
            strange + ": a label has an unexpected format",
            1),
        arguments(200, "[".repeat(40), strange, 1),
        arguments(200, "{\"data\":" + "[".repeat(40), strange, 1),
        arguments(200, "{\"status\":\"" + "x".repeat(70_000) + "\"}", strange, 1),
        arguments(
            200, OF_ONE.formatted("[\"now\",\"1\"]"), "the time of a point is not a number", 1),
        arguments(200, OF_ONE.formatted("[1001,\"1\"]"), "an unexpected time", 1),
        arguments(200, OF_ONE.formatted("[940,\"1\"]"), "an unexpected time", 1),
        arguments(200, OF_ONE.formatted("[1e300,\"1\"]"), "an unexpected time", 1),
        arguments(200, OF_ONE.formatted("[1060,\"1\"],[1000,\"1\"]"), "an unexpected time", 1),
        arguments(
            200,
            OF_ONE.formatted("[1000,\"1\",2]"),
            strange + ": a point has an unexpected format",
            1),
        arguments(200, "{}", "reported that the query failed", 1),
        arguments(200, "", strange, 1),
        arguments(
            200, "{\"status\":\"succ", "closed the connection during its response, 5 times", 5),
        arguments(
            200,
            "{\"status\":\"success\",\"warnings\":[\"a store is\\naway\"]}",
            "returned a partial result: a store is away, 5 times",
            5),
        arguments(
            400,
            "{\"status\":\"error\",\"error\":\"parse error: \\u001b[31munexpected\"}",
            "answered 400: parse error: [31munexpected",
            1),
        arguments(401, "", "answered 401; set --token-file to a bearer token that may query", 1),
        arguments(403, "", "--token-file", 1),
        arguments(404, "", "the URL must be the part before /api/v1", 1),
        arguments(422, "no JSON", "answered 422, 5 times", 5),
        arguments(429, "", "answered 429, 5 times", 5),
        arguments(500, "", "answered 500, 5 times", 5),
        arguments(503, "down for maintenance", "answered 503, 5 times", 5));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  @DisplayName(
      "TP-10 what is no answer is an error that names the URL, asked again if that may help")
  void refusals(int code, String body, String why, int times) throws Exception {
    URI url = serve(exchange -> FakePrometheus.send(exchange, code, body));
    assertThatThrownBy(() -> client(url).query(QUERY))
        .isInstanceOf(PrometheusException.class)
        .hasMessageStartingWith(url + " ")
        .hasMessageContaining(why);
    assertThat(requests).hasValue(times);
  }

  @Test
  @DisplayName("TP-10 what has gone by itself is no error")
  void again() throws Exception {
    URI url =
        serve(exchange ->
            FakePrometheus.send(
                exchange, requests.get() < 3 ? 502 : 200, OF_ONE.formatted("[1060.000,\"1\"]")));
    assertThat(client(url).query(QUERY))
        .singleElement()
        .satisfies(series -> {
          assertThat(series.labels()).containsOnlyKeys("node");
          assertThat(series.times()).containsExactly(1_060);
        });
    assertThat(requests).hasValue(3);
  }

  @Test
  @DisplayName("TP-10 a redirect is not followed, nor gets another host the token")
  void redirect() throws Exception {
    List<String> tokens = new CopyOnWriteArrayList<>();
    URI url =
        serve(exchange -> {
          tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.getResponseHeaders().add("Location", "/elsewhere");
          FakePrometheus.send(exchange, 302, "");
        });
    Path token = Files.writeString(folder.resolve("token"), "s3cret\n");
    assertThatThrownBy(() -> client(url, Optional.of(token), Duration.ofSeconds(20)).query(QUERY))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("redirects to /elsewhere; redirects are not followed");
    assertThat(tokens).containsExactly("Bearer s3cret");
  }

  @Test
  @DisplayName("TP-10 a file without a token is an error that does not show what it holds")
  void noToken() throws Exception {
    URI url = serve(exchange -> FakePrometheus.send(exchange, 200, "{}"));
    Path token = Files.writeString(folder.resolve("token"), "s3cret\r\nX: y");
    assertThatThrownBy(() -> client(url, Optional.of(token), Duration.ofSeconds(20)).query(QUERY))
        .isInstanceOf(PrometheusException.class)
        .hasMessage(token + " contains no bearer token");
    assertThat(requests).hasValue(0);
  }

  @Test
  @DisplayName("TP-10 a certificate of an authority that is not trusted is an error, once")
  void tls() throws Exception {
    TestTls tls = TestTls.make();
    HttpsServer secure =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    secure.setHttpsConfigurator(new HttpsConfigurator(tls.serving()));
    secure.createContext(
        "/", exchange -> FakePrometheus.send(exchange, 200, OF_ONE.formatted("[1060,\"1\"]")));
    secure.start();
    server = secure;
    URI url = URI.create("https://localhost:" + secure.getAddress().getPort());
    assertThatThrownBy(() -> client(url).query(QUERY))
        .isInstanceOf(PrometheusException.class)
        .hasMessageStartingWith(
            url
                + " has an untrusted certificate: tls: failed to verify certificate: x509: certificate signed"
                + " by unknown authority")
        .hasMessageEndingWith("; set --ca-file to its certificate authority");

    Path authority = folder.resolve("ca.pem");
    tls.writeAuthorityTo(authority);
    assertThat(client(url, Optional.empty(), Optional.of(authority)).query(QUERY)).hasSize(1);
  }

  @Test
  @DisplayName("TP-10 an answer without end, or that does not come, is given up")
  void endless() throws Exception {
    URI url =
        serve(exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("{\"status\":".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertThatThrownBy(() -> client(url, Optional.empty(), Duration.ofMillis(200)).query(QUERY))
        .isInstanceOf(PrometheusException.class)
        .hasMessageContaining("gave no complete response within");
  }

  @Test
  @DisplayName("TP-10 an answer of more bytes or changes than one may have is too much")
  void large() throws Exception {
    byte[] blanks = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
    URI url =
        serve(exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (exchange) {
            for (int i = 0; i < MatrixReader.MAX_BYTES / blanks.length + 16; i++) {
              exchange.getResponseBody().write(blanks);
            }
          } catch (IOException hungUp) {
            // As it should.
          }
        });
    assertThat(catchThrowable(() -> client(url).query(QUERY)))
        .isInstanceOf(TooMuchException.class)
        .hasMessage("a response has more than 32 MiB");
  }

  @Test
  @DisplayName("TP-10 a Prometheus that is not there is an error")
  void absent() {
    URI url = URI.create("http://localhost:1"); // where nobody listens
    assertThatThrownBy(() -> client(url).query(QUERY))
        .isInstanceOf(PrometheusException.class)
        .hasMessageStartingWith(url + " cannot be queried: cannot connect, 5 times");
  }
}
