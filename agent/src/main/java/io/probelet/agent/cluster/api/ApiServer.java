package io.probelet.agent.cluster.api;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The API server as JSON over HTTP, one blocking call at a time. Safe for use by several threads.
 */
public final class ApiServer {
  /** How long any answer but a watch's may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;
  private static final String JSON = "application/json";

  private final HttpClient http;
  private final String base;
  private final Duration patience;
  private final LongAdder requests = new LongAdder();

  /**
   * Talks over a client's connection.
   *
   * @param client knows the server and how to be let in; closed by its owner
   */
  public ApiServer(KubernetesClient client) {
    this(client, PATIENCE);
  }

  /** With another patience than 30 s. */
  ApiServer(KubernetesClient client, Duration patience) {
    this.patience = patience;
    http = client.getHttpClient();
    base = client.getMasterUrl().toString().replaceFirst("/+$", "");
  }

  /** {@return how many requests there have been} */
  public long requests() {
    return requests.sum();
  }

  /**
   * Reads.
   *
   * @param path with its query, beginning with a slash
   * @return the body, which is JSON in UTF-8
   * @throws ApiException if the answer is no success or does not come within 30 s
   * @throws InterruptedException if the caller gave up waiting
   */
  public byte[] get(String path) throws ApiException, InterruptedException {
    return answer("GET", path, request(path).build());
  }

  /**
   * Writes.
   *
   * @param method POST, PUT, PATCH or DELETE
   * @param path with its query, beginning with a slash
   * @param contentType of the body
   * @param body the object or patch
   * @throws ApiException if the answer is no success or does not come within 30 s
   * @throws InterruptedException if the caller gave up waiting
   */
  public void send(String method, String path, String contentType, String body)
      throws ApiException, InterruptedException {
    answer(method, path, request(path).method(method, contentType, body).build());
  }

  /**
   * Creates an object.
   *
   * @param path the collection
   * @param body the object
   * @throws ApiException if the answer is no success or does not come within 30 s
   * @throws InterruptedException if the caller gave up waiting
   */
  public void create(String path, String body) throws ApiException, InterruptedException {
    send("POST", path, JSON, body);
  }

  private HttpRequest.Builder request(String path) {
    return http.newHttpRequestBuilder().uri(base + path).header("Accept", JSON);
  }

  private byte[] answer(String method, String path, HttpRequest request)
      throws ApiException, InterruptedException {
    requests.increment();
    CompletableFuture<HttpResponse<byte[]>> call = http.sendAsync(request, byte[].class);
    HttpResponse<byte[]> response = await(call, patience, method, path);
    byte[] bytes = response.body();
    byte[] body = bytes == null ? new byte[0] : bytes;
    if (response.code() < OK || response.code() >= MULTIPLE_CHOICES) {
      throw ApiFailure.of(
          method,
          path,
          response.code(),
          new String(body, StandardCharsets.UTF_8),
          response.header("Retry-After"));
    }
    return body;
  }

  /**
   * Reads line by line, for as long as lines come.
   *
   * @param path with its query, beginning with a slash
   * @param silence after which the connection is taken for dead, at the latest when it has lasted
   *     twice as long
   * @param line takes each line, on a thread of the client's
   * @throws ApiException if the answer is no success or the connection breaks
   * @throws InterruptedException if the caller gave up waiting, which ends the reading
   */
  public void stream(String path, Duration silence, Consumer<String> line)
      throws ApiException, InterruptedException {
    requests.increment();
    Lines lines = new Lines(line);
    HttpResponse<AsyncBody> response =
        await(
            http.consumeBytes(request(path).forStreaming().build(), lines), patience, "GET", path);
    boolean success = response.code() == OK;
    if (!success) {
      lines.refused();
    }
    AsyncBody body = response.body();
    body.consume();
    try {
      listen(body, lines, success ? silence : patience, path);
    } finally {
      body.cancel();
    }
    if (!success) {
      throw ApiFailure.of(
          "GET", path, response.code(), lines.refusal(), response.header("Retry-After"));
    }
  }

  /** Waits for the end of a body, unless too long a time passes in which nothing comes. */
  private static void listen(AsyncBody body, Lines lines, Duration silence, String path)
      throws ApiException, InterruptedException {
    long before = lines.pieces();
    while (!ended(body, silence, path)) {
      long now = lines.pieces();
      if (now == before) {
        throw new ApiException(
            "GET %s: silent for %d s".formatted(path, silence.toSeconds()), null);
      }
      before = now;
    }
  }

  /** Waits for the end of a body and tells whether it came. */
  private static boolean ended(AsyncBody body, Duration atMost, String path)
      throws ApiException, InterruptedException {
    try {
      body.done().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException goesOn) {
      return false;
    } catch (ExecutionException failed) {
      throw broken("GET", path, failed);
    }
  }

  private static <T> T await(CompletableFuture<T> call, Duration atMost, String method, String path)
      throws ApiException, InterruptedException {
    try {
      return call.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException silent) {
      call.cancel(true);
      throw new ApiException(
          "%s %s: no answer within %d s".formatted(method, path, atMost.toSeconds()), silent);
    } catch (ExecutionException failed) {
      throw broken(method, path, failed);
    }
  }

  private static ApiException broken(String method, String path, ExecutionException failed) {
    Throwable cause = failed.getCause();
    return new ApiException(
        "%s %s: %s".formatted(method, path, cause == null ? failed : cause), cause);
  }

  /** Puts lines together from the pieces in which they come. */
  private static final class Lines implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final LineBuffer buffer = new LineBuffer();
    private final StringBuilder refusal = new StringBuilder();
    private final LongAdder pieces = new LongAdder();
    private volatile Consumer<String> line;

    Lines(Consumer<String> line) {
      this.line = line;
    }

    /** What comes is no lines but the reason why there are none. */
    void refused() {
      line = refusal::append;
    }

    String refusal() {
      return refusal + buffer.rest();
    }

    /** {@return how often something has come} */
    long pieces() {
      return pieces.sum();
    }

    @Override
    public void consume(List<ByteBuffer> come, AsyncBody body) {
      pieces.increment();
      for (ByteBuffer piece : come) {
        buffer.add(piece, line);
      }
      body.consume();
    }
  }
}
