package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.cluster.webhook.SelectorModel;
import io.probelet.document.selector.LabelSelector;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Failed nodes whose machines are preserved for examination. Pods that a DaemonSet lacks there are
 * subtracted (CH-50).
 */
final class PreservedNodes {
  private final ClusterReader reader;
  private final ReadOnce<Set<String>> names;

  PreservedNodes(ClusterReader reader, ClusterObjects objects) {
    this.reader = reader;
    names =
        new ReadOnce<>(() -> {
          Set<String> found = new HashSet<>();
          objects.each(
              Node.class,
              List.of(),
              LabelSelector.EVERYTHING,
              node -> {
                if (node.noted()) {
                  found.add(node.name());
                }
              });
          return found;
        });
  }

  /** {@return whether a node is preserved and not ready} */
  static boolean isOne(Node node) {
    List<NodeCondition> conditions =
        node.getStatus() == null ? List.of() : node.getStatus().getConditions();
    return conditions.stream().anyMatch(c -> is(c, "Preserved", "True"))
        && conditions.stream().anyMatch(c -> is(c, "Ready", "False") || is(c, "Ready", "Unknown"));
  }

  private static boolean is(NodeCondition condition, String type, String status) {
    return type.equals(condition.getType()) && status.equals(condition.getStatus());
  }

  /**
   * Checks a DaemonSet without its pods on such nodes. If nodes, pods or the DaemonSet may not be
   * listed, all pods count and a failure remains.
   */
  ObjectVerdict countedOut(ObjectVerdict daemonSet) {
    if (!(daemonSet.health() instanceof Unhealthy)) {
      return daemonSet;
    }
    try {
      return names.get().isEmpty()
          ? daemonSet
          : reader
              .listed(
                  DaemonSet.class,
                  Objects.requireNonNullElse(daemonSet.namespace(), ""),
                  daemonSet.name())
              .filter(read -> read.getStatus() != null)
              .map(read -> ObjectVerdict.of(without(read)))
              .orElse(daemonSet);
    } catch (KubernetesClientException notToBeSeen) {
      return daemonSet;
    }
  }

  private DaemonSet without(DaemonSet daemonSet) {
    Optional<LabelSelector> selector =
        Optional.ofNullable(daemonSet.getSpec())
            .map(DaemonSetSpec::getSelector)
            .flatMap(SelectorModel::read);
    if (selector.isEmpty()) {
      return daemonSet;
    }
    AtomicInteger missing = new AtomicInteger();
    reader.each(
        Pod.class,
        List.of(daemonSet.getMetadata().getNamespace()),
        selector.get(),
        pod -> {
          if (isOnOne(pod) && !isReady(pod)) {
            missing.incrementAndGet();
          }
        });
    Integer unavailable = daemonSet.getStatus().getNumberUnavailable();
    int rest = Math.max(0, (unavailable == null ? 0 : unavailable) - missing.get());
    return new DaemonSetBuilder(daemonSet)
        .editStatus()
        .withNumberUnavailable(rest)
        .endStatus()
        .build();
  }

  private boolean isOnOne(Pod pod) {
    return pod.getSpec() != null && names.get().contains(pod.getSpec().getNodeName());
  }

  private static boolean isReady(Pod pod) {
    List<PodCondition> conditions =
        pod.getStatus() == null ? List.of() : pod.getStatus().getConditions();
    return conditions.stream()
        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
  }
}
