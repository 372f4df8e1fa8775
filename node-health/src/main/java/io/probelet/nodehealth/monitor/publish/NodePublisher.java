package io.probelet.nodehealth.monitor.publish;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.monitor.node.MonitorListener;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps our conditions on the Node equal to what the monitor says (B-8): changes within a second
 * and a bit, everything again every five minutes, and never anybody else's conditions. While the
 * API server is away only the newest state is kept; that is what arrives.
 */
public final class NodePublisher implements MonitorListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePublisher.class);
  private static final PatchContext STRATEGIC = PatchContext.of(PatchType.STRATEGIC_MERGE);
  private static final Duration COALESCE = Duration.ofSeconds(1);
  private static final Duration HEARTBEAT = Duration.ofMinutes(5);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofMinutes(1);

  /** What the kubelet says about the Node; taking it over would break the cluster. */
  private static final Set<String> OF_THE_KUBELET =
      Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

  private final KubernetesClient client;
  private final String node;
  private final String bootId;
  private final TimeSource time;
  private final Semaphore changes = new Semaphore(0);
  private final Map<String, Condition> said = new LinkedHashMap<>();
  private Set<String> watched = Set.of();
  private final AtomicLong failures = new AtomicLong();
  private volatile String problem = "";
  private @Nullable Ownership written;
  private @Nullable Thread thread;

  /**
   * Creates a publisher that has not begun.
   *
   * @param client knows the API server; closed by its owner
   * @param node name of the Node
   * @param bootId the boot this is
   * @param time the clocks to go by
   */
  public NodePublisher(KubernetesClient client, String node, String bootId, TimeSource time) {
    this.client = client;
    this.node = node;
    this.bootId = bootId;
    this.time = time;
  }

  /**
   * Asks what was published by a program before this one, in this boot (B-4). What is left of an
   * earlier boot is not news of this one.
   *
   * @return the conditions to adopt
   * @throws KubernetesClientException if the API server does not answer
   */
  public List<Condition> adoptable() {
    Node found = client.nodes().withName(node).get();
    if (found == null || found.getStatus() == null) {
      return List.of();
    }
    Ownership owned = owned(found);
    return owned.bootId().equals(bootId)
        ? found.getStatus().getConditions().stream()
            .filter(condition -> owned.types().contains(condition.getType()))
            .map(NodePublisher::condition)
            .toList()
        : List.of();
  }

  private static Ownership owned(@Nullable Node found) {
    Map<String, String> annotations = found == null ? null : found.getMetadata().getAnnotations();
    return Ownership.read(annotations == null ? null : annotations.get(Ownership.ANNOTATION));
  }

  private static Condition condition(NodeCondition found) {
    String time = found.getLastTransitionTime();
    Instant since = time == null ? Instant.EPOCH : Instant.parse(time);
    return new Condition(
        found.getType(),
        ConditionStatus.parse(found.getStatus()),
        since,
        since,
        found.getReason() == null ? "" : found.getReason(),
        found.getMessage() == null ? "" : found.getMessage(),
        List.of());
  }

  /**
   * Begins to publish, on a thread of its own. To be called once the monitor has said what it
   * watches, because what is not watched is removed.
   */
  public synchronized void start() {
    thread = Thread.ofVirtual().name("node-publisher").start(this::run);
  }

  /** {@return what keeps it from publishing; empty if nothing does} */
  public String problem() {
    return problem;
  }

  /** {@return how many attempts to publish have failed (B-13)} */
  public long failures() {
    return failures.get();
  }

  @Override
  public void conditionChanged(Condition condition) {
    if (OF_THE_KUBELET.contains(condition.type())) {
      LOG.warn("condition={} is the kubelet's and not published", condition.type());
      return;
    }
    synchronized (this) {
      said.put(condition.type(), condition);
    }
    changes.release();
  }

  @Override
  public void watching(Set<String> types) {
    synchronized (this) {
      watched = Set.copyOf(types);
      said.keySet().retainAll(types);
    }
    changes.release();
  }

  private void run() {
    Duration retry = FIRST_RETRY;
    boolean failed = false;
    try {
      while (true) {
        Duration wait = failed ? retry : HEARTBEAT;
        if (changes.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS) && !failed) {
          boolean _ = new Semaphore(0).tryAcquire(COALESCE.toMillis(), TimeUnit.MILLISECONDS);
        }
        changes.drainPermits();
        failed = !attempt();
        retry = failed ? longer(retry) : FIRST_RETRY;
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration longer(Duration retry) {
    Duration twice = retry.multipliedBy(2);
    return twice.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : twice;
  }

  private boolean attempt() {
    try {
      publish();
      if (!problem.isEmpty()) {
        LOG.info("node={} conditions are published again", node);
      }
      problem = "";
      return true;
    } catch (KubernetesClientException refused) {
      failures.incrementAndGet();
      String why = String.valueOf(refused.getMessage());
      if (problem.isEmpty()) {
        LOG.warn("node={} conditions cannot be published, trying again: {}", node, why);
      }
      problem = why;
      return false;
    }
  }

  private void publish() {
    List<Condition> now;
    Set<String> known;
    synchronized (this) {
      now = List.copyOf(said.values());
      known = watched;
    }
    Ownership before = written == null ? owned(client.nodes().withName(node).get()) : written;
    Set<String> ours = now.stream().map(Condition::type).collect(Collectors.toSet());
    // What has not been checked yet since the start stays ours (B-4); what nobody watches any more
    // goes (B-6).
    before.types().stream().filter(known::contains).forEach(ours::add);
    Set<String> gone = new TreeSet<>(before.types());
    gone.removeAll(ours);
    if (now.isEmpty() && gone.isEmpty()) {
      return;
    }
    Set<String> claimed = new TreeSet<>(ours);
    claimed.addAll(gone);
    own(Ownership.of(bootId, claimed), before); // first: nothing of ours is ever there unclaimed
    client
        .nodes()
        .withName(node)
        .subresource("status")
        .patch(STRATEGIC, StatusPatch.of(now, gone, time.wallTime()));
    own(Ownership.of(bootId, ours), Ownership.of(bootId, claimed));
  }

  private void own(Ownership wanted, Ownership before) {
    if (!wanted.equals(before)) {
      client.nodes().withName(node).patch(STRATEGIC, wanted.patch());
    }
    written = wanted;
  }

  /**
   * Takes everything of ours off a Node, whichever program published it (B-6).
   *
   * @param client knows the API server
   * @param node name of the Node
   * @return the types that were removed
   * @throws KubernetesClientException if the API server refuses or does not answer
   */
  public static Set<String> uninstall(KubernetesClient client, String node) {
    Set<String> types = owned(client.nodes().withName(node).get()).types();
    if (!types.isEmpty()) {
      client
          .nodes()
          .withName(node)
          .subresource("status")
          .patch(STRATEGIC, StatusPatch.of(List.of(), types, Instant.EPOCH));
      client.nodes().withName(node).patch(STRATEGIC, Ownership.of("", Set.of()).patch());
    }
    return types;
  }

  /** Publishes no more; what is on the Node stays. */
  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
