package io.probelet.kube.event;

import io.probelet.health.OneLine;
import io.probelet.health.ShortText;

/**
 * One occurrence to report as an Event.
 *
 * @param source the reporting component, one word; truncated to 128 characters
 * @param type {@link #NORMAL} or {@link #WARNING}; the same for every occurrence of a cause
 * @param reason the reason in UpperCamelCase; truncated to 128 characters
 * @param key distinguishes causes with the same reason, such as the probe's kind; may be empty;
 *     beyond 256 characters the rest becomes a hash
 * @param message for the user; converted to one line and truncated to 1024 characters
 * @param urgent whether it has priority: a container is being stopped
 */
public record ApiEvent(
    InvolvedObject object,
    String source,
    String type,
    String reason,
    String key,
    String message,
    boolean urgent) {
  /** The type of normal events. */
  public static final String NORMAL = "Normal";

  /** The type of events that may require action. */
  public static final String WARNING = "Warning";

  /** The most characters of a message, as in the agents' admission policy. */
  public static final int MAX_MESSAGE = 1024;

  /** The most characters of a reason, as in the agents' admission policy. */
  public static final int MAX_REASON = 128;

  private static final int MAX_KEY = 256;

  /**
   * Converts the texts to plain lines within the limits of API and policy, since they contain
   * output of probes, programs and kernels. Truncates the key.
   */
  public ApiEvent {
    message = OneLine.of(message, MAX_MESSAGE);
    reason = OneLine.of(reason, MAX_REASON);
    source = OneLine.of(source, MAX_REASON);
    if (key.length() > MAX_KEY) {
      key = ShortText.beginning(key, MAX_KEY) + Integer.toHexString(key.hashCode());
    }
  }

  /** The identity of an Event: everything but the message. */
  record Cause(InvolvedObject object, String reason, String key) {}

  Cause cause() {
    return new Cause(object, reason, key);
  }
}
