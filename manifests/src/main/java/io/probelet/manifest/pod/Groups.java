package io.probelet.manifest.pod;

import io.probelet.cluster.care.ClusterHealthReader;
import io.probelet.cluster.webhook.WebhookConfigurationReader;
import io.probelet.document.field.Suggestion;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.resource.RemediationKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

  /** The kinds of {@link #OWN}, and the remediations and their templates. */
  private static final Map<String, String> READ = read();

  /** Our group, all of whose kinds are known. */
  private static final String OURS = RemediationKind.GROUP;

  /** Kinds of our group that only controllers write, so that nothing checks them. */
  private static final Set<String> WRITTEN = Set.of(NodeOrder.KIND);

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

  private static Map<String, String> read() {
    Map<String, String> kinds = new TreeMap<>(OWN);
    for (RemediationKind kind : RemediationKind.values()) {
      kinds.put(kind.kind(), RemediationKind.GROUP);
      kinds.put(kind.templateKind(), RemediationKind.GROUP);
    }
    return kinds;
  }

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
    if (of(apiVersion).equals(OURS)) {
      return unknownOfOurs(itemOf(kind));
    }
    Set<String> kinds = KUBERNETES.get(apiVersion);
    if (kinds == null || kinds.contains(itemOf(kind)) || OF_CLIENTS.contains(kind)) {
      return Optional.empty();
    }
    return Optional.of(
        "\"%s\" is not a kind of %s%s"
            .formatted(kind, apiVersion, Suggestion.question(kind, new TreeSet<>(kinds))));
  }

  private static Optional<String> unknownOfOurs(String kind) {
    if (WRITTEN.contains(kind)) {
      return Optional.empty();
    }
    String group = READ.get(kind);
    if (group != null) {
      return Optional.of("\"%s\" is a kind of %s, not of %s".formatted(kind, group, OURS));
    }
    List<String> ours =
        READ.entrySet().stream()
            .filter(each -> each.getValue().equals(OURS))
            .map(Map.Entry::getKey)
            .toList();
    String meant = Suggestion.question(kind, ours);
    return Optional.of(
        "\"%s\" is not a kind of %s%s"
            .formatted(
                kind,
                OURS,
                meant.isEmpty() ? "; its kinds are " + String.join(", ", ours) : meant));
  }

  /**
   * {@return the question whether a kind that is read is meant by an unsupported one; empty if none
   * is near} Other products have kinds with the same names, so a kind with the right name is meant
   * only if its group is nearly right or missing.
   */
  static String meant(String kind, String apiVersion) {
    String item = itemOf(kind);
    String group = READ.get(item);
    Optional<String> near =
        group == null
            ? Suggestion.misspelled(item, READ.keySet())
            : Optional.of(item)
                .filter(_ ->
                    mayBeKubernetes(apiVersion)
                        || Suggestion.misspelled(of(apiVersion), READ.values()).isPresent());
    return near.map(
            known -> "; did you mean \"%s\" of %s?".formatted(known, READ.getOrDefault(known, "")))
        .orElse("");
  }

  private static String itemOf(String kind) {
    return kind.endsWith(LIST) ? kind.substring(0, kind.length() - LIST.length()) : kind;
  }
}
