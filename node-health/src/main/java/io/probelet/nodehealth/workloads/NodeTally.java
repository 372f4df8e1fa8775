package io.probelet.nodehealth.workloads;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The workloads of one node, compared with other nodes.
 *
 * @param failing those that fail on this node and work on others, by namespace and name
 * @param working the number of those that work on this node
 */
record NodeTally(List<FailingWorkload> failing, int working) {
  static final NodeTally EMPTY = new NodeTally(List.of(), 0);

  private static final int NAMED = 5;
  private static final int PERCENT = 100;

  /**
   * A workload that fails on this node.
   *
   * @param decisive the nodes without whose pods it would not count as working elsewhere; empty if
   *     there is no such node
   */
  record FailingWorkload(WorkloadRevision revision, Set<String> decisive) {
    String namespace() {
      return revision.workload().namespace();
    }
  }

  int compared() {
    return failing.size() + working;
  }

  /**
   * Returns whether they are evidence against the node. WE-6: also without the pods of any other
   * single node, whose kubelet could lie about them.
   */
  boolean isEvidence(WorkloadSettings settings) {
    if (!suffices(failing, settings)) {
      return false;
    }
    Set<String> decisive = new TreeSet<>();
    failing.forEach(workload -> decisive.addAll(workload.decisive()));
    return decisive.stream()
        .allMatch(node ->
            suffices(
                failing.stream().filter(each -> !each.decisive().contains(node)).toList(),
                settings));
  }

  /** WE-5: enough workloads, of enough namespaces, and most of the workloads of the node. */
  private boolean suffices(Collection<FailingWorkload> those, WorkloadSettings settings) {
    int count = those.size();
    return count >= settings.minimum()
        && count * PERCENT >= settings.share() * (count + working)
        && those.stream().map(FailingWorkload::namespace).distinct().count()
            >= WorkloadSettings.MIN_NAMESPACES;
  }

  /** {@return the condition's message} */
  String text() {
    String names =
        failing.stream()
            .limit(NAMED)
            .map(each -> each.revision().workload().toString())
            .collect(Collectors.joining(", "));
    return "%d of %d workloads fail on this node and work on others: %s%s"
        .formatted(
            failing.size(),
            compared(),
            names,
            failing.size() > NAMED ? " and %d more".formatted(failing.size() - NAMED) : "");
  }
}
