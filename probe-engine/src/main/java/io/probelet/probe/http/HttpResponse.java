package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.Verdict;
import io.probelet.probe.net.NetFailure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered.
 *
 * @param status the status code; HTTP/1.1 servers can send any number up to 999
 * @param location the Location header, null or empty for none
 * @param headers those that a rule asks for, by name in lower case; values of one name are joined
 * @param body what has arrived of it
 */
record HttpResponse(
    int status, @Nullable String location, Map<String, String> headers, BodyHead body) {
  /** {@return whether this status leads elsewhere when there is a Location (H-4)} */
  boolean redirects() {
    boolean leads =
        switch (status) {
          case 301, 302, 303, 307, 308 -> true;
          default -> false;
        };
    return leads && location != null && !location.isEmpty();
  }

  /** Collects the headers that rules ask for, and no more than 16 KiB of them. */
  static final class WantedHeaders {
    /** Characters of all values together; what goes beyond is dropped. */
    static final int MAX_CHARS = 16 * 1024;

    private static final WantedHeaders NONE = new WantedHeaders(HttpExpectation.KUBELET);

    private final HttpExpectation expected;
    private final Map<String, String> values = new LinkedHashMap<>(0);
    private int kept;

    private WantedHeaders(HttpExpectation expected) {
      this.expected = expected;
    }

    /** {@return what collects the headers of one answer; shared by all that want none} */
    static WantedHeaders of(HttpExpectation expected) {
      return any(expected) ? new WantedHeaders(expected) : NONE;
    }

    /** {@return whether any header is asked for} */
    boolean any() {
      return any(expected);
    }

    private static boolean any(HttpExpectation expected) {
      return !expected.headers().isEmpty() || expected.condition() != null;
    }

    /** Takes a header. */
    void add(String name, String value) {
      String lower = name.toLowerCase(Locale.ROOT);
      boolean ruled = expected.headers().stream().anyMatch(rule -> rule.name().equals(lower));
      if (!ruled) {
        if (expected.condition() == null || kept + lower.length() > MAX_CHARS) {
          return;
        }
        kept += lower.length(); // names that no rule has are the server's choice
      }
      String taken = value.substring(0, Math.min(value.length(), MAX_CHARS - kept));
      kept += taken.length();
      values.merge(lower, taken, (one, other) -> kept == MAX_CHARS ? one : one + ", " + other);
    }

    /** Forgets all, as an interim answer has ended. */
    void restart() {
      if (any()) {
        values.clear();
        kept = 0;
      }
    }

    Map<String, String> values() {
      return values;
    }
  }

  /** The first 10 KiB of a body (H-5), kept in no more memory than has arrived. */
  static final class BodyHead {
    private static final byte[] NOTHING = new byte[0];

    private byte[] bytes = NOTHING;
    private int length;

    /** Takes a piece; what goes beyond the limit is dropped. */
    void add(byte[] source, int from, int to) {
      int taken = Math.min(to - from, Verdict.OUTPUT_LIMIT - length);
      if (length + taken > bytes.length) {
        int roomy = Math.min(Math.max(length + taken, 2 * bytes.length), Verdict.OUTPUT_LIMIT);
        bytes = Arrays.copyOf(bytes, roomy);
      }
      System.arraycopy(source, from, bytes, length, taken);
      length += taken;
    }

    /** {@return whether the rest need not be waited for} */
    boolean full() {
      return length == Verdict.OUTPUT_LIMIT;
    }

    /** {@return what was kept, as text} */
    String text() {
      return length == 0 ? "" : new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
  }

  /** Takes the answer to one request. */
  interface Listener {
    /**
     * The head of the answer is complete.
     *
     * @return whether the body is wanted; if not, nothing more is reported
     */
    boolean head(HttpResponse answer);

    /** The answer is complete, as far as it is wanted. */
    void complete(HttpResponse answer);

    /**
     * There is no response, because the server has not processed the request: it may be retried.
     *
     * @param failure what it comes to if it is not
     */
    default void unprocessed(NetFailure failure) {
      failed(failure);
    }

    /** There is no response, or it is incomplete. */
    void failed(NetFailure failure);
  }
}
