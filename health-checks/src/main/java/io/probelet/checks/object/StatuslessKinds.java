package io.probelet.checks.object;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Kinds of Kubernetes whose API has no status: they are well when they are there (CH-41). */
final class StatuslessKinds {
  private static final Map<String, Set<String>> BY_GROUP =
      Map.ofEntries(
          Map.entry(
              "",
              Set.of(
                  "ConfigMap",
                  "Endpoints",
                  "Event",
                  "LimitRange",
                  "PodTemplate",
                  "Secret",
                  "ServiceAccount")),
          Map.entry(
              "admissionregistration.k8s.io",
              Set.of(
                  "MutatingWebhookConfiguration",
                  "ValidatingAdmissionPolicyBinding",
                  "ValidatingWebhookConfiguration")),
          Map.entry("apps", Set.of("ControllerRevision")),
          Map.entry("coordination.k8s.io", Set.of("Lease")),
          Map.entry("discovery.k8s.io", Set.of("EndpointSlice")),
          Map.entry("networking.k8s.io", Set.of("IngressClass", "NetworkPolicy")),
          Map.entry("node.k8s.io", Set.of("RuntimeClass")),
          Map.entry(
              "rbac.authorization.k8s.io",
              Set.of("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")),
          Map.entry("scheduling.k8s.io", Set.of("PriorityClass")),
          Map.entry("storage.k8s.io", Set.of("CSIDriver", "CSINode", "StorageClass")));

  private StatuslessKinds() {}

  static boolean has(String group, @Nullable String kind) {
    return kind != null && BY_GROUP.getOrDefault(group, Set.of()).contains(kind);
  }
}
