package io.probelet.web.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.probelet.web.http.Resource.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Decides from the head of a request which resource answers it, or why it is refused.
 *
 * @param hosts takes the values of a request's Host headers, and says why they are not answered
 * @param gate whom it answers at all
 * @param bodyBytes the most there may be in a request
 * @param errors how an error is worded
 */
record Routing(
    Map<String, Route> routes,
    Function<List<String>, Optional<String>> hosts,
    Gate gate,
    int bodyBytes,
    Errors errors) {
  private static final String FETCH_SITE = "Sec-Fetch-Site";

  /** The paths of those that ask whether the program is healthy, which always get an answer. */
  private static final Set<String> HEALTH_PATHS = Set.of("/livez", "/readyz", "/healthz");

  private static final String VERBOSE = "verbose";

  /** What becomes of a request. */
  sealed interface Next {
    /** It is answered by its head alone. */
    record Call(Callable<Answer> answer) implements Next {}

    /**
     * It asks for health, and is answered by its head alone.
     *
     * @param key equal for requests with equal answers
     */
    record Health(String key, Callable<Answer> answer) implements Next {}

    /** Answered from its head alone, for authorized clients. */
    record Ask(GuardedResource resource, List<String> authorization) implements Next {}

    /** Its body is read first. */
    record Read(PostResource resource) implements Next {}

    /**
     * No resource answers it; the answer says why.
     *
     * @param allowed the methods that would be, if that is what is wrong; else none
     */
    record Refuse(Answer answer, List<String> allowed) implements Next {}
  }

  /** How an error is worded. */
  enum Errors {
    /** An object with the field {@code error}. */
    JSON,
    /** One line, which an API server shows to its user. */
    TEXT;

    Answer of(int status, String message) {
      return switch (this) {
        case JSON ->
            Answer.of(
                status,
                Resource.JSON,
                "{\"error\":\""
                    + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(message))
                    + "\"}\n");
        case TEXT -> Answer.of(status, Resource.TEXT, message + "\n");
      };
    }
  }

  Next of(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return switch (request.decoderResult().cause()) {
        case TooLongHttpLineException _ -> refuse(414, "the request line is too long");
        case TooLongHttpHeaderException _ -> refuse(431, "the request's headers are too large");
        default -> refuse(400, "not an HTTP request");
      };
    }
    Optional<String> wrongHost = hosts.apply(request.headers().getAll(HttpHeaderNames.HOST));
    if (wrongHost.isPresent()) {
      return refuse(421, wrongHost.get());
    }
    String path;
    Map<String, List<String>> query;
    try {
      QueryStringDecoder uri = new QueryStringDecoder(request.uri());
      path = uri.path();
      query = uri.parameters();
    } catch (IllegalArgumentException undecodable) {
      return refuse(400, "invalid escape in path or query: " + undecodable.getMessage());
    }
    Optional<Answer> stopped = gate.stop(head(request, path, query));
    if (stopped.isPresent()) {
      return new Next.Refuse(stopped.get(), List.of());
    }
    return switch (routes.get(path)) {
      case null ->
          refuse(404, "no " + path + " here; there is " + String.join(", ", routes.keySet()));
      case Resource resource when isGet(request) && HEALTH_PATHS.contains(path) ->
          health(path, query.containsKey(VERBOSE), resource);
      case Resource resource when isGet(request) -> new Next.Call(() -> resource.get(query));
      case GuardedResource resource when isGet(request) ->
          new Next.Ask(resource, request.headers().getAll(HttpHeaderNames.AUTHORIZATION));
      case PostResource resource when request.method().equals(HttpMethod.POST) ->
          read(request, resource);
      case ObjectsResource objects when isGet(request) -> new Next.Call(() -> objects.get(query));
      case ObjectsResource objects when request.method().equals(HttpMethod.PUT) ->
          read(request, objects::put);
      case ObjectsResource objects when request.method().equals(HttpMethod.DELETE) ->
          new Next.Call(() -> objects.delete(query));
      case Route other ->
          new Next.Refuse(
              errors.of(
                  405,
                  request.method()
                      + " is not allowed; use "
                      + String.join(" or ", other.methods())),
              other.methods());
    };
  }

  private Next read(HttpRequest request, PostResource resource) {
    return HttpUtil.getContentLength(request, 0L) > bodyBytes
        ? new Next.Refuse(tooLarge(), List.of())
        : new Next.Read(resource);
  }

  /** Other parameters are left out, so that there are few different answers. */
  private static Next health(String path, boolean verbose, Resource resource) {
    Map<String, List<String>> query = verbose ? Map.of(VERBOSE, List.of("")) : Map.of();
    return new Next.Health(path + (verbose ? "?" + VERBOSE : ""), () -> resource.get(query));
  }

  private static Gate.Head head(HttpRequest request, String path, Map<String, List<String>> query) {
    return new Gate.Head(
        path,
        query,
        request.headers().getAll(HttpHeaderNames.COOKIE),
        request.headers().getAll(FETCH_SITE));
  }

  /** The answer to a body that is too large. */
  Answer tooLarge() {
    return errors.of(413, "more than " + bodyBytes + " bytes");
  }

  private Next refuse(int status, String message) {
    return new Next.Refuse(errors.of(status, message), List.of());
  }

  private static boolean isGet(HttpRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }
}
