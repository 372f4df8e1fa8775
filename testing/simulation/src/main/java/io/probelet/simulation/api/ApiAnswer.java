package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the server answers. */
sealed interface ApiAnswer {
  /** The HTTP status. */
  int code();

  /**
   * A whole body.
   *
   * @param retryAfter the wait asked for; null for none
   */
  record Whole(int code, String body, @Nullable Duration retryAfter) implements ApiAnswer {}

  /** A stream that the watch continues. */
  record Endless(WatchStream watch) implements ApiAnswer {
    @Override
    public int code() {
      return 200;
    }
  }

  static Whole of(int code, JsonNode body) {
    return of(code, body.toString());
  }

  static Whole of(int code, String body) {
    return new Whole(code, body, null);
  }

  static Whole of(RefusedRequest refused) {
    return new Whole(refused.code, refused.status().toString(), refused.retryAfter);
  }

  /** {@return a Status without details} */
  static ObjectNode status(String outcome) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
    return status.put("status", outcome);
  }
}
