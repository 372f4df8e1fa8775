package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that the server answers with a failure. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  final int code;
  final String reason;
  final @Nullable Duration retryAfter;

  /** Reason and message of each cause. */
  private final transient List<Map.Entry<String, String>> causes = new ArrayList<>();

  RefusedRequest(int code, String reason, String message, @Nullable Duration retryAfter) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  RefusedRequest(int code, String reason, String message) {
    this(code, reason, message, null);
  }

  RefusedRequest because(String cause, String message) {
    causes.add(Map.entry(cause, message));
    return this;
  }

  static RefusedRequest notFound(ApiKind kind, String name) {
    return notFound(kind.resource(), name);
  }

  static RefusedRequest notFound(String resource, String name) {
    return new RefusedRequest(404, "NotFound", "%s \"%s\" not found".formatted(resource, name));
  }

  static RefusedRequest noSuchPath() {
    return new RefusedRequest(404, "NotFound", "the server could not find the requested resource");
  }

  static RefusedRequest conflict(ApiKind kind, String name, String why) {
    return new RefusedRequest(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(kind.resource(), name, why));
  }

  static RefusedRequest modified(ApiKind kind, String name) {
    return conflict(
        kind,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  static RefusedRequest invalid(ApiKind kind, String name, String why) {
    return new RefusedRequest(
        422, "Invalid", "%s \"%s\" is invalid: %s".formatted(kind.kind(), name, why));
  }

  static RefusedRequest badRequest(String why) {
    return new RefusedRequest(400, "BadRequest", why);
  }

  static RefusedRequest expired(String why) {
    return new RefusedRequest(410, "Expired", why);
  }

  /** {@return the Status with which the server answers} */
  ObjectNode status() {
    ObjectNode status = ApiAnswer.status("Failure");
    status.put("message", getMessage()).put("reason", reason);
    if (retryAfter != null || !causes.isEmpty()) {
      ObjectNode details = status.putObject("details");
      if (retryAfter != null) {
        details.put("retryAfterSeconds", retryAfter.toSeconds());
      }
      if (!causes.isEmpty()) {
        ArrayNode all = details.putArray("causes");
        causes.forEach(
            each -> all.addObject().put("reason", each.getKey()).put("message", each.getValue()));
      }
    }
    return status.put("code", code);
  }
}
