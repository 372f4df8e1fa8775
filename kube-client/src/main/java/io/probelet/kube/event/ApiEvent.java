package io.probelet.kube.event;

import io.probelet.health.ShortText;

/**
 * One occurrence of something worth an Event.
 *
 * @param object what it is about
 * @param source who noticed it, one word
 * @param type {@link #NORMAL} or {@link #WARNING}; the same for every occurrence of a cause
 * @param reason one word in UpperCamelCase
 * @param key distinguishes causes of the same reason, such as the probe's kind; possibly empty, of
 *     more than 256 characters the rest is replaced by a hash
 * @param message for the user; of more than 1024 characters the rest is left out
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

  private static final int MAX_MESSAGE = 1024;
  private static final int MAX_KEY = 256;

  /** Cuts the message to what the API takes, and the key to what may be kept. */
  public ApiEvent {
    message = ShortText.of(message, MAX_MESSAGE);
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
