package io.probelet.nodehealth.workloads;

import io.probelet.health.ShortText;
import io.probelet.nodehealth.workloads.WorkloadNode.Shown;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All pods and nodes that were seen, and what follows from them. Time is passed in, nothing here
 * reads a clock. Used by one thread.
 */
public final class ComparedWorkloads {
  /** WE-14: the most pods that are compared. */
  public static final int MAX_PODS = 100_000;

  /** WE-14: the most nodes that are judged. */
  public static final int MAX_NODES = 20_000;

  /** The time between two rounds. */
  public static final Duration ROUND = Duration.ofSeconds(10);

  private static final Duration LONGEST_ROUND = ROUND.multipliedBy(2);

  /** WE-10: a short interruption of a watch says nothing. */
  private static final Duration LEAST_BLINDNESS = Duration.ofMinutes(5);

  /** WE-8: more nodes at once have a common cause. */
  private static final int NODES_PER_CAUSE = 10;

  private final WorkloadSettings settings;
  private final int maxPods;
  private final Map<String, Pod> pods = new HashMap<>();

  /** Pods without a controller that has others to compare with; a watch keeps them too. */
  private final Set<String> others = new HashSet<>();

  private final Map<String, Node> nodes = new TreeMap<>();
  private Duration last = Duration.ZERO;
  private Duration blind = Duration.ZERO;
  private int held;
  private boolean tooManyPods;
  private boolean tooManyNodes;

  private static final class Pod {
    private final String uid;
    private WorkloadPod pod;
    private PodCourse course = PodCourse.UNSEEN;

    private Pod(String uid, WorkloadPod pod) {
      this.uid = uid;
      this.pod = pod;
    }
  }

  /** One node. */
  public static final class Node {
    private WorkloadNode node;
    private NodeCourse course;
    private NodeTally tally = NodeTally.EMPTY;
    private String message = "";
    private Duration messageSince = Duration.ZERO;
    private boolean decided;

    private Node(WorkloadNode node) {
      this.node = node;
      course = NodeCourse.of(Finding.shown(node.shown()));
    }

    /**
     * WE-12: what another leader wrote late stands until this one has decided by itself. A kubelet
     * may write the condition again and again, so that does not begin the wait anew.
     */
    private void changed(WorkloadNode now) {
      if (!decided && !Objects.equals(now.shown(), node.shown())) {
        course = new NodeCourse(Finding.shown(now.shown()), course.pending(), course.since());
      }
      node = now;
    }

    private void decide(NodeCourse next) {
      decided |= next.applied() != course.applied();
      course = next;
    }

    /** {@return the node} */
    public WorkloadNode node() {
      return node;
    }

    /** {@return what its condition must say; null if nothing was decided yet} */
    public @Nullable Finding finding() {
      return course.applied();
    }

    /** {@return the condition that the node must have; null if nothing was decided yet} */
    public @Nullable Shown wanted() {
      Finding finding = course.applied();
      if (finding == null) {
        return null;
      }
      return new Shown(
          finding.status().toString(),
          finding.reason(),
          finding == Finding.FAILING ? failingMessage() : finding.message());
    }

    /** An earlier leader's message stays until there is another. */
    private String failingMessage() {
      Shown shown = node.shown();
      if (message.isEmpty() && shown != null && Finding.shown(shown) == Finding.FAILING) {
        return shown.message();
      }
      return message;
    }
  }

  /**
   * What a round is about.
   *
   * @param now the monotonic time since the start of the term
   * @param wall the wall time, which only the end of a maintenance is compared with
   * @param current whether all watches show the current state
   * @param confirmed the last moment up to which all watches have shown all changes
   */
  public record Round(Duration now, Instant wall, boolean current, Duration confirmed) {}

  /** Begins without any pods and nodes. */
  public ComparedWorkloads(WorkloadSettings settings) {
    this(settings, MAX_PODS);
  }

  /**
   * Begins without any pods and nodes, with another limit.
   *
   * @param maxPods the most pods, with those that are not compared
   */
  public ComparedWorkloads(WorkloadSettings settings, int maxPods) {
    this.settings = settings;
    this.maxPods = maxPods;
  }

  // --- What is seen

  /**
   * A pod was added or changed.
   *
   * @param key its namespace and name
   */
  public void podSeen(String key, String uid, WorkloadPod pod) {
    if (pod.revision() == null) {
      pods.remove(key);
      if (others.contains(key) || hasRoom()) {
        others.add(key);
      } else {
        tooManyPods = true;
      }
      return;
    }
    others.remove(key);
    Pod known = pods.get(key);
    if (known != null && known.uid.equals(uid)) {
      if (!pod.node().equals(known.pod.node())) {
        known.course = PodCourse.UNSEEN;
      }
      known.pod = pod;
    } else if (known != null || hasRoom()) {
      pods.put(key, new Pod(uid, pod));
    } else {
      tooManyPods = true;
    }
  }

  private boolean hasRoom() {
    return pods.size() + others.size() < maxPods;
  }

  /** A pod is gone, or can no longer be read. */
  public void podGone(String key, String uid) {
    others.remove(key);
    Pod known = pods.get(key);
    if (known != null && known.uid.equals(uid)) {
      pods.remove(key);
    }
  }

  /** Drops all pods: there are more than can be compared. */
  public void dropPods() {
    pods.clear();
    others.clear();
  }

  /** {@return whether there were more pods than can be compared; nothing is decided then} */
  public boolean hasTooManyPods() {
    return tooManyPods;
  }

  /** {@return whether there are more nodes than can be judged} */
  public boolean hasTooManyNodes() {
    return tooManyNodes;
  }

  /** A node was added or changed. */
  public void nodeSeen(WorkloadNode node) {
    Node known = nodes.get(node.name());
    if (known != null && known.node.uid().equals(node.uid())) {
      known.changed(node);
    } else if (known != null || nodes.size() < MAX_NODES) {
      nodes.put(node.name(), new Node(node));
    } else {
      tooManyNodes = true;
    }
  }

  /** A node is gone. */
  public void nodeGone(WorkloadNode node) {
    Node known = nodes.get(node.name());
    if (known != null && known.node.uid().equals(node.uid())) {
      nodes.remove(node.name());
      tooManyNodes = false; // until an unknown node is seen again
    }
  }

  // --- What follows

  /** Decides about all nodes. */
  public void round(Round round) {
    Duration elapsed = elapsed(round.now());
    if (!round.current() || tooManyPods) {
      waitAnew();
      blind = blind.plus(elapsed);
      if (blind.compareTo(blindness()) >= 0) {
        held = 0;
        nodes.values().forEach(node -> node.decide(NodeCourse.of(Finding.UNSEEN)));
      }
      return;
    }
    blind = Duration.ZERO;
    compare(round, elapsed);
    Map<Node, Finding> findings = findings(round.wall());
    hold(findings);
    findings.forEach((node, finding) -> apply(node, finding, round));
  }

  /** WE-10: time in which the controller did not run is no evidence. */
  private Duration elapsed(Duration now) {
    Duration elapsed = now.minus(last);
    last = now;
    if (elapsed.compareTo(LONGEST_ROUND) <= 0) {
      return elapsed;
    }
    waitAnew();
    return LONGEST_ROUND;
  }

  private void waitAnew() {
    nodes.values().forEach(node -> node.course = NodeCourse.of(node.course.applied()));
  }

  private Duration blindness() {
    return settings.duration().compareTo(LEAST_BLINDNESS) > 0
        ? settings.duration()
        : LEAST_BLINDNESS;
  }

  private void compare(Round round, Duration elapsed) {
    Map<String, Node> judged = new HashMap<>();
    nodes.forEach((name, node) -> {
      if (node.node.isJudged(round.wall())) {
        judged.put(name, node);
      }
    });
    WorkloadComparison comparison =
        new WorkloadComparison(
            settings.duration(),
            name -> {
              Node node = judged.get(name);
              return node != null && !node.course.isFailing();
            },
            name -> {
              Node node = judged.get(name);
              return node != null && node.course.isFailing();
            });
    for (Pod each : pods.values()) {
      if (judged.containsKey(each.pod.node())) {
        each.course = each.course.after(each.pod, elapsed, settings.duration());
        comparison.add(each.pod, each.course);
      } else { // WE-7: its kubelet may be stopped, and others report its pods as not Ready
        each.course = each.course.forgotten();
      }
    }
    Map<String, NodeTally> tallies = comparison.tallies();
    nodes.forEach((name, node) -> node.tally = tallies.getOrDefault(name, NodeTally.EMPTY));
  }

  private Map<Node, Finding> findings(Instant wall) {
    Map<Node, Finding> findings = new LinkedHashMap<>();
    for (Node node : nodes.values()) {
      if (!node.node.deleting()) {
        findings.put(node, finding(node, wall));
      }
    }
    return findings;
  }

  private Finding finding(Node node, Instant wall) {
    if (!node.node.ready()) {
      return Finding.NOT_READY;
    }
    if (node.node.isMaintained(wall)) {
      return Finding.MAINTAINED;
    }
    NodeTally tally = node.tally;
    if (node.course.isFailing()) { // WE-9: its share and namespaces no longer matter
      if (tally.failing().size() >= settings.minimum()) {
        return Finding.FAILING;
      }
    } else if (tally.isEvidence(settings)) {
      return node.node.cordoned() ? Finding.CORDONED : Finding.FAILING;
    }
    return tally.compared() >= settings.minimum() ? Finding.WORKING : Finding.TOO_FEW;
  }

  /** WE-8: so many nodes do not break at once, unless something else does. */
  private void hold(Map<Node, Finding> findings) {
    List<Node> fresh = new ArrayList<>();
    int known = 0;
    for (Node node : nodes.values()) {
      if (node.course.isFailing()) {
        known++;
      } else if (findings.get(node) == Finding.FAILING) {
        fresh.add(node);
      }
    }
    held = known + fresh.size() > Math.max(1, nodes.size() / NODES_PER_CAUSE) ? fresh.size() : 0;
    if (held > 0) {
      fresh.forEach(node -> findings.put(node, Finding.HELD));
    }
  }

  private void apply(Node node, Finding finding, Round round) {
    boolean before = node.course.isFailing();
    node.decide(node.course.found(finding, round.now(), round.confirmed(), settings.duration()));
    boolean old =
        round.now().minus(node.messageSince).compareTo(settings.duration()) >= 0
            || node.message.isEmpty();
    if (finding == Finding.FAILING && node.course.isFailing() && (!before || old)) {
      node.message = ShortText.of(node.tally.text(), WorkloadNode.MAX_MESSAGE);
      node.messageSince = round.now();
    }
  }

  // --- What is known

  /** {@return all nodes by name, except those that are being deleted} */
  public Collection<Node> nodes() {
    return nodes.values().stream().filter(node -> !node.node.deleting()).toList();
  }

  /** {@return a node; null if it is unknown or being deleted} */
  public @Nullable Node node(String name) {
    Node node = nodes.get(name);
    return node == null || node.node.deleting() ? null : node;
  }

  /** {@return how many pods are compared} */
  public int pods() {
    return pods.size();
  }

  /** {@return the most pods that are compared} */
  public int maxPods() {
    return maxPods;
  }

  /** {@return how many nodes fail at once and are held back} */
  public int held() {
    return held;
  }

  /** {@return the nodes found to be the cause} */
  public Stream<Node> failing() {
    return nodes.values().stream().filter(node -> node.course.isFailing());
  }
}
