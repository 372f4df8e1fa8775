package io.probelet.remediator.controller;

import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.resource.RemediationKind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/** Where remediations and nodes are in the API. */
final class RequestPaths {
  private RequestPaths() {}

  static String all(RemediationKind kind) {
    return "/apis/%s/%s".formatted(RemediationKind.API_VERSION, kind.plural());
  }

  static String of(ObjectRef ref) {
    return "/apis/%s/namespaces/%s/%ss/%s"
        .formatted(
            RemediationKind.API_VERSION,
            encoded(Objects.requireNonNull(ref.namespace())),
            ref.kind().toLowerCase(Locale.ROOT),
            encoded(ref.name()));
  }

  static String node(String name) {
    return "/api/v1/nodes/" + encoded(name);
  }

  /** A node's name is what the author of a remediation wrote: it may be none, but makes a path. */
  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
