package io.probelet.kube.event;

import io.probelet.health.OneLine;
import io.probelet.health.ShortText;

/**
 * One occurrence of something worth an Event.
 *
 * @param source who noticed it, one word; of more than 128 characters the rest is left out
 * @param type {@link #NORMAL} or {@link #WARNING}; the same for every occurrence of a cause
 * @param reason one word in UpperCamelCase; of more than 128 characters the rest is left out
 * @param key distinguishes causes of the same reason, such as the probe's kind; possibly empty, of
 *     more than 256 characters the rest is replaced by a hash
 * @param message for the user, which becomes one plain line; of more than 1024 characters the rest
 *     is left out
 * @param urgent whether it goes before others: a container is being stopped
 */
public record ApiEvent(
    InvolvedObject object,
    String source,
    String type,
    String reason,
    String key,
    String message,
    boolean urgent) {
  /** The type of what is as it should be. */
  public static final String NORMAL = "Normal";

  /** The type of what somebody may have to do something about. */
  public static final String WARNING = "Warning";

  /** The most characters of a message, which the agents' admission policy allows too. */
  public static final int MAX_MESSAGE = 1024;

  /** The most characters of a reason, which the agents' admission policy allows too. */
  public static final int MAX_REASON = 128;

  private static final int MAX_KEY = 256;

  /**
   * Makes the texts plain lines within what the API and the policy take: probes, programs and
   * kernels write into them. Cuts the key to what may be kept.
   */
  public ApiEvent {
    message = OneLine.of(message, MAX_MESSAGE);
    reason = OneLine.of(reason, MAX_REASON);
    source = OneLine.of(source, MAX_REASON);
    if (key.length() > MAX_KEY) {
      key = ShortText.beginning(key, MAX_KEY) + Integer.toHexString(key.hashCode());
    }
  }

  /** What makes two occurrences one Event: everything but the words. */
  record Cause(InvolvedObject object, String reason, String key) {}

  Cause cause() {
    return new Cause(object, reason, key);
  }
}
