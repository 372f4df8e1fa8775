package io.probelet.probe.http;

import java.util.List;
import java.util.Locale;

/**
 * Keeps secrets out of messages, which become events, log lines and API responses: queries and
 * users of URLs. The kubelet shows them; this difference is intentional.
 */
public final class Secrets {
  /** Begin a query or a fragment, escaped where a path was no URL. */
  private static final List<String> MARKS = List.of("?", "#", "%3f", "%23");

  /** Stands for a query or a fragment that is left out. */
  public static final String HIDDEN = "?…";

  /** End a URL in a text or in HTML. */
  private static final String DELIMITERS = " \t\r\n\"'<>()";

  private Secrets() {}

  /**
   * {@return a URL or a part of one without its query, its fragment and its user}
   *
   * @param url any text
   */
  public static String withoutSecrets(String url) {
    int end = url.length();
    String lower = url.toLowerCase(Locale.ROOT);
    for (String mark : MARKS) {
      int at = lower.indexOf(mark);
      end = at >= 0 && at < end ? at : end;
    }
    String shown = url.substring(0, end);
    int authority = shown.indexOf("//");
    if (authority >= 0) {
      int slash = shown.indexOf('/', authority + 2);
      int user = shown.lastIndexOf('@', slash < 0 ? shown.length() : slash);
      if (user > authority) {
        shown = shown.substring(0, authority + 2) + "…" + shown.substring(user);
      }
    }
    return end < url.length() ? shown + HIDDEN : shown;
  }

  /** {@return a body that may repeat URLs, such as that of a redirect, without their secrets} */
  static String withoutUrlSecrets(String body) {
    StringBuilder shown = new StringBuilder(body.length());
    int done = 0;
    for (int at = 0; at < body.length(); at = done) {
      int end = at;
      while (end < body.length() && DELIMITERS.indexOf(body.charAt(end)) < 0) {
        end++;
      }
      if (end > at) {
        shown.append(withoutSecrets(body.substring(at, end)));
      }
      done = Math.min(body.length(), end + 1);
      shown.append(body, end, done);
    }
    return shown.toString();
  }
}
