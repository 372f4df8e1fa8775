package io.probelet.nodehealth.workloads;

import io.probelet.nodehealth.workloads.NodeTally.FailingWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Compares the pods of each workload between nodes. */
final class WorkloadComparison {
  private static final Comparator<FailingWorkload> ORDER =
      Comparator.comparing(FailingWorkload::namespace)
          .thenComparing(each -> each.revision().workload().name())
          .thenComparing(each -> each.revision().workload().uid())
          .thenComparing(each -> each.revision().hash());

  private final Duration wait;
  private final Predicate<String> votes;
  private final Predicate<String> condemned;
  private final Map<WorkloadRevision, Map<String, Pods>> workloads = new HashMap<>();

  /** The pods of one workload on one node. */
  private static final class Pods {
    private int ready;
    private int healthy;
    private int down;
    private int failing;

    /** WE-4: more than half; a pod that was never started says nothing. */
    private boolean work() {
      return 2 * healthy > ready + down;
    }

    private boolean speak() {
      return ready + down > 0;
    }
  }

  /**
   * Begins without any pods.
   *
   * @param wait for how long a pod must be down
   * @param votes whether a node's pods show that a workload works elsewhere
   * @param condemned whether a node was already found to be the cause, so that pods fail there
   *     without a further wait
   */
  WorkloadComparison(Duration wait, Predicate<String> votes, Predicate<String> condemned) {
    this.wait = wait;
    this.votes = votes;
    this.condemned = condemned;
  }

  void add(WorkloadPod pod, PodCourse course) {
    WorkloadRevision revision = pod.revision();
    if (revision == null) {
      return;
    }
    Pods pods =
        workloads
            .computeIfAbsent(revision, _ -> new HashMap<>())
            .computeIfAbsent(pod.node(), _ -> new Pods());
    pods.ready += pod.isReady() ? 1 : 0;
    pods.healthy += course.isHealthy(pod) ? 1 : 0;
    pods.down += pod.isDown() ? 1 : 0;
    pods.failing += course.fails(pod, wait) ? 1 : 0;
  }

  /** {@return the tally of each node that has pods} */
  Map<String, NodeTally> tallies() {
    Map<String, List<FailingWorkload>> failing = new HashMap<>();
    Map<String, Integer> working = new HashMap<>();
    workloads.forEach((revision, places) -> {
      Poll poll = new Poll(places);
      places.forEach((node, pods) -> {
        if (pods.ready > 0) {
          working.merge(node, 1, Integer::sum);
        } else if (fail(node, pods) && poll.worksWithout(node)) {
          failing
              .computeIfAbsent(node, _ -> new ArrayList<>())
              .add(new FailingWorkload(revision, poll.decisive(node)));
        }
      });
    });
    Set<String> nodes = new HashSet<>(working.keySet());
    nodes.addAll(failing.keySet());
    Map<String, NodeTally> tallies = new HashMap<>();
    for (String node : nodes) {
      List<FailingWorkload> those = failing.getOrDefault(node, new ArrayList<>());
      those.sort(ORDER);
      tallies.put(node, new NodeTally(those, working.getOrDefault(node, 0)));
    }
    return tallies;
  }

  /** WE-3: no pod is Ready, and each has been down for long; WE-9: on a known cause, at once. */
  private boolean fail(String node, Pods pods) {
    return pods.down > 0 && (pods.failing == pods.down || condemned.test(node));
  }

  /** How many nodes say that a workload works, and that it does not. */
  private final class Poll {
    private final Map<String, Pods> places;
    private int good;
    private int bad;

    Poll(Map<String, Pods> places) {
      this.places = places;
      places.forEach((node, pods) -> {
        if (speaks(node, pods)) {
          good += pods.work() ? 1 : 0;
          bad += pods.work() ? 0 : 1;
        }
      });
    }

    private boolean speaks(String node, Pods pods) {
      return pods.speak() && votes.test(node);
    }

    /** The votes against it without those of a node where it fails. */
    private int badWithout(String node) {
      Pods pods = places.get(node);
      return bad - (pods != null && speaks(node, pods) && !pods.work() ? 1 : 0);
    }

    boolean worksWithout(String node) {
      return good > badWithout(node);
    }

    /** WE-6: each good vote, if without it the others are no majority any more. */
    Set<String> decisive(String node) {
      if (good - 1 > badWithout(node)) {
        return Set.of();
      }
      Set<String> nodes = new HashSet<>();
      places.forEach((each, pods) -> {
        if (speaks(each, pods) && pods.work()) {
          nodes.add(each);
        }
      });
      return nodes;
    }
  }
}
