package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for checking webhooks: the objects to protect and their assumed labels.
 *
 * @param kubeSystemLabels labels of the kube-system namespace besides its name
 * @param systemPodLabels labels that all system pods carry; empty if none are known
 * @param podSelectorsOnly whether an objectSelector applies to pods only, as in Gardener; else one
 *     that requires a label exempts every namespaced object, because none is known to carry it
 * @param ignored labels, key and value, of configurations that are neither checked nor changed
 * @param excluded labels, key and value, of configurations that are checked but not changed
 * @param remediationMarks annotations that mark a remediation, besides our own
 * @param more resources to protect besides those of CH-33
 */
public record WebhookPolicy(
    Map<String, String> kubeSystemLabels,
    Map<String, String> systemPodLabels,
    boolean podSelectorsOnly,
    Map<String, String> ignored,
    Map<String, String> excluded,
    Set<String> remediationMarks,
    List<ProtectedResource> more) {

  private static final Map<String, String> EXCLUDED =
      Map.of(
          "remediation.webhook.probelet.io/exclude", "true",
          "remediation.webhook.shoot.gardener.cloud/exclude", "true");

  /** For any Kubernetes cluster. */
  public static final WebhookPolicy DEFAULT =
      new WebhookPolicy(Map.of(), Map.of(), false, Map.of(), EXCLUDED, Set.of(), List.of());

  /** For clusters run by Gardener: its labels, its own webhooks, its marks. */
  public static final WebhookPolicy GARDENER =
      new WebhookPolicy(
          Map.of(
              "gardener.cloud/purpose", "kube-system",
              "shoot.gardener.cloud/no-cleanup", "true"),
          Map.of("shoot.gardener.cloud/no-cleanup", "true", "origin", "gardener"),
          true,
          Map.of(
              "app", "gardener-resource-manager",
              "resources.gardener.cloud/managed-by", "gardener"),
          EXCLUDED,
          Set.of("gardener.cloud/warning"),
          List.of());

  /** Keeps unmodifiable copies of the collections. */
  public WebhookPolicy {
    kubeSystemLabels = Map.copyOf(kubeSystemLabels);
    systemPodLabels = Map.copyOf(systemPodLabels);
    ignored = Map.copyOf(ignored);
    excluded = Map.copyOf(excluded);
    remediationMarks = Set.copyOf(remediationMarks);
    more = List.copyOf(more);
  }

  /**
   * {@return the same policy with other labels of system pods; this policy if none are given}
   *
   * @param labels labels that all system pods carry
   */
  public WebhookPolicy withSystemPodLabels(Map<String, String> labels) {
    return labels.isEmpty()
        ? this
        : new WebhookPolicy(
            kubeSystemLabels, labels, podSelectorsOnly, ignored, excluded, remediationMarks, more);
  }

  /** {@return whether a selector names a label that only the clusters of this policy have} */
  boolean isNamedBy(@Nullable LabelSelector selector) {
    return selector != null
        && (selector.getMatchLabels().keySet().stream().anyMatch(kubeSystemLabels::containsKey)
            || selector.getMatchExpressions().stream()
                .anyMatch(each -> kubeSystemLabels.containsKey(String.valueOf(each.getKey()))));
  }

  static boolean carriesAny(@Nullable Map<String, String> labels, Map<String, String> wanted) {
    return labels != null
        && wanted.entrySet().stream().anyMatch(label -> labels.entrySet().contains(label));
  }

  /**
   * {@return the objects that webhooks must not block: those of CH-33, then the additional ones}
   */
  public List<ProtectedResource> protectedResources() {
    List<ProtectedResource> all = new ArrayList<>(CriticalResources.of(this));
    all.addAll(more);
    return List.copyOf(all);
  }

  /** {@return whether a configuration has a remediation mark, ours or another's} */
  public boolean isRemediated(HasMetadata configuration) {
    Map<String, String> annotations = configuration.getMetadata().getAnnotations();
    return ChangeLog.isOn(configuration.getMetadata())
        || (annotations != null
            && remediationMarks.stream()
                .anyMatch(mark -> !annotations.getOrDefault(mark, "").isEmpty()));
  }

  /** The leases in kube-system, which carry no labels (CH-31). */
  ProtectedResource kubeSystemLeases() {
    return new ProtectedResource(
        "coordination.k8s.io",
        Set.of("v1", "v1beta1"),
        "leases",
        true,
        kubeSystemNamespace(),
        Map.of());
  }

  Map<String, String> kubeSystemNamespace() {
    Map<String, String> labels = new HashMap<>(kubeSystemLabels);
    labels.put(ProtectedResource.NAMESPACE_NAME, "kube-system");
    return labels;
  }
}
