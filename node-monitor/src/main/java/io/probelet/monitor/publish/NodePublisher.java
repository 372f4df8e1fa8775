package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.TaintSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps our conditions on the Node equal to what the monitor says (B-8), and never touches anybody
 * else's. While the API server is away only the newest state is kept; that is what arrives.
 */
public final class NodePublisher implements MonitorListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePublisher.class);
  private static final ApiResult NOTHING_TO_DO = new Done(MissingNode.getInstance());

  private final NodeRequests requests;
  private final String node;
  private final String bootId;
  private final TimeSource time;
  private final PublishSchedule schedule;
  private final Semaphore news = new Semaphore(0);
  private final Map<String, Condition> said = new LinkedHashMap<>();
  private final AtomicLong patches = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final Thread thread = Thread.ofVirtual().name("node-publisher").unstarted(this::run);
  private List<ConditionSpec> watched = List.of();
  private volatile String problem = "";
  private @Nullable Marks onNode;

  /**
   * Creates a publisher that has not begun.
   *
   * @param api the API server
   * @param node name of the Node
   * @param bootId the boot this is
   * @param time the clocks to go by
   * @param random spreads what the agents of a cluster do after a failure
   */
  public NodePublisher(
      ApiServer api, String node, String bootId, TimeSource time, RandomGenerator random) {
    this(api, node, bootId, PublishSchedule.HEARTBEAT, time, random);
  }

  /**
   * Creates a publisher that has not begun.
   *
   * @param api the API server
   * @param node name of the Node
   * @param bootId the boot this is
   * @param heartbeat how often conditions are written although nothing is new, above zero
   * @param time the clocks to go by
   * @param random spreads what the agents of a cluster do after a failure
   */
  public NodePublisher(
      ApiServer api,
      String node,
      String bootId,
      Duration heartbeat,
      TimeSource time,
      RandomGenerator random) {
    this.requests = new NodeRequests(api, node);
    this.node = node;
    this.bootId = bootId;
    this.time = time;
    this.schedule = new PublishSchedule(time.nanoTime(), heartbeat, random);
    api.whenBack(this::serverIsBack);
  }

  /**
   * Asks what was published by a program before this one, in this boot (B-4). What is left of an
   * earlier boot is not news of this one, nor is what the leader wrote because that program was
   * gone.
   *
   * @return the conditions to adopt; empty if the API server does not say
   */
  public Optional<List<Condition>> adoptable() {
    ApiResult answer = requests.get();
    if (!(answer instanceof Done(JsonNode found))) {
      return Optional.empty();
    }
    Ownership owned = Ownership.of(found);
    return Optional.of(
        owned.bootId().equals(bootId)
            ? NodeRequests.conditions(found, owned.types()).stream()
                .filter(condition -> !condition.reason().equals(AbsentAgent.REASON))
                .toList()
            : List.of());
  }

  /**
   * Begins to publish, on a thread of its own. To be called once the monitor has said what it
   * watches, because what is not watched is removed.
   */
  public void start() {
    thread.start();
  }

  /** {@return what keeps it from publishing; empty if nothing does} */
  public String problem() {
    return problem;
  }

  /** {@return how many changes of the Node there have been} */
  public long patches() {
    return patches.get();
  }

  /** {@return how many attempts to publish have failed (B-13)} */
  public long failures() {
    return failures.get();
  }

  @Override
  public void conditionChanged(Condition condition) {
    if (Ownership.OF_THE_KUBELET.contains(condition.type())) {
      LOG.warn("condition={} is the kubelet's and not published", condition.type());
      return;
    }
    synchronized (this) {
      Condition before = said.put(condition.type(), condition);
      if (before != null
          && before.status() == condition.status()
          && before.reason().equals(condition.reason())) {
        schedule.reworded(time.nanoTime());
      } else {
        schedule.changed(time.nanoTime());
      }
    }
    news.release();
  }

  @Override
  public void watching(List<ConditionSpec> specs) {
    synchronized (this) {
      watched = List.copyOf(specs);
      said.keySet().retainAll(types(specs));
    }
    publishAgain();
  }

  /** Publishes soon, whether or not anything is new: others may have written on the Node. */
  public void publishAgain() {
    synchronized (this) {
      schedule.changed(time.nanoTime());
    }
    news.release();
  }

  private void serverIsBack() {
    synchronized (this) {
      schedule.serverIsBack(time.nanoTime());
    }
    news.release();
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        long wait = untilDue();
        if (wait <= 0) {
          attempt();
        } else if (news.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
          news.drainPermits();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized long untilDue() {
    return schedule.due() - time.nanoTime();
  }

  private void attempt() {
    List<Condition> now;
    List<ConditionSpec> known;
    synchronized (this) {
      schedule.begun();
      now = List.copyOf(said.values());
      known = watched;
    }
    ApiResult answer = publish(now, known);
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    if (answer instanceof Done) {
      synchronized (this) {
        schedule.succeeded(time.nanoTime());
      }
      if (!problem.isEmpty()) {
        LOG.info("node={} conditions are published again", node);
      }
      problem = "";
      return;
    }
    failures.incrementAndGet();
    synchronized (this) {
      schedule.failed(time.nanoTime(), answer.requestedWait());
    }
    if (problem.isEmpty()) {
      LOG.warn("node={} conditions cannot be published, trying again: {}", node, answer.summary());
    }
    problem = answer.summary();
  }

  /** May be sent again. */
  private ApiResult publish(List<Condition> now, List<ConditionSpec> known) {
    Marks before = onNode;
    if (before == null) {
      ApiResult answer = requests.get();
      if (answer.isForbidden() && known.isEmpty()) {
        return NOTHING_TO_DO; // where nothing is watched, no right is needed
      }
      if (!(answer instanceof Done(JsonNode found))) {
        return answer;
      }
      before = Marks.of(found);
      onNode = before;
    }
    Set<String> ours = now.stream().map(Condition::type).collect(Collectors.toSet());
    boolean sameBoot = before.conditions().bootId().equals(bootId);
    if (sameBoot) {
      // B-4: what has not been checked yet since the start stays, unless it is of an earlier boot.
      ours.addAll(types(known));
      ours.retainAll(before.conditions().types());
      now.forEach(condition -> ours.add(condition.type()));
    }
    Set<String> gone = new TreeSet<>(before.conditions().types()); // B-6: what nobody watches
    gone.removeAll(ours);
    List<TaintSpec> taints = taints(known, now, sameBoot ? before.taints() : List.of());
    Marks wanted = new Marks(ours.isEmpty() ? Ownership.NONE : Ownership.of(bootId, ours), taints);
    if (wanted.equals(before) && now.isEmpty() && gone.isEmpty()) {
      return NOTHING_TO_DO;
    }
    // In one, so that nothing of ours is ever there unclaimed, even if the Node was made anew.
    ObjectNode patch = StatusPatch.of(now, gone, time.wallTime());
    wanted.addTo(patch);
    return changed(requests.patch(patch));
  }

  private static Set<String> types(List<ConditionSpec> specs) {
    return specs.stream().map(ConditionSpec::type).collect(Collectors.toSet());
  }

  /** B-11: for conditions that are True; while one is not known its taint stays as it was. */
  private static List<TaintSpec> taints(
      List<ConditionSpec> known, List<Condition> now, List<TaintSpec> before) {
    Map<String, ConditionStatus> statuses = new HashMap<>();
    now.forEach(condition -> statuses.put(condition.type(), condition.status()));
    Map<String, TaintSpec> wanted = new TreeMap<>();
    for (ConditionSpec spec : known) {
      TaintSpec taint = spec.taint();
      ConditionStatus status = statuses.getOrDefault(spec.type(), ConditionStatus.UNKNOWN);
      if (taint != null
          && (status == ConditionStatus.TRUE
              || (status == ConditionStatus.UNKNOWN && before.contains(taint)))) {
        wanted.put(taint.toString(), taint);
      }
    }
    return List.copyOf(wanted.values());
  }

  /** What the answer shows is how the Node is now, even if it was made anew meanwhile. */
  private ApiResult changed(ApiResult answer) {
    if (answer instanceof Done(JsonNode found)) {
      patches.incrementAndGet();
      onNode = Marks.of(found);
    } else {
      onNode = null; // it may have come through
    }
    return answer;
  }

  /** What of the Node's metadata is ours to write. */
  private record Marks(Ownership conditions, List<TaintSpec> taints) {
    static Marks of(JsonNode node) {
      return new Marks(Ownership.of(node), NodeTaints.wanted(node));
    }

    void addTo(ObjectNode patch) {
      ObjectNode metadata = patch.withObject("metadata");
      conditions.addTo(metadata);
      NodeTaints.want(taints, metadata);
    }
  }

  /** Publishes no more; what is on the Node stays. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
