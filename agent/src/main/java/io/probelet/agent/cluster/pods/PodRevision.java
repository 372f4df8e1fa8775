package io.probelet.agent.cluster.pods;

import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes states of a pod that differ in more than their status, by the fields that make a
 * kubelet sync the pod again.
 */
final class PodRevision {
  private static final List<String> METADATA =
      List.of("labels", "annotations", "deletionTimestamp", "deletionGracePeriodSeconds");

  private static final int FACTOR = 31;

  private PodRevision() {}

  /** {@return a number that is the same for the same fields, and for others most likely another} */
  static int of(Mapping pod) {
    int hash = hash(pod.value("spec"));
    if (pod.value("metadata") instanceof Mapping metadata) {
      for (String field : METADATA) {
        hash = FACTOR * hash + hash(metadata.value(field));
      }
    }
    return hash;
  }

  /** Positions do not count. Depth is bounded where the text is parsed. */
  private static int hash(@Nullable Node node) {
    return switch (node) {
      case null -> 0;
      case Scalar scalar -> scalar.text().hashCode();
      case Sequence(_, List<Node> items) -> {
        int hash = 1;
        for (Node item : items) {
          hash = FACTOR * hash + hash(item);
        }
        yield hash;
      }
      case Mapping mapping ->
          mapping.entries().entrySet().stream()
              .mapToInt(
                  entry -> FACTOR * entry.getKey().hashCode() ^ hash(entry.getValue().value()))
              .sum();
    };
  }
}
