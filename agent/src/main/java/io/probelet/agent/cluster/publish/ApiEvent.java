package io.probelet.agent.cluster.publish;

/**
 * Something worth an event in the API server.
 *
 * @param subject what it is about
 * @param source who noticed it, one word
 * @param type Normal or Warning
 * @param reason one word in UpperCamelCase
 * @param about tells causes of the same reason apart, such as the probe's kind; possibly empty
 * @param message for the user
 */
record ApiEvent(
    EventSubject subject, String source, String type, String reason, String about, String message) {
  /** Who notices what happens to pods. */
  static final String PROBELET = "probelet";

  private static final int LONGEST = 1024;

  /** Cuts the message to what the API takes. */
  ApiEvent {
    message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
  }

  /** What makes two events one: everything but the words. */
  record Cause(EventSubject subject, String reason, String about) {}

  Cause cause() {
    return new Cause(subject, reason, about);
  }
}
