package io.probelet.cli.option;

import java.net.URI;
import java.net.URISyntaxException;

/** Reads the URL of a Prometheus. */
public final class PrometheusUrl {
  private static final int MAX_TEXT = 2_000;

  private PrometheusUrl() {}

  /**
   * Reads a URL.
   *
   * @param option the option that gives it
   * @throws IllegalArgumentException if it is none; the message is for the user
   */
  public static URI parse(String option, String given) {
    try {
      URI uri = new URI(given);
      String scheme = String.valueOf(uri.getScheme());
      if ((scheme.equals("http") || scheme.equals("https"))
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && given.length() <= MAX_TEXT) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The same is wrong with it.
    }
    throw new IllegalArgumentException(
        option
            + " must be a URL, such as https://prometheus.example.com or"
            + " http://localhost:9090, without user, query and fragment");
  }
}
