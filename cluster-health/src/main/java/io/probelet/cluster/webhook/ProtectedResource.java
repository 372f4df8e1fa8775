package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects that a webhook must not block, and their known labels (CH-32, CH-33).
 *
 * @param group API group, empty for the core group
 * @param resource plural name, with the subresource after a slash if it is one
 * @param namespaced whether the objects are namespaced
 * @param namespaceLabels labels of their namespace (of the object itself if it is one); null if a
 *     namespaceSelector cannot exempt them, because they are in any namespace or in none
 * @param objectLabels labels of the objects; empty if none are known, so that an objectSelector
 *     that requires a label does not match; null if no objectSelector can exempt them
 */
public record ProtectedResource(
    String group,
    Set<String> versions,
    String resource,
    boolean namespaced,
    @Nullable Map<String, String> namespaceLabels,
    @Nullable Map<String, String> objectLabels) {

  static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  /** Keeps unmodifiable copies of the collections; labels are kept in the order of their keys. */
  public ProtectedResource {
    versions = Set.copyOf(versions);
    namespaceLabels = namespaceLabels == null ? null : new TreeMap<>(namespaceLabels);
    objectLabels = objectLabels == null ? null : new TreeMap<>(objectLabels);
  }

  boolean isSelectable() {
    return namespaceLabels != null || (objectLabels != null && !objectLabels.isEmpty());
  }

  // CH-32: scope, operation, group, version and resource match, and both selectors select the
  // object.
  boolean isMatchedBy(AdmissionWebhook webhook) {
    return (namespaceLabels == null
            || SelectorModel.selects(webhook.namespaceSelector(), namespaceLabels))
        && (objectLabels == null || SelectorModel.selects(webhook.objectSelector(), objectLabels))
        && webhook.rules().stream().anyMatch(this::isCoveredBy);
  }

  private boolean isCoveredBy(RuleWithOperations rule) {
    return containsAny(rule.getOperations(), Set.of("CREATE", "UPDATE", "*"))
        && (rule.getApiGroups().contains(group) || rule.getApiGroups().contains("*"))
        && (containsAny(rule.getApiVersions(), versions) || rule.getApiVersions().contains("*"))
        && rule.getResources().stream().anyMatch(this::isNamedBy)
        && isInScope(rule.getScope());
  }

  private boolean isInScope(@Nullable String scope) {
    return scope == null
        || scope.equals("*")
        || scope.equals(namespaced ? "Namespaced" : "Cluster");
  }

  private boolean isNamedBy(String pattern) {
    List<String> wanted = parts(pattern);
    List<String> own = parts(resource);
    return (wanted.get(0).equals("*") || wanted.get(0).equals(own.get(0)))
        && (wanted.get(1).equals("*") || wanted.get(1).equals(own.get(1)));
  }

  private static List<String> parts(String resource) {
    int slash = resource.indexOf('/');
    return slash < 0
        ? List.of(resource, "")
        : List.of(resource.substring(0, slash), resource.substring(slash + 1));
  }

  private static boolean containsAny(Collection<String> all, Set<String> wanted) {
    return all.stream().anyMatch(wanted::contains);
  }

  /** {@return the objects in words, for example {@code pods in kube-system}} */
  @Override
  public String toString() {
    String name = group.isEmpty() ? resource : resource + "." + group;
    if (!namespaced) {
      return namespaceLabels == null
          ? name
          : name + " (" + namespaceLabels.get(NAMESPACE_NAME) + " itself)";
    }
    return name
        + " in "
        + (namespaceLabels == null
            ? "any namespace"
            : namespaceLabels.getOrDefault(NAMESPACE_NAME, "namespaces with " + namespaceLabels));
  }
}
