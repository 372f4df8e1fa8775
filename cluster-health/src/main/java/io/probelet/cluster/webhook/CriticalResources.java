package io.probelet.cluster.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The objects that a cluster needs to start, to admit nodes and to elect leaders (CH-33). */
final class CriticalResources {

  private static final Set<String> CORE = Set.of("v1");
  private static final Set<String> APPS = Set.of("v1", "v1beta1", "v1beta2");
  private static final Set<String> EXTENSIONS = Set.of("v1beta1");
  private static final Set<String> RBAC = Set.of("v1", "v1alpha1", "v1beta1");
  private static final Set<String> STABLE_AND_BETA = Set.of("v1", "v1beta1");
  private static final String[] WORKLOADS = {
    "controllerrevisions",
    "daemonsets",
    "daemonsets/status",
    "deployments",
    "deployments/scale",
    "replicasets",
    "replicasets/status",
    "replicasets/scale"
  };

  private final List<ProtectedResource> table = new ArrayList<>();

  /** Labels of namespaced objects other than pods: unknown, or null if selectors do not apply. */
  private final @Nullable Map<String, String> unlabelled;

  private CriticalResources(WebhookPolicy policy) {
    unlabelled = policy.podSelectorsOnly() ? null : Map.of();
    Map<String, String> kubeSystem = policy.kubeSystemNamespace();
    Map<String, String> defaultNamespace = Map.of(ProtectedResource.NAMESPACE_NAME, "default");

    pods(kubeSystem, policy.systemPodLabels());
    in(kubeSystem, "", CORE, "configmaps", "endpoints", "secrets", "serviceaccounts");
    in(kubeSystem, "", CORE, "services", "services/status");
    in(defaultNamespace, "", CORE, "endpoints", "services", "services/status");
    clusterScoped("", CORE, "nodes", "nodes/status");
    for (String namespace : List.of("namespaces", "namespaces/status")) {
      table.add(new ProtectedResource("", CORE, namespace, false, kubeSystem, kubeSystem));
    }
    in(kubeSystem, "apps", APPS, WORKLOADS);
    in(kubeSystem, "extensions", EXTENSIONS, WORKLOADS);
    in(kubeSystem, "extensions", EXTENSIONS, "networkpolicies");
    in(kubeSystem, "networking.k8s.io", STABLE_AND_BETA, "networkpolicies");
    in(null, "coordination.k8s.io", STABLE_AND_BETA, "leases");
    clusterScoped("rbac.authorization.k8s.io", RBAC, "clusterroles", "clusterrolebindings");
    in(kubeSystem, "rbac.authorization.k8s.io", RBAC, "roles", "rolebindings");
    clusterScoped(
        "apiextensions.k8s.io",
        STABLE_AND_BETA,
        "customresourcedefinitions",
        "customresourcedefinitions/status");
    clusterScoped("apiregistration.k8s.io", STABLE_AND_BETA, "apiservices", "apiservices/status");
    clusterScoped(
        "certificates.k8s.io",
        STABLE_AND_BETA,
        "certificatesigningrequests",
        "certificatesigningrequests/status",
        "certificatesigningrequests/approval");
    clusterScoped("scheduling.k8s.io", STABLE_AND_BETA, "priorityclasses");
  }

  static List<ProtectedResource> of(WebhookPolicy policy) {
    return new CriticalResources(policy).table;
  }

  private void pods(Map<String, String> namespace, Map<String, String> labels) {
    for (String resource : List.of("pods", "pods/status")) {
      table.add(new ProtectedResource("", CORE, resource, true, namespace, labels));
    }
  }

  private void in(
      @Nullable Map<String, String> namespace,
      String group,
      Set<String> versions,
      String... resources) {
    for (String resource : resources) {
      table.add(new ProtectedResource(group, versions, resource, true, namespace, unlabelled));
    }
  }

  private void clusterScoped(String group, Set<String> versions, String... resources) {
    for (String resource : resources) {
      table.add(new ProtectedResource(group, versions, resource, false, null, null));
    }
  }
}
