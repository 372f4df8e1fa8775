package io.probelet.probe;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What an HTTP answer must be to count as success. {@link #KUBELET} leaves that to H-3; any other
 * expectation replaces it: a final answer that fits is a success, any other a failure.
 *
 * @param statuses accepted status codes; empty means 200 to 399
 * @param body rules that must all hold for the first 10 KiB of the body; may be empty
 * @param anyAnswer whether any final answer is a success, whatever its status and body
 */
public record HttpExpectation(List<Integer> statuses, List<BodyRule> body, boolean anyAnswer) {
  /** The kubelet's rule: 2xx is success, a terminated redirect a warning, the rest failure. */
  public static final HttpExpectation KUBELET = new HttpExpectation(List.of(), List.of());

  /** What a preStop hook expects: that there is an answer (D-7). */
  public static final HttpExpectation ANY_ANSWER = new HttpExpectation(List.of(), List.of(), true);

  /**
   * Statuses and rules that an answer must satisfy.
   *
   * @param statuses accepted status codes; empty means 200 to 399
   * @param body rules that must all hold; may be empty
   */
  public HttpExpectation(List<Integer> statuses, List<BodyRule> body) {
    this(statuses, body, false);
  }

  /** Rejects codes that are no HTTP status, and keeps unmodifiable copies of the lists. */
  public HttpExpectation {
    statuses = List.copyOf(statuses);
    body = List.copyOf(body);
    for (int status : statuses) {
      if (status < 100 || status > 599) {
        throw new IllegalArgumentException("status " + status + " is not between 100 and 599");
      }
    }
  }

  /** Something the body must satisfy. */
  public sealed interface BodyRule {
    /**
     * The body contains a text.
     *
     * @param text searched for literally, case-sensitive
     */
    record Contains(String text) implements BodyRule {}

    /**
     * The body contains a match of a regular expression.
     *
     * @param pattern bounded in size, matched in linear time
     */
    record Matches(BodyPattern pattern) implements BodyRule {}

    /**
     * The body is JSON and the value at a pointer equals the expected one.
     *
     * @param pointer RFC 6901
     * @param expected compared by value; 1 and 1.0 are equal
     */
    record JsonEquals(JsonPointer pointer, JsonNode expected) implements BodyRule {}
  }
}
