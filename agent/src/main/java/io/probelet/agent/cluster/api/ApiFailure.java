package io.probelet.agent.cluster.api;

import io.probelet.agent.manifest.tree.Document;
import io.probelet.agent.manifest.tree.Node;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.agent.manifest.tree.Node.Scalar;
import io.probelet.agent.manifest.tree.ScalarValue;
import io.probelet.agent.manifest.tree.Source;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Words for what the API server refused. */
public final class ApiFailure {
  private static final int LONGEST = 300;

  private ApiFailure() {}

  static ApiException of(
      String method, String path, int code, String body, @Nullable String retryAfter) {
    Node root = Document.json(Source.of(body)).root();
    String said = root instanceof Mapping status ? text(status, "message") : cut(body);
    String hint =
        code == 403
            ? "; the service account needs the rule %s, see deploy/daemonset.yaml"
                .formatted(Right.of(method, path))
            : "";
    return new ApiException(
        code, "%s %s: %d %s%s".formatted(method, path, code, said, hint), seconds(retryAfter));
  }

  /**
   * Words for the Status object by which a watch ends.
   *
   * @param status the object
   * @return the exception
   */
  public static ApiException of(Mapping status) {
    Node.Entry entry = status.entries().get("code");
    int code =
        entry != null && entry.value() instanceof Scalar scalar
            ? (int) ScalarValue.integer(scalar).orElse(500)
            : 500;
    return new ApiException(code, "watch: " + code + " " + text(status, "message"), null);
  }

  private static String text(Mapping object, String name) {
    Node.Entry entry = object.entries().get(name);
    return entry != null && entry.value() instanceof Scalar scalar ? cut(scalar.text()) : "";
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }

  private static @Nullable Duration seconds(@Nullable String header) {
    return header != null && header.matches("[0-9]{1,5}")
        ? Duration.ofSeconds(Integer.parseInt(header))
        : null;
  }
}
