package io.probelet.rehearsal.prometheus;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.probelet.health.FailureReason;
import io.probelet.health.RetryBackoff;
import io.probelet.health.ShortText;
import io.probelet.health.tls.ServerVerifier;
import io.probelet.rehearsal.prometheus.MatrixReader.Answer;
import io.probelet.rehearsal.prometheus.MatrixReader.Series;
import io.probelet.rehearsal.prometheus.MatrixReader.StrangeException;
import io.probelet.web.http.OutgoingHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Queries Prometheus and retries transient errors. */
final class PrometheusClient {
  /** Longer than Prometheus' own timeout of two minutes. */
  static final Duration TIMEOUT = Duration.ofSeconds(150);

  static final RetryBackoff RETRY =
      new RetryBackoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0.5);
  static final int MAX_ATTEMPTS = 5;

  private static final int MAX_SAID = 300;
  private static final Set<Integer> LATER = Set.of(408, 425, 429, 500, 502);
  private static final Set<Integer> TOO_MUCH = Set.of(413, 422, 503, 504);

  private final PrometheusSource source;
  private final Duration timeout;
  private final RetryBackoff retry;
  private final RandomGenerator random;

  PrometheusClient(
      PrometheusSource source, Duration timeout, RetryBackoff retry, RandomGenerator random) {
    this.source = source;
    this.timeout = timeout;
    this.retry = retry;
    this.random = random;
  }

  /** A transient error, which may be gone at the next attempt. */
  private static final class LaterException extends IOException {
    private static final long serialVersionUID = 1L;

    LaterException(String message) {
      super(message);
    }
  }

  /**
   * Runs a query.
   *
   * @return the series; possibly none
   * @throws TooMuchException if a shorter range may succeed
   * @throws PrometheusException if there is no usable response
   * @throws InterruptedException if the caller is interrupted
   */
  List<Series> query(RangeQuery query)
      throws TooMuchException, PrometheusException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(query);
      } catch (LaterException later) {
        if (attempt == MAX_ATTEMPTS) {
          throw refused(said(later.getMessage()) + ", " + MAX_ATTEMPTS + " times");
        }
        pause(retry.delay(attempt, random));
      }
    }
  }

  /** The error, with the URL. */
  PrometheusException refused(String why) {
    return new PrometheusException(source.url() + " " + why);
  }

  private static void pause(Duration length) throws InterruptedException {
    boolean _ = new CountDownLatch(1).await(length.toMillis(), TimeUnit.MILLISECONDS);
  }

  private List<Series> once(RangeQuery query)
      throws LaterException, TooMuchException, PrometheusException, InterruptedException {
    try (HttpClient client = OutgoingHttp.client(source.caFile())) {
      HttpRequest.Builder request = HttpRequest.newBuilder(query.uri(source.url()));
      if (source.tokenFile().isPresent()) {
        OutgoingHttp.authorize(request, source.tokenFile().get());
      }
      FutureTask<List<Series>> exchange =
          new FutureTask<>(() -> exchange(client, request.build(), query));
      Thread.ofVirtual().name("prometheus").start(exchange);
      try {
        return exchange.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException silent) {
        throw new LaterException("gave no complete response within " + timeout.toSeconds() + " s");
      } catch (ExecutionException failed) {
        throw meaning(failed.getCause());
      } finally {
        exchange.cancel(true);
        client.shutdownNow(); // a response may be endless
      }
    } catch (LaterException | TooMuchException known) {
      throw known;
    } catch (IOException | GeneralSecurityException unusable) {
      throw new PrometheusException(String.valueOf(unusable.getMessage()));
    }
  }

  private List<Series> exchange(HttpClient client, HttpRequest request, RangeQuery query)
      throws Exception {
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      int code = response.statusCode();
      if (code == 200) {
        return complete(MatrixReader.read(body, query));
      }
      throw refusal(code, response, body, query);
    }
  }

  private List<Series> complete(Answer answer) throws PrometheusException, LaterException {
    if (!answer.succeeded()) {
      throw refused("reported that the query failed: " + said(answer.error()));
    }
    if (!answer.warning().isEmpty()) {
      throw new LaterException("returned a partial result: " + answer.warning());
    }
    return answer.series();
  }

  private Exception refusal(
      int code, HttpResponse<InputStream> response, InputStream body, RangeQuery query) {
    if (code >= 300 && code < 400) {
      return refused(
          "redirects to %s; redirects are not followed, use the URL of Prometheus itself"
              .formatted(said(response.headers().firstValue("Location").orElse("nowhere"))));
    }
    if (code == 401 || code == 403) {
      return refused("answered " + code + "; set --token-file to a bearer token that may query");
    }
    if (code == 404 || code == 405) {
      return refused(
          "answered "
              + code
              + "; the URL must be the part before /api/v1, with Prometheus' path prefix if any");
    }
    String reason = reason(body, query);
    String text = "answered " + code + reason;
    if (TOO_MUCH.contains(code) && !reason.isEmpty()) { // a proxy sends none
      return new TooMuchException(text);
    }
    return LATER.contains(code) || TOO_MUCH.contains(code) || code > 504
        ? new LaterException(text)
        : refused(said(text));
  }

  private static String reason(InputStream body, RangeQuery query) {
    try {
      Answer answer = MatrixReader.read(body, query);
      return answer.error().isEmpty() ? "" : ": " + said(answer.error());
    } catch (IOException noReason) {
      return "";
    }
  }

  private IOException meaning(@Nullable Throwable cause) throws PrometheusException {
    return switch (cause) {
      case PrometheusException known -> throw known;
      case TooMuchException much -> much;
      case StrangeException strange ->
          throw refused("returned an unexpected response: " + said(strange.getMessage()));
      case SSLHandshakeException untrusted ->
          throw refused(
              "has an untrusted certificate: "
                  + said(ServerVerifier.refusal(untrusted).orElse(untrusted.getMessage()))
                  + "; set --ca-file to its certificate authority");
      case JsonEOFException _ -> new LaterException("closed the connection during its response");
      case StreamConstraintsException hostile ->
          throw refused("returned an unexpected response: " + said(hostile.getOriginalMessage()));
      case JsonParseException _ ->
          throw refused("returned an unexpected response that is not JSON");
      case null -> new LaterException("cannot be queried");
      default -> new LaterException("cannot be queried: " + FailureReason.of(cause));
    };
  }

  /** Untrusted text, reduced to one line of limited length. */
  static String said(@Nullable String text) {
    String line = String.valueOf(text).replaceAll("[\\p{Cntrl}\\p{Cf}\\s]+", " ").strip();
    return ShortText.of(line, MAX_SAID);
  }
}
