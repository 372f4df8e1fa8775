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
 * Sends requests, each once and within a bounded time. The client's own retries are off: they would
 * send a write again without asking whether we still may write.
 */
public final class ApiServer {
  /** Who all fields that we write belong to. */
  public static final String FIELD_MANAGER = "probelet";

  /** Replaces values, and lists as a whole. */
  public static final String MERGE_PATCH = "application/merge-patch+json";

  /** As the API server's types say: lists are merged by the key of their elements. */
  public static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";

  /** A list of changes, which may begin with tests. */
  public static final String JSON_PATCH = "application/json-patch+json";

  /** The encoding that is understood for every kind. */
  public static final String JSON_TYPE = "application/json";

  /** Two encodings, the cheaper first; a server that has only the other for a kind sends that. */
  public static final String PROTOBUF_OR_JSON = ProtobufEnvelope.MEDIA_TYPE + "," + JSON_TYPE;

  /** Its owner closed the client while others still write. */
  static final ApiResult CLOSED = new Unanswered("the client is closed");

  /** A write may have been carried out all the same. */
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
  private final Reachability reachability;

  private ApiServer(HttpClient http, String root, Duration timeout, Reachability reachability) {
    this.reachability = reachability;
    this.http = http;
    this.root = root;
    this.timeout = timeout;
  }

  /**
   * Uses a client's connection and credentials.
   *
   * @param client the author's to close
   * @param timeout how long a request may take
   */
  public static ApiServer of(KubernetesClient client, Duration timeout) {
    return of(client, timeout, new Reachability());
  }

  /**
   * Uses a client's connection and credentials, beside another that does. Whoever waits after a
   * failure learns from the answers of both that the server is back.
   *
   * @param client the author's to close
   * @param timeout how long a request may take
   */
  public static ApiServer beside(ApiServer other, KubernetesClient client, Duration timeout) {
    return of(client, timeout, other.reachability);
  }

  private static ApiServer of(
      KubernetesClient client, Duration timeout, Reachability reachability) {
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
        reachability);
  }

  /**
   * Registers for the moment when the server has answered a request for the first time after one
   * that it did not, whoever sent them.
   *
   * @param task returns at once
   * @return to be run when the task is no longer to be notified, unless it lives as long as this
   */
  public Runnable whenBack(Runnable task) {
    return reachability.whenBack(task);
  }

  /**
   * Registers for the moment when a request is not answered after one that was, whoever sent it.
   *
   * @param task returns at once
   */
  public void whenLost(Runnable task) {
    reachability.whenLost(task);
  }

  /**
   * Records how a request ended that was read piece by piece, such as a watch: those who wait learn
   * of it as of any other answer.
   *
   * @param answer how it ended
   */
  public void ended(ApiResult answer) {
    if (!answer.isSilence() && !answer.equals(CLOSED) && !Thread.currentThread().isInterrupted()) {
      reachability.took(answer);
    }
  }

  /** {@return how long a request may take} */
  public Duration timeout() {
    return timeout;
  }

  /** Reads. */
  public ApiResult get(String path) {
    return get(path, KeptFields.ALL);
  }

  /**
   * Reads one object of which only some fields are needed, however large the others are. Lists are
   * read by {@link io.probelet.kube.watch.ObjectList}.
   *
   * @return the answer; {@link Unanswered} if what is to be kept is larger than {@link
   *     ObjectLimits#LARGE}
   */
  public ApiResult get(String path, KeptFields fields) {
    return send(http.newHttpRequestBuilder().uri(root + path), fields);
  }

  /** Takes an answer's bytes as they come, by one thread at a time. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes some.
     *
     * @param bytes valid during the call only
     * @throws IOException if they are not what was asked for; ends the answer
     */
    void take(ByteBuffer bytes) throws IOException;
  }

  /**
   * Reads what may be long, and waits until it ends.
   *
   * @param silence how long nothing may come
   * @param sink takes what comes, if the request is not refused
   * @return the answer, without a body
   * @throws InterruptedException if the thread was interrupted; nothing comes any more then
   */
  public ApiResult stream(String path, Duration silence, Sink sink) throws InterruptedException {
    return download(http.newHttpRequestBuilder().uri(root + path), silence, sink);
  }

  /**
   * Asks for a part of a collection. A server packs those that are long with gzip, to a tenth as a
   * rule, which saves more of TLS than unpacking costs.
   *
   * @param accepted the media types to choose from, with commas, the best first
   * @return the answer, to be read and closed; it comes only as fast as it is read
   */
  public PulledAnswer open(String path, String accepted) {
    HttpRequest.Builder request = reading(path, accepted).header("Accept-Encoding", "gzip");
    return PulledAnswer.to(this, http, request.build(), timeout);
  }

  /**
   * Reads what has no end of its own, and waits until it is ended.
   *
   * @param accepted the media types to choose from, with commas, the best first
   * @param silence how long nothing may come
   * @param sink takes what comes, if the request is not refused
   * @return the answer, without a body
   * @throws InterruptedException if the thread was interrupted; nothing comes any more then
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
   * @param object how it is to be; names the version it replaces
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
   * Makes an object, or that part of it which is ours, as it is to be, by server-side apply.
   *
   * @param part all that is ours of it
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
   * @return the answer; with the object if finalizers hold it
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
      HttpResponse<String> response =
          sent.get(timeout.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
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

  /** Names what the authorizer asks for; it is not the only one that answers with 403. */
  private String why(HttpRequest request, int code, String message) {
    return code == FORBIDDEN && message.contains(" cannot ")
        ? "%s; the service account needs the rule %s, see Rights in docs/security.md"
            .formatted(
                message,
                RbacRule.of(request.method(), request.uri().toString().substring(root.length())))
        : message;
  }

  /** Of an eviction the budget that refuses it is named in the details alone. */
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

  /** One line, and no page of HTML from some proxy. */
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
