package io.probelet.agent.cluster.publish;

/**
 * Something worth an event in the API server.
 *
 * @param subject what it is about
 * @param source who noticed it, one word
 * @param type Normal or Warning
 * @param reason one word in UpperCamelCase
 * @param about tells causes of the same reason apart, such as the probe's kind; possibly empty
 * @param message for the user; of more than 1024 characters the rest is left out
 * @param urgent whether it goes before others: a container is being stopped
 */
record ApiEvent(
    EventSubject subject,
    String source,
    String type,
    String reason,
    String about,
    String message,
    boolean urgent) {
  /** Who notices what happens to pods. */
  static final String PROBELET = "probelet";

  private static final int MAX_MESSAGE = 1024;
  private static final int MAX_ABOUT = 256;

  /** Cuts the message to what the API takes, and what tells causes apart to what may be kept. */
  ApiEvent {
    message = message.length() <= MAX_MESSAGE ? message : cut(message, MAX_MESSAGE - 1) + "…";
    if (about.length() > MAX_ABOUT) {
      about = cut(about, MAX_ABOUT) + Integer.toHexString(about.hashCode());
    }
  }

  /** Does not leave half a character behind. */
  private static String cut(String text, int length) {
    int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, end);
  }

  /** What makes two events one: everything but the words. */
  record Cause(EventSubject subject, String reason, String about) {}

  Cause cause() {
    return new Cause(subject, reason, about);
  }
}
