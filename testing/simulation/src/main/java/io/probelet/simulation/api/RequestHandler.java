package io.probelet.simulation.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries out requests, whole and at once. */
final class RequestHandler {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");
  private static final Set<String> REVIEWS =
      Set.of(
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          "/apis/authorization.k8s.io/v1/subjectaccessreviews");

  private final ApiKinds kinds;
  private final ObjectStore store;
  private final ObjectWrites writes;
  private final Evictions evictions;
  private final ListPages pages;

  RequestHandler(ApiKinds kinds, ObjectStore store, ObjectWrites writes, Evictions evictions) {
    this.kinds = kinds;
    this.store = store;
    this.writes = writes;
    this.evictions = evictions;
    this.pages = new ListPages(store);
  }

  ApiAnswer handle(ApiRequest request) {
    try {
      ApiAnswer known = withoutObjects(request);
      return known == null ? ofObjects(request) : known;
    } catch (RefusedRequest refused) {
      return ApiAnswer.of(refused);
    }
  }

  private @Nullable ApiAnswer withoutObjects(ApiRequest request) {
    String path = request.path();
    if (path.equals("/version")) {
      ObjectNode version = JsonNodeFactory.instance.objectNode();
      version.put("major", "1").put("minor", "36").put("gitVersion", "v1.36.0");
      version.put("platform", "linux/amd64");
      return ApiAnswer.of(200, version);
    }
    if (HEALTH.contains(path)) {
      return ApiAnswer.of(200, "ok");
    }
    if (REVIEWS.contains(path) && request.method().equals("POST")) {
      ObjectNode review = (ObjectNode) body(request);
      review.putObject("status").put("allowed", true);
      return ApiAnswer.of(201, review);
    }
    if (!ResourcePath.isOne(path)) {
      ObjectNode discovered = kinds.discovery(path);
      if (discovered == null) {
        throw RefusedRequest.noSuchPath();
      }
      return ApiAnswer.of(200, discovered);
    }
    return null;
  }

  private ApiAnswer ofObjects(ApiRequest request) {
    ResourcePath path = ResourcePath.of(request.path());
    ApiKind kind = kinds.find(path.collection());
    if (kind == null) {
      throw RefusedRequest.noSuchPath();
    }
    boolean ofAllNamespaces = path.namespace().isEmpty();
    boolean fits = kind.namespaced() ? !ofAllNamespaces || path.name().isEmpty() : ofAllNamespaces;
    if (!fits) {
      throw RefusedRequest.noSuchPath();
    }
    if (!path.subresource().isEmpty()) {
      requireSubresource(kind, path.subresource());
    }
    return switch (request.method()) {
      case "GET" -> read(kind, path, request);
      case "POST" -> post(kind, path, body(request));
      case "PUT" -> {
        int code = writes.find(kind, path) == null ? 201 : 200;
        yield of(code, kind, writes.replace(kind, path, object(request)));
      }
      case "PATCH" -> patch(kind, path, request);
      case "DELETE" -> delete(kind, path, body(request));
      default -> throw new RefusedRequest(405, "MethodNotAllowed", request.method());
    };
  }

  private static void requireSubresource(ApiKind kind, String name) {
    boolean known =
        switch (name) {
          case "status" -> kind.is(ApiKind.Trait.STATUS);
          case "eviction" -> kind.collection().equals(ApiKinds.PODS);
          default -> false;
        };
    if (!known) {
      throw RefusedRequest.noSuchPath();
    }
  }

  private ApiAnswer read(ApiKind kind, ResourcePath path, ApiRequest request) {
    Selector selector = Selector.of(kind, request);
    if (request.isWatch()) {
      return new ApiAnswer.Endless(watch(kind, path, selector, request));
    }
    return path.name().isEmpty()
        ? ApiAnswer.of(200, pages.page(kind, path, selector, request))
        : of(200, kind, writes.get(kind, path));
  }

  private WatchStream watch(
      ApiKind kind, ResourcePath path, Selector selector, ApiRequest request) {
    String version = request.parameter("resourceVersion");
    long since = version.isEmpty() ? 0 : version(version);
    WatchStream watch = new WatchStream(store, kind, path, selector, request, since);
    if (since == 0) {
      store.objects(kind.collection()).values().stream()
          .filter(object -> path.isIn(ObjectFields.namespace(object)))
          .filter(selector::matches)
          .forEach(watch::existing);
      return watch;
    }
    try {
      store.since(kind.collection(), since).forEach(watch::changed);
    } catch (RefusedRequest expired) {
      watch.fail(expired); // as an event, as the watch cache does
    }
    return watch;
  }

  private static long version(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException invalid) {
      throw RefusedRequest.badRequest("invalid resource version: " + text);
    }
  }

  private ApiAnswer post(ApiKind kind, ResourcePath path, JsonNode body) {
    if (path.subresource().equals("eviction")) {
      return ApiAnswer.of(201, evictions.evict(kind, path, body));
    }
    if (!path.name().isEmpty() || !(body instanceof ObjectNode object)) {
      throw new RefusedRequest(405, "MethodNotAllowed", "cannot create at " + path);
    }
    if (kind.namespaced()) {
      requireNamespace(path.namespace());
    }
    return of(201, kind, writes.create(kind, path, object));
  }

  private void requireNamespace(String name) {
    if (name.isEmpty()) {
      throw RefusedRequest.badRequest("an empty namespace may not be set during creation");
    }
    ObjectNode namespace = store.find(ApiKinds.NAMESPACES, "", name);
    if (namespace == null) {
      throw RefusedRequest.notFound("namespaces", name);
    }
    if (ObjectFields.isDeleting(namespace)) {
      throw new RefusedRequest(
          403,
          "Forbidden",
          "unable to create new content in namespace %s because it is being terminated"
              .formatted(name));
    }
  }

  private ApiAnswer patch(ApiKind kind, ResourcePath path, ApiRequest request) {
    String type = request.type();
    if (!type.equals(ObjectPatch.APPLY)) {
      return of(200, kind, writes.patch(kind, path, type, body(request)));
    }
    String manager = request.parameter("fieldManager");
    if (manager.isEmpty()) {
      throw RefusedRequest.badRequest(
          "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for"
              + " apply patch");
    }
    boolean fresh = writes.find(kind, path) == null;
    if (fresh && kind.namespaced() && path.subresource().isEmpty()) {
      requireNamespace(path.namespace());
    }
    return of(fresh ? 201 : 200, kind, writes.apply(kind, path, manager, object(request)));
  }

  private ApiAnswer of(int code, ApiKind kind, ObjectNode stored) {
    return ApiAnswer.of(code, store.json(kind.collection(), stored));
  }

  private ApiAnswer delete(ApiKind kind, ResourcePath path, JsonNode options) {
    ObjectNode before = writes.get(kind, path);
    ObjectNode held = writes.delete(kind, path, options);
    if (held != null) {
      return ApiAnswer.of(200, held);
    }
    if (kind.is(ApiKind.Trait.GRACEFUL)) {
      return ApiAnswer.of(200, before);
    }
    ObjectNode done = ApiAnswer.status("Success");
    done.putObject("details")
        .put("name", path.name())
        .put("group", kind.group())
        .put("kind", kind.plural())
        .put("uid", ObjectFields.uid(before));
    return ApiAnswer.of(200, done);
  }

  private static ObjectNode object(ApiRequest request) {
    if (body(request) instanceof ObjectNode object) {
      return object;
    }
    throw RefusedRequest.badRequest("the body is not an object");
  }

  private static JsonNode body(ApiRequest request) {
    if (request.body().isEmpty()) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(request.body());
    } catch (JsonProcessingException invalid) {
      throw RefusedRequest.badRequest("the body is not JSON: " + invalid.getOriginalMessage());
    }
  }
}
