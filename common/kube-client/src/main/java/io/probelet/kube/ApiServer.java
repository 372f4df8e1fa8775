package io.probelet.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.health.ShortText;
import io.probelet.health.Threads;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.object.WireJson;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests, each once and with a timeout. The client's own retries are disabled: they would
 * repeat a write without checking whether we still lead.
 */
public final class ApiServer {
  /** The field manager of all fields that we write. */
  public static final String FIELD_MANAGER = "probelet";

  /** JSON merge patch: replaces values, and lists as a whole. */
  public static final String MERGE_PATCH = "application/merge-patch+json";

  /** Strategic merge patch: merges lists by the key of their elements. */
  public static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";

  /** JSON patch: a list of changes, which may begin with tests. */
  public static final String JSON_PATCH = "application/json-patch+json";

  /** The encoding available for every kind. */
  public static final String JSON_TYPE = "application/json";

  /** Two encodings, the cheaper first; the server uses the other for kinds without protobuf. */
  public static final String PROTOBUF_OR_JSON = ProtobufEnvelope.MEDIA_TYPE + "," + JSON_TYPE;

  /** The result after the owner has closed the client. */
  static final ApiResult CLOSED = new Unanswered("the client is closed");

  /** A write may have succeeded nevertheless. */
  private static final ApiResult TOO_LARGE =
      new Unanswered("response has " + ObjectLimits.LARGE.text());

  private static final String APPLY_PATCH = "application/apply-patch+yaml";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration GRACE = Duration.ofMillis(500);
  private static final int FORBIDDEN = 403;
  private static final int LONGEST_WHY = 300;

  private final HttpClient http;
  private final String root;
  private final Duration timeout;
  private final Threads threads;
  private final Reachability reachability;

  private ApiServer(
      HttpClient http, String root, Duration timeout, Threads threads, Reachability reachability) {
    this.reachability = reachability;
    this.http = http;
    this.root = root;
    this.timeout = timeout;
    this.threads = threads;
  }

  /**
   * Uses a client's connection and credentials, in the time of this machine.
   *
   * @param client closed by its creator
   * @param timeout how long a request may take
   */
  public static ApiServer of(KubernetesClient client, Duration timeout) {
    return of(client, timeout, Threads.MACHINE);
  }

  /**
   * Uses a client's connection and credentials.
   *
   * @param client closed by its creator
   * @param timeout how long a request may take
   * @param threads in whose time it waits for responses
   */
  public static ApiServer of(KubernetesClient client, Duration timeout, Threads threads) {
    return of(client, timeout, threads, new Reachability());
  }

  /**
   * Uses a client's connection and credentials, in addition to another instance. Responses to
   * either end waits after failures.
   *
   * @param client closed by its creator
   * @param timeout how long a request may take
   */
  public static ApiServer beside(ApiServer other, KubernetesClient client, Duration timeout) {
    return of(client, timeout, other.threads, other.reachability);
  }

  private static ApiServer of(
      KubernetesClient client, Duration timeout, Threads threads, Reachability reachability) {
    RequestConfig once =
        new RequestConfigBuilder()
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout(Math.toIntExact(timeout.toMillis()))
            .build();
    String root = client.getMasterUrl().toString();
    return new ApiServer(
        client.newClient(once).getHttpClient(),
        root.endsWith("/") ? root.substring(0, root.length() - 1) : root,
        timeout,
        threads,
        reachability);
  }

  /**
   * Registers a task that runs when the server responds again after a failure, to a request of any
   * sender.
   *
   * @param task returns at once
   * @return a task that ends the registration
   */
  public Runnable whenBack(Runnable task) {
    return reachability.whenBack(task);
  }

  /**
   * Registers a task that runs when the server stops responding, to a request of any sender.
   *
   * @param task returns at once
   */
  public void whenLost(Runnable task) {
    reachability.whenLost(task);
  }

  /**
   * Records the result of a streamed request such as a watch, so that waiting senders are notified
   * as by any other response.
   *
   * @param answer how it ended
   */
  public void ended(ApiResult answer) {
    if (!answer.isSilence() && !answer.equals(CLOSED) && !Thread.currentThread().isInterrupted()) {
      reachability.took(answer);
    }
  }

  /** {@return in whose time it waits} */
  Threads threads() {
    return threads;
  }

  /** {@return the timeout of a request} */
  public Duration timeout() {
    return timeout;
  }

  /** Reads. */
  public ApiResult get(String path) {
    return get(path, KeptFields.ALL);
  }

  /**
   * Reads some fields of an object, however large the others are. Lists are read by {@link
   * io.probelet.kube.watch.ObjectList}.
   *
   * @return the result; {@link Unanswered} if the kept part is larger than {@link
   *     ObjectLimits#LARGE}
   */
  public ApiResult get(String path, KeptFields fields) {
    return send(http.newHttpRequestBuilder().uri(root + path), fields);
  }

  /** Receives the bytes of a response as they arrive, on one thread at a time. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives some bytes.
     *
     * @param bytes valid during the call only
     * @throws IOException if they are not the expected content; ends the response
     */
    void take(ByteBuffer bytes) throws IOException;
  }

  /**
   * Reads a possibly long response to its end.
   *
   * @param silence the longest time without data
   * @param sink receives the data, if the request is not refused
   * @return the result, without a body
   * @throws InterruptedException if the thread was interrupted; no further data arrives then
   */
  public ApiResult stream(String path, Duration silence, Sink sink) throws InterruptedException {
    return download(http.newHttpRequestBuilder().uri(root + path), silence, sink);
  }

  /**
   * Requests a part of a collection. The server compresses long ones with gzip, usually to a tenth,
   * which saves more TLS work than decompression costs.
   *
   * @param accepted the accepted media types, separated by commas, in order of preference
   * @return the response, to be read and closed; it arrives only as fast as it is read
   */
  public PulledAnswer open(String path, String accepted) {
    HttpRequest.Builder request = reading(path, accepted).header("Accept-Encoding", "gzip");
    return PulledAnswer.to(this, http, request.build(), timeout);
  }

  /**
   * Reads an endless response until it is ended.
   *
   * @param accepted the accepted media types, separated by commas, in order of preference
   * @param silence the longest time without data
   * @param sink receives the data, if the request is not refused
   * @return the result, without a body
   * @throws InterruptedException if the thread was interrupted; no further data arrives then
   */
  public ApiResult follow(String path, String accepted, Duration silence, Sink sink)
      throws InterruptedException {
    return download(reading(path, accepted).forStreaming(), silence, sink);
  }

  private HttpRequest.Builder reading(String path, String accepted) {
    return http.newHttpRequestBuilder().uri(root + path).header("Accept", accepted);
  }

  private ApiResult download(HttpRequest.Builder request, Duration silence, Sink sink)
      throws InterruptedException {
    return new Download(this, sink).run(http, request.build(), timeout, silence);
  }

  /** Creates an object. */
  public ApiResult create(String path, JsonNode object) {
    return send(http.newHttpRequestBuilder().uri(managed(path)).post(JSON_TYPE, object.toString()));
  }

  /**
   * Replaces an object.
   *
   * @param object the new object, with the version it replaces
   */
  public ApiResult replace(String path, JsonNode object) {
    return send(http.newHttpRequestBuilder().uri(managed(path)).put(JSON_TYPE, object.toString()));
  }

  /**
   * Changes an object.
   *
   * @param type {@link #MERGE_PATCH}, {@link #STRATEGIC_PATCH} or {@link #JSON_PATCH}
   */
  public ApiResult patch(String path, String type, JsonNode patch) {
    return send(
        http.newHttpRequestBuilder().uri(managed(path)).method("PATCH", type, patch.toString()));
  }

  /**
   * Applies an object, or our part of it, by server-side apply.
   *
   * @param part our complete part of the object
   */
  public ApiResult apply(String path, JsonNode part) {
    return send(
        http.newHttpRequestBuilder()
            .uri(managed(path) + "&force=true")
            .method("PATCH", APPLY_PATCH, part.toString()));
  }

  /**
   * Deletes an object.
   *
   * @return the result; with the object if finalizers hold it
   */
  public ApiResult delete(String path, JsonNode options) {
    return send(
        http.newHttpRequestBuilder().uri(root + path).delete(JSON_TYPE, options.toString()));
  }

  private String managed(String path) {
    return root + path + "?fieldManager=" + FIELD_MANAGER;
  }

  private ApiResult send(HttpRequest.Builder builder) {
    return send(builder, KeptFields.ALL);
  }

  private ApiResult send(HttpRequest.Builder builder, KeptFields fields) {
    ApiResult answer = sendOnce(builder, fields);
    if (!answer.equals(CLOSED) && !Thread.currentThread().isInterrupted()) {
      reachability.took(answer);
    }
    return answer;
  }

  private ApiResult sendOnce(HttpRequest.Builder builder, KeptFields fields) {
    HttpRequest request = builder.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS).build();
    CompletableFuture<HttpResponse<String>> sent;
    try {
      sent = http.sendAsync(request, String.class);
    } catch (RejectedExecutionException closed) {
      return CLOSED;
    }
    try {
      HttpResponse<String> response = threads.get(sent, timeout.plus(GRACE));
      return read(request, response, response.body() == null ? "" : response.body(), fields);
    } catch (TimeoutException late) {
      sent.cancel(true);
      return new Unanswered("timed out after " + timeout.toMillis() + " ms");
    } catch (ExecutionException failed) {
      return new Unanswered(String.valueOf(failed.getCause()));
    } catch (InterruptedException stop) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      return new Unanswered("interrupted");
    }
  }

  ApiResult read(HttpRequest request, HttpResponse<?> response, String text) {
    return read(request, response, text, KeptFields.ALL);
  }

  private ApiResult read(
      HttpRequest request, HttpResponse<?> response, String text, KeptFields fields) {
    if (response.isSuccessful()) {
      return text.isEmpty() ? new Done(MissingNode.getInstance()) : parsed(text, fields);
    }
    return ApiResult.failure(
        response.code(),
        why(request, response.code(), message(text)),
        duration(response.header("Retry-After")));
  }

  private static ApiResult parsed(String text, KeptFields fields) {
    try (JsonParser json = WireJson.FACTORY.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return BoundedObject.readAny(json, ObjectLimits.LARGE)
            .<ApiResult>map(Done::new)
            .orElse(TOO_LARGE);
      }
      return BoundedObject.read(json, fields, ObjectLimits.LARGE)
              instanceof Whole(ObjectNode object)
          ? new Done(object)
          : TOO_LARGE;
    } catch (JsonProcessingException cut) {
      return new Unanswered("response is not JSON: " + cut.getOriginalMessage());
    } catch (IOException other) {
      return new Unanswered("response is not JSON: " + other.getMessage());
    }
  }

  /** Adds the permission that the authorizer requires; admission also responds with 403. */
  private String why(HttpRequest request, int code, String message) {
    return code == FORBIDDEN && message.contains(" cannot ")
        ? "%s; the service account needs the rule %s, see Rights in docs/operate/security.md"
            .formatted(
                message,
                RbacRule.of(request.method(), request.uri().toString().substring(root.length())))
        : message;
  }

  /** A refused eviction names its budget only in the details. */
  private static String message(String text) {
    try {
      JsonNode status = JSON.readTree(text);
      JsonNode message = status.path("message");
      StringBuilder said = new StringBuilder(message.isTextual() ? message.textValue() : text);
      for (JsonNode cause : status.at("/details/causes")) {
        if (cause.path("reason").asText().equals("DisruptionBudget")) {
          said.append(' ').append(cause.path("message").asText());
        }
      }
      return cut(said.toString());
    } catch (JsonProcessingException plain) {
      return cut(text);
    }
  }

  /** Truncates to one line; a proxy may send a page of HTML. */
  private static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return ShortText.of(line, LONGEST_WHY);
  }

  private static @Nullable Duration duration(@Nullable String header) {
    return header != null && header.matches("[0-9]{1,5}")
        ? Duration.ofSeconds(Integer.parseInt(header))
        : null;
  }
}
