package io.probelet.manifest.pod;

import io.probelet.cluster.care.ClusterHealthReader;
import io.probelet.cluster.webhook.WebhookConfigurationReader;
import io.probelet.document.field.Suggestion;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Identifies kinds by group and name, because other products have kinds with the same names. */
final class Groups {
  private static final String LIST = "List";

  /** The group of each kind with its own reader. */
  private static final Map<String, String> OWN =
      Map.of(
          NodeHealthCheck.KIND, of(NodeHealthCheck.API_VERSION),
          RemediationPolicy.KIND, of(RemediationPolicy.API_VERSION),
          Maintenance.KIND, of(Maintenance.API_VERSION),
          NodeReadinessRule.KIND, of(NodeReadinessRule.API_VERSION),
          ClusterHealthReader.KIND, of(ClusterHealthReader.API_VERSION),
          WebhookConfigurationReader.VALIDATING, "admissionregistration.k8s.io",
          WebhookConfigurationReader.MUTATING, "admissionregistration.k8s.io");

  /** All kinds of the API versions in which manifests most often misspell one. */
  private static final Map<String, Set<String>> KUBERNETES =
      Map.of(
          "v1",
          Set.of(
              "Binding",
              "ComponentStatus",
              "ConfigMap",
              "Endpoints",
              "Event",
              "LimitRange",
              "Namespace",
              "Node",
              "PersistentVolume",
              "PersistentVolumeClaim",
              "Pod",
              "PodTemplate",
              "ReplicationController",
              "ResourceQuota",
              "Secret",
              "Service",
              "ServiceAccount"),
          "apps/v1",
          Set.of("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
          "batch/v1",
          Set.of("CronJob", "Job"));

  /** Kinds of v1 that occur only in files that are not sent to an API server. */
  private static final Set<String> OF_CLIENTS = Set.of("Config", LIST, "Status");

  private Groups() {}

  /** {@return the group of an API version, empty for the core group} */
  static String of(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /** {@return whether a kind has its own reader; one without a group lacks it by mistake} */
  static boolean isOwn(String kind, String apiVersion) {
    String group = OWN.get(kind);
    return group != null && (mayBeKubernetes(apiVersion) || group.equals(of(apiVersion)));
  }

  /**
   * {@return whether a Pod or a List may be meant as Kubernetes' kind; a group with a dot belongs
   * to another product}
   */
  static boolean mayBeKubernetes(String apiVersion) {
    return of(apiVersion).indexOf('.') < 0;
  }

  /** {@return why an API server would not know a kind; empty if it may know it} */
  static Optional<String> unknown(String kind, String apiVersion) {
    Set<String> kinds = KUBERNETES.get(apiVersion);
    String item = kind.endsWith(LIST) ? kind.substring(0, kind.length() - LIST.length()) : kind;
    if (kinds == null || kinds.contains(item) || OF_CLIENTS.contains(kind)) {
      return Optional.empty();
    }
    String meant =
        Suggestion.of(kind, new TreeSet<>(kinds))
            .map(known -> "; did you mean \"" + known + "\"?")
            .orElse("");
    return Optional.of("\"" + kind + "\" is not a kind of " + apiVersion + meant);
  }
}
