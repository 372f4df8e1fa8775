package io.probelet.probe;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions for an HTTP response to count as success. {@link #KUBELET} follows H-3. Any other
 * expectation replaces H-3: a final response that meets it is a success, any other a failure.
 *
 * @param statuses accepted status codes; empty means 200 to 399
 * @param headers rules that must all hold for the headers; may be empty
 * @param body rules that must all hold for the first 10 KiB of the body; may be empty
 * @param condition that must hold for the whole response, and decides on its status where there are
 *     no statuses; null for none
 * @param anyAnswer whether any final answer is a success, whatever its status and body
 */
public record HttpExpectation(
    List<Integer> statuses,
    List<HeaderRule> headers,
    List<BodyRule> body,
    @Nullable ResponseCondition condition,
    boolean anyAnswer) {
  /** The kubelet's rule: 2xx is success, a terminated redirect a warning, the rest failure. */
  public static final HttpExpectation KUBELET = new HttpExpectation(List.of(), List.of());

  /** The expectation of a preStop hook: any response (D-7). */
  public static final HttpExpectation ANY_ANSWER =
      new HttpExpectation(List.of(), List.of(), List.of(), null, true);

  /**
   * Statuses and rules that an answer must satisfy.
   *
   * @param statuses accepted status codes; empty means 200 to 399
   * @param body rules that must all hold; may be empty
   */
  public HttpExpectation(List<Integer> statuses, List<BodyRule> body) {
    this(statuses, List.of(), body);
  }

  /**
   * Statuses and rules that an answer must satisfy.
   *
   * @param statuses accepted status codes; empty means 200 to 399
   * @param headers rules that must all hold; may be empty
   * @param body rules that must all hold; may be empty
   */
  public HttpExpectation(List<Integer> statuses, List<HeaderRule> headers, List<BodyRule> body) {
    this(statuses, headers, body, null, false);
  }

  /** Rejects invalid HTTP status codes, and copies the lists. */
  public HttpExpectation {
    statuses = List.copyOf(statuses);
    headers = List.copyOf(headers);
    body = List.copyOf(body);
    for (int status : statuses) {
      if (status < 100 || status > 599) {
        throw new IllegalArgumentException("status " + status + " is not between 100 and 599");
      }
    }
  }

  /** {@return whether the body decides} */
  public boolean readsBody() {
    return !body.isEmpty() || condition != null;
  }

  /** A condition for a whole response. Its evaluation takes no more than some 100 ms. */
  public interface ResponseCondition {
    /**
     * Evaluates it.
     *
     * @param response after all redirects
     * @return why it does not hold; null if it does
     */
    @Nullable String broken(Response response);
  }

  /**
   * A response, as a condition sees it.
   *
   * @param status its status code
   * @param headers by name in lower case, values of one name joined by commas; the first 16 KiB
   * @param body the first 10 KiB
   * @param json the body, null unless it is JSON
   * @param phases how long each completed phase took, by the names of {@code
   *     probelet_probe_phase_duration_seconds}, and {@code total}
   */
  public record Response(
      int status,
      Map<String, String> headers,
      String body,
      @Nullable JsonNode json,
      Map<String, Duration> phases) {}

  /**
   * A rule for a header of the response.
   *
   * @param name in lower case
   * @param rule holds for its values, joined by commas where there are several; null if any value
   *     will do
   */
  public record HeaderRule(String name, @Nullable BodyRule rule) {}

  /** A rule for the body, or for the value of a header. */
  public sealed interface BodyRule {
    /**
     * The body contains a text.
     *
     * @param text searched for literally, case-sensitive
     */
    record Contains(String text) implements BodyRule {}

    /**
     * The body does not contain a text.
     *
     * @param text searched for literally, case-sensitive
     */
    record NotContains(String text) implements BodyRule {}

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

    /**
     * The whole response complies with a condition; made once the response is there.
     *
     * @param condition to comply with
     * @param status of the response
     * @param headers of the response
     * @param phases of the probe
     */
    record Complies(
        ResponseCondition condition,
        int status,
        Map<String, String> headers,
        Map<String, Duration> phases)
        implements BodyRule {}
  }
}
