package io.probelet.kube;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Parts of paths in the API. */
public final class ApiPath {
  private ApiPath() {}

  /** {@return where the kinds of an API version are, such as {@code /apis/apps/v1}} */
  public static String root(String apiVersion) {
    return (apiVersion.contains("/") ? "/apis/" : "/api/")
        + encoded(apiVersion).replace("%2F", "/");
  }

  /**
   * {@return a name or another text as it is in a path or in a query} Some names are what a person
   * wrote somewhere: they may be none, but have to make a path.
   *
   * @param text any
   */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
