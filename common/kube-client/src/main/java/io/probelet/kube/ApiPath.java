package io.probelet.kube;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Builds API paths. */
public final class ApiPath {
  private ApiPath() {}

  /** {@return the path of an API version, such as {@code /apis/apps/v1}} */
  public static String root(String apiVersion) {
    return (apiVersion.contains("/") ? "/apis/" : "/api/")
        + encoded(apiVersion).replace("%2F", "/");
  }

  /**
   * {@return a name or another text, encoded for a path or a query} Some names are user input: even
   * an invalid name must give a valid path.
   *
   * @param text any
   */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
