package io.probelet.simulation.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
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
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Whole(int code, byte[] body, @Nullable Duration retryAfter) implements ApiAnswer {}

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
    return new Whole(code, body.getBytes(UTF_8), null);
  }

  static Whole of(RefusedRequest refused) {
    return new Whole(refused.code, refused.status().toString().getBytes(UTF_8), refused.retryAfter);
  }

  static Whole text(String body) {
    return of(200, body);
  }
}
