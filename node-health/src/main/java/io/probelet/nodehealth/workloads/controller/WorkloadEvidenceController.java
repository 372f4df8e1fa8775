package io.probelet.nodehealth.workloads.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.Expectations;
import io.probelet.nodehealth.controller.ReconcileLoop;
import io.probelet.nodehealth.controller.ReconcileLoop.WatchFeed;
import io.probelet.nodehealth.workloads.ComparedWorkloads;
import io.probelet.nodehealth.workloads.ComparedWorkloads.Node;
import io.probelet.nodehealth.workloads.ComparedWorkloads.Round;
import io.probelet.nodehealth.workloads.Finding;
import io.probelet.nodehealth.workloads.WorkloadNode;
import io.probelet.nodehealth.workloads.WorkloadNode.Shown;
import io.probelet.nodehealth.workloads.WorkloadPod;
import io.probelet.nodehealth.workloads.WorkloadPodReader;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges nodes by the workloads of trusted namespaces for one term of leadership, and writes the
 * result as a condition of each Node. Pods are watched in each namespace by itself, so that the
 * permissions say as well which namespaces are trusted.
 */
public final class WorkloadEvidenceController implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-workload-evidence";

  private static final Logger LOG = LoggerFactory.getLogger(WorkloadEvidenceController.class);
  private static final String NODES = "nodes";

  /** Small enough to read a page of pods in a small heap. */
  private static final int PAGE = 200;

  private final Leadership term;
  private final TimeSource time;
  private final long start;
  private final RandomGenerator random;
  private final EvidenceListener listener;
  private final ReconcileLoop loop;
  private final EvidenceEvents events;
  private final NodeConditionWriter writer;
  private final ComparedWorkloads evidence;
  private final EvidenceWatches watches;
  private final List<ResourceWatch<?>> podWatches = new ArrayList<>();
  private final Expectations expectations = new Expectations();
  private final Set<String> dirty = new LinkedHashSet<>();
  private Duration nextRound = ComparedWorkloads.ROUND;
  private boolean overflowed;

  /**
   * Begins.
   *
   * @param thread where all is kept; to be closed with this
   */
  WorkloadEvidenceController(
      ApiServer api,
      WorkloadSettings settings,
      ComparedWorkloads evidence,
      String identity,
      TimeSource time,
      RandomGenerator random,
      EvidenceListener listener,
      Leadership term,
      SerialLoop thread) {
    this.term = term;
    this.time = time;
    this.start = time.nanoTime();
    this.random = random;
    this.listener = listener;
    this.evidence = evidence;
    loop = new ReconcileLoop(thread, time);
    events = new EvidenceEvents(api, term, time, random, identity, listener);
    writer = new NodeConditionWriter(api, term, loop, time, random, listener);
    watches =
        new EvidenceWatches(
            Stream.concat(
                    Stream.of(NODES),
                    settings.namespaces().stream().map(WorkloadEvidenceController::podsOf))
                .toList());
    loop.start(this::work, this::untilRound);
    watchNodes(api);
    settings.namespaces().forEach(namespace -> watchPods(api, namespace));
  }

  /**
   * Begins.
   *
   * @param api where everything is; no request takes longer than others wait for the lease
   * @param identity the unique name of this replica
   * @param random spreads retries; used by several threads
   * @param term for how long it may write
   * @return what was begun, to be closed at the end of the term
   */
  public static WorkloadEvidenceController start(
      ApiServer api,
      WorkloadSettings settings,
      String identity,
      TimeSource time,
      RandomGenerator random,
      EvidenceListener listener,
      Leadership term) {
    return new WorkloadEvidenceController(
        api,
        settings,
        new ComparedWorkloads(settings),
        identity,
        time,
        random,
        listener,
        term,
        ReconcileLoop.thread("workload-evidence", time.threads()));
  }

  private static String podsOf(String namespace) {
    return "pods of namespace " + namespace;
  }

  // --- Watches

  private void watchNodes(ApiServer api) {
    watch(
        api,
        NODES,
        "missing permission to %s nodes: apply deploy/workload-evidence/access.yaml",
        Selection.all("Node", "/api/v1/nodes"),
        new ObjectFormat<>(
            "v1", "Node", WorkloadNode.FIELDS, ObjectLimits.USUAL, WorkloadNode::read),
        this::nodeSeen,
        this::nodeGone);
  }

  private void watchPods(ApiServer api, String namespace) {
    podWatches.add(
        watch(
            api,
            podsOf(namespace),
            "missing permission to %s pods in namespace "
                + namespace
                + ": bind the ClusterRole probelet-workload-pods there, see"
                + " deploy/workload-evidence/access.yaml",
            new Selection(
                "Pod",
                "/api/v1/namespaces/" + ApiPath.encoded(namespace) + "/pods",
                "status.phase!=Succeeded,status.phase!=Failed",
                PAGE),
            new ObjectFormat<>(
                "v1",
                "Pod",
                WorkloadPodReader.FIELDS,
                ObjectLimits.USUAL,
                new WorkloadPodReader()::read),
            this::podSeen,
            item -> evidence.podGone(item.key(), item.uid())));
  }

  private <T> ResourceWatch<T> watch(
      ApiServer api,
      String name,
      String permission,
      Selection selection,
      Format<T> format,
      Consumer<Item<T>> changed,
      Consumer<Item<T>> gone) {
    return loop.watch(
        api,
        selection,
        format,
        new WatchFeed<>(loop, name, changed, gone, () -> {}) {
          @Override
          public void listed() {
            confirmed();
          }

          @Override
          public void bookmarked() {
            confirmed();
          }

          private void confirmed() {
            Duration at = now();
            loop.post(() -> watches.confirmed(name, at));
          }

          @Override
          public void ended() {
            loop.post(() -> watches.ended(name));
          }

          @Override
          public void refused(String verb) {
            loop.post(() -> watches.failed(name, permission.formatted(verb)));
          }

          @Override
          public void tooLarge(TooLarge object) {
            loop.post(() -> skipped(name, object.identity()));
          }
        },
        random);
  }

  /** What it says is unknown, so it is no evidence; nor is its last known state. */
  private void skipped(String watch, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    if (!watch.equals(NODES)) {
      evidence.podGone(
          metadata.path("namespace").asText() + "/" + metadata.path("name").asText(),
          Metadata.uid(object));
    }
  }

  private void podSeen(Item<WorkloadPod> item) {
    if (overflowed) {
      return;
    }
    evidence.podSeen(item.key(), item.uid(), item.value());
    if (evidence.hasTooManyPods()) { // a bound also for what the watches keep
      overflowed = true;
      LOG.warn("workload evidence stopped: more than {} pods", evidence.maxPods());
      podWatches.forEach(ResourceWatch::close);
      evidence.dropPods();
    }
  }

  private void nodeSeen(Item<WorkloadNode> item) {
    if (expectations.isNews(item.uid(), item.version())) {
      evidence.nodeSeen(item.value());
    }
  }

  private void nodeGone(Item<WorkloadNode> item) {
    expectations.sawEnd(item.uid());
    evidence.nodeGone(item.value());
    if (evidence.node(item.value().name()) == null) {
      writer.forget(item.value().name());
      dirty.remove(item.value().name());
    }
  }

  // --- Rounds

  /** The monotonic time since the start of the term; called by any thread. */
  private Duration now() {
    return Duration.ofNanos(time.nanoTime() - start);
  }

  private @Nullable Duration untilRound() {
    return term.isOn() ? nextRound.minus(now()) : null;
  }

  private void work() {
    if (!term.isOn()) {
      return;
    }
    Duration now = now();
    if (now.compareTo(nextRound) >= 0) {
      nextRound = now.plus(ComparedWorkloads.ROUND);
      evidence.round(new Round(now, time.wallTime(), watches.areCurrent(), watches.confirmed()));
      evidence.nodes().stream()
          .filter(WorkloadEvidenceController::isWrong)
          .forEach(node -> dirty.add(node.node().name()));
      listener.stands(standing());
    }
    write();
  }

  private static boolean isWrong(Node node) {
    Shown wanted = node.wanted();
    return wanted != null && !wanted.equals(node.node().shown());
  }

  /** A node that must wait is found again by the next round. */
  private void write() {
    Iterator<String> names = dirty.iterator();
    while (writer.isFree() && names.hasNext()) {
      Node node = evidence.node(names.next());
      names.remove();
      if (node != null && isWrong(node) && writer.mayWrite(node.node().name())) {
        WorkloadNode before = node.node();
        Shown wanted = node.wanted();
        if (wanted != null) {
          writer.write(before, wanted, body -> written(before, wanted, body));
        }
      }
    }
  }

  private void written(WorkloadNode before, Shown wanted, JsonNode body) {
    if (expectations.wrote(Metadata.uid(body), Metadata.version(body))) {
      evidence.nodeSeen(WorkloadNode.read(body));
    }
    events.written(before, before.shown(), wanted);
  }

  // --- Reports

  /**
   * {@return the current state}
   *
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  public CompletableFuture<EvidenceReport> report() {
    return loop.ask(this::standing);
  }

  private EvidenceReport standing() {
    List<String> problems = new ArrayList<>(watches.problems());
    problems.add(writer.problem());
    if (overflowed) {
      problems.add(
          "more than %d pods exist in the trusted namespaces: no node is judged until the controller"
                  .formatted(evidence.maxPods())
              + " restarts");
    }
    if (evidence.hasTooManyNodes()) {
      problems.add(
          "more than %d nodes exist: the others are not judged"
              .formatted(ComparedWorkloads.MAX_NODES));
    }
    if (evidence.held() > 0) {
      problems.add(
          "workloads fail on %d further nodes at once: held back, because the cause is probably not"
                  .formatted(evidence.held())
              + " a node");
    }
    problems.removeIf(String::isEmpty);
    Map<Finding, Integer> counts = new TreeMap<>();
    for (Node node : evidence.nodes()) {
      Finding finding = node.finding();
      if (finding != null) {
        counts.merge(finding, 1, Integer::sum);
      }
    }
    return new EvidenceReport(problems, counts, evidence.pods(), evidence.held());
  }

  /** Stops without waiting for running requests, which write nothing after the term has ended. */
  @Override
  public void close() {
    loop.close();
    events.close();
    listener.retired();
  }
}
