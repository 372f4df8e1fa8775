package io.probelet.simulation.api;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request as the API server receives it.
 *
 * @param process the name of its sender
 * @param method such as PATCH
 * @param path such as {@code /api/v1/nodes/a/status}, decoded
 * @param query the parameters
 * @param type the media type of the body; empty without one
 * @param accepted the accepted media types
 * @param body empty without one
 */
public record ApiRequest(
    String process,
    String method,
    String path,
    Map<String, String> query,
    String type,
    String accepted,
    String body) {
  /** Keeps an unmodifiable copy of the parameters, in a fixed order. */
  public ApiRequest {
    query = query.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(query));
  }

  static ApiRequest of(
      String process, String method, URI uri, String type, String accepted, String body) {
    String raw = uri.getRawQuery();
    if (raw == null) {
      return new ApiRequest(process, method, uri.getPath(), Map.of(), type, accepted, body);
    }
    Map<String, String> query = new TreeMap<>();
    for (String pair : raw.split("&", -1)) {
      String[] words = pair.split("=", 2);
      query.put(words[0], words.length < 2 ? "" : decoded(words[1]));
    }
    return new ApiRequest(process, method, uri.getPath(), query, type, accepted, body);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** {@return a parameter; empty if there is none} */
  String parameter(String name) {
    return query.getOrDefault(name, "");
  }

  /** {@return whether it reads only} */
  public boolean isRead() {
    return method.equals("GET");
  }

  /** {@return whether it watches} */
  public boolean isWatch() {
    return isRead() && (parameter("watch").equals("true") || parameter("watch").equals("1"));
  }
}
