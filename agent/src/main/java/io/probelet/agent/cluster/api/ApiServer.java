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
  private final LongAdder requests = new LongAdder();

  /**
   * Talks over a client's connection.
   *
   * @param client knows the server and how to be let in; closed by its owner
   */
  public ApiServer(KubernetesClient client) {
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
   * @return the body
   * @throws ApiException if the answer is no success or does not come within 30 s
   * @throws InterruptedException if the caller gave up waiting
   */
  public String get(String path) throws ApiException, InterruptedException {
    return answer("GET", path, request(path).build());
  }

  /**
   * Writes.
   *
   * @param method POST, PUT, PATCH or DELETE
   * @param path with its query, beginning with a slash
   * @param contentType of the body
   * @param body the object or patch
   * @return what the server made of it
   * @throws ApiException if the answer is no success or does not come within 30 s
   * @throws InterruptedException if the caller gave up waiting
   */
  public String send(String method, String path, String contentType, String body)
      throws ApiException, InterruptedException {
    return answer(method, path, request(path).method(method, contentType, body).build());
  }

  /**
   * Creates an object.
   *
   * @param path the collection
   * @param body the object
   * @return what the server made of it
   * @throws ApiException if the answer is no success or does not come within 30 s
   * @throws InterruptedException if the caller gave up waiting
   */
  public String create(String path, String body) throws ApiException, InterruptedException {
    return send("POST", path, JSON, body);
  }

  private HttpRequest.Builder request(String path) {
    return http.newHttpRequestBuilder().uri(base + path).header("Accept", JSON);
  }

  private String answer(String method, String path, HttpRequest request)
      throws ApiException, InterruptedException {
    requests.increment();
    CompletableFuture<HttpResponse<byte[]>> call = http.sendAsync(request, byte[].class);
    HttpResponse<byte[]> response = await(call, PATIENCE, method, path);
    byte[] bytes = response.body();
    String body = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    if (response.code() < OK || response.code() >= MULTIPLE_CHOICES) {
      throw ApiFailure.of(method, path, response.code(), body, response.header("Retry-After"));
    }
    return body;
  }

  /**
   * Reads line by line, for as long as lines come.
   *
   * @param path with its query, beginning with a slash
   * @param atMost after which the server is taken for gone
   * @param line takes each line, on a thread of the client's
   * @throws ApiException if the answer is no success or the connection breaks
   * @throws InterruptedException if the caller gave up waiting, which ends the reading
   */
  public void stream(String path, Duration atMost, Consumer<String> line)
      throws ApiException, InterruptedException {
    requests.increment();
    Lines lines = new Lines(line);
    HttpResponse<AsyncBody> response =
        await(
            http.consumeBytes(request(path).forStreaming().build(), lines), PATIENCE, "GET", path);
    boolean success = response.code() == OK;
    if (!success) {
      lines.refused();
    }
    AsyncBody body = response.body();
    body.consume();
    try {
      await(body.done(), success ? atMost : PATIENCE, "GET", path);
    } finally {
      body.cancel();
    }
    if (!success) {
      throw ApiFailure.of(
          "GET", path, response.code(), lines.refusal(), response.header("Retry-After"));
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
      Throwable cause = failed.getCause();
      throw new ApiException(
          "%s %s: %s".formatted(method, path, cause == null ? failed : cause), cause);
    }
  }

  /** Puts lines together from the pieces in which they come. */
  private static final class Lines implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final LineBuffer buffer = new LineBuffer();
    private final StringBuilder refusal = new StringBuilder();
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

    @Override
    public void consume(List<ByteBuffer> pieces, AsyncBody body) {
      for (ByteBuffer piece : pieces) {
        buffer.add(piece, line);
      }
      body.consume();
    }
  }
}
