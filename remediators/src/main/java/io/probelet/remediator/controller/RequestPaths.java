package io.probelet.remediator.controller;

import io.probelet.kube.ApiPath;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.resource.RemediationKind;
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
            ApiPath.encoded(Objects.requireNonNull(ref.namespace())),
            ref.kind().toLowerCase(Locale.ROOT),
            ApiPath.encoded(ref.name()));
  }

  static String node(String name) {
    return "/api/v1/nodes/" + ApiPath.encoded(name);
  }
}
