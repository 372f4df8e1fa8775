package io.probelet.kube.delegated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import java.util.function.BiFunction;

/** The two reviews by the API server, and their answers. */
final class Reviews {
  static final String TOKEN_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
  static final String ACCESS_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

  private final BiFunction<String, JsonNode, ApiResult> create;

  /** The answer about a token, or about a user. */
  sealed interface Finding {
    /** Yes. */
    record Yes(JsonNode user) implements Finding {}

    /** No. */
    record No() implements Finding {}

    /** No usable answer. */
    record Unknown(String why) implements Finding {}
  }

  /** Creates it. */
  Reviews(BiFunction<String, JsonNode, ApiResult> create) {
    this.create = create;
  }

  /** Reviews a token and finds its user. */
  Finding token(String token) {
    ObjectNode review = review("authentication.k8s.io/v1", "TokenReview");
    review.withObject("/spec").put("token", token);
    return switch (create.apply(TOKEN_REVIEWS, review)) {
      case Done(JsonNode answer) when answer.at("/status/authenticated").asBoolean() -> {
        JsonNode user = answer.at("/status/user");
        yield name(user).isEmpty() ? new Finding.No() : new Finding.Yes(user);
      }
      case Done(JsonNode answer) when answer.path("status").isObject() -> new Finding.No();
      case Done(JsonNode answer) ->
          new Finding.Unknown("TokenReview has no status: " + answer.getNodeType());
      case ApiResult failure -> new Finding.Unknown(failure.summary());
    };
  }

  /** Reviews whether a user may get a non-resource path. */
  Finding access(JsonNode user, String path) {
    ObjectNode review = review("authorization.k8s.io/v1", "SubjectAccessReview");
    ObjectNode spec = review.withObject("/spec");
    spec.put("user", name(user));
    for (String field : new String[] {"uid", "groups", "extra"}) {
      if (user.has(field)) {
        spec.set(field, user.get(field));
      }
    }
    spec.withObject("/nonResourceAttributes").put("path", path).put("verb", "get");
    return switch (create.apply(ACCESS_REVIEWS, review)) {
      case Done(JsonNode answer)
          when answer.at("/status/allowed").asBoolean()
              && !answer.at("/status/denied").asBoolean() ->
          new Finding.Yes(user);
      case Done(JsonNode answer) when answer.path("status").isObject() -> new Finding.No();
      case Done(JsonNode answer) ->
          new Finding.Unknown("SubjectAccessReview has no status: " + answer.getNodeType());
      case ApiResult failure -> new Finding.Unknown(failure.summary());
    };
  }

  /** {@return the user's name; empty if there is none} */
  static String name(JsonNode user) {
    return user.path("username").asText();
  }

  private static ObjectNode review(String version, String kind) {
    return JsonNodeFactory.instance.objectNode().put("apiVersion", version).put("kind", kind);
  }
}
