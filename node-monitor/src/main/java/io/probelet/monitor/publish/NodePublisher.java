package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.health.Alarm;
import io.probelet.health.Condition;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.publish.PublishPlan.NodeMarks;
import io.probelet.monitor.rule.ConditionSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
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
  private final AtomicReference<Said> said = new AtomicReference<>(Said.NOTHING);
  private final AtomicLong patches = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final SerialLoop loop;
  private final Alarm attempt;
  private final Alarm changed;
  private final Alarm reworded;
  private volatile String problem = "";

  // Of the loop alone, as is the schedule.
  private boolean started;

  /** Null while it is not known. */
  private @Nullable NodeMarks onNode;

  /**
   * What the monitor says.
   *
   * @param watched the conditions it can set
   */
  private record Said(List<ConditionSpec> watched, Map<String, Condition> conditions) {
    static final Said NOTHING = new Said(List.of(), Map.of());

    Said with(Condition condition) {
      Map<String, Condition> all = new LinkedHashMap<>(conditions);
      all.put(condition.type(), condition);
      return new Said(watched, all);
    }

    Said watching(List<ConditionSpec> specs) {
      Map<String, Condition> kept = new LinkedHashMap<>(conditions);
      kept.keySet().retainAll(specs.stream().map(ConditionSpec::type).toList());
      return new Said(List.copyOf(specs), kept);
    }
  }

  /**
   * Creates a publisher that has not begun.
   *
   * @param heartbeat how often conditions are written although nothing is new, above zero
   * @param random spreads what the agents of a cluster do after a failure
   */
  public NodePublisher(
      ApiServer api,
      String node,
      String bootId,
      Duration heartbeat,
      TimeSource time,
      RandomGenerator random) {
    this(api, node, bootId, heartbeat, time, random, ownLoop(node));
  }

  /**
   * Creates a publisher that has not begun, on a loop of the caller's.
   *
   * @param heartbeat how often conditions are written although nothing is new, above zero
   * @param random spreads what the agents of a cluster do after a failure
   * @param loop on which the API server is asked; closed with the publisher
   */
  public NodePublisher(
      ApiServer api,
      String node,
      String bootId,
      Duration heartbeat,
      TimeSource time,
      RandomGenerator random,
      SerialLoop loop) {
    this.requests = new NodeRequests(api, node);
    this.node = node;
    this.bootId = bootId;
    this.time = time;
    this.schedule = new PublishSchedule(time.nanoTime(), heartbeat, random);
    this.loop = loop;
    this.attempt = loop.alarm(this::attempt);
    this.changed = schedules(schedule::changed);
    this.reworded = schedules(schedule::reworded);
    Alarm serverBack = schedules(schedule::serverIsBack);
    api.whenBack(() -> serverBack.set(Duration.ZERO));
  }

  /** News of any thread's, which the loop takes into account. */
  private Alarm schedules(LongConsumer news) {
    return loop.alarm(() -> {
      news.accept(time.nanoTime());
      setAlarm();
    });
  }

  private static SerialLoop ownLoop(String node) {
    return SerialLoop.start(
        Thread.ofVirtual().name("node-publisher").factory(),
        1, // it has alarms, and one task that begins
        bug ->
            LOG.error("internal error while publishing conditions, continuing node={}", node, bug));
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
    List<Condition> ours = NodeRequests.conditions(found, owned.types());
    return Optional.of(PublishPlan.adoptable(owned, ours, bootId));
  }

  /**
   * Begins to publish, on a thread of its own. To be called once the monitor has said what it
   * watches, because what is not watched is removed.
   */
  public void start() {
    var _ =
        loop.offer(() -> {
          started = true;
          setAlarm();
        });
  }

  private void setAlarm() {
    if (started) {
      attempt.setAt(schedule.due());
    }
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
      LOG.warn("condition not published, it belongs to the kubelet condition={}", condition.type());
      return;
    }
    Condition before =
        said.getAndUpdate(known -> known.with(condition)).conditions().get(condition.type());
    boolean otherWords =
        before != null
            && before.status() == condition.status()
            && before.reason().equals(condition.reason());
    (otherWords ? reworded : changed).set(Duration.ZERO);
  }

  @Override
  public void watching(List<ConditionSpec> specs) {
    var _ = said.updateAndGet(known -> known.watching(specs));
    publishAgain();
  }

  /** Publishes soon, whether or not anything is new: others may have written on the Node. */
  public void publishAgain() {
    changed.set(Duration.ZERO);
  }

  private void attempt() {
    loop.requireInLoop();
    changed.cancel(); // what has been said up to now is written with it
    reworded.cancel();
    ApiResult answer = publish(said.get());
    if (loop.isClosed()) {
      return;
    }
    if (answer instanceof Done) {
      schedule.succeeded(time.nanoTime());
      setAlarm();
      if (!problem.isEmpty()) {
        LOG.info("publishing conditions again node={}", node);
      }
      problem = "";
      return;
    }
    failures.incrementAndGet();
    schedule.failed(time.nanoTime(), answer.requestedWait());
    setAlarm();
    if (problem.isEmpty()) {
      LOG.warn("cannot publish conditions, retrying node={} reason=\"{}\"", node, answer.summary());
    }
    problem = answer.summary();
  }

  /** May be sent again. */
  private ApiResult publish(Said now) {
    NodeMarks before = onNode;
    if (before == null) {
      ApiResult answer = requests.get();
      if (answer.isForbidden() && now.watched().isEmpty()) {
        return NOTHING_TO_DO; // where nothing is watched, no permission is needed
      }
      if (!(answer instanceof Done(JsonNode found))) {
        return answer;
      }
      before = NodeMarks.of(found);
      onNode = before;
    }
    return PublishPlan.of(before, bootId, now.watched(), now.conditions().values())
        .map(plan -> changed(requests.patch(plan.patch(time.wallTime()))))
        .orElse(NOTHING_TO_DO);
  }

  /** What the answer shows is how the Node is now, even if it was made anew meanwhile. */
  private ApiResult changed(ApiResult answer) {
    if (answer instanceof Done(JsonNode found)) {
      patches.incrementAndGet();
      onNode = NodeMarks.of(found);
    } else {
      onNode = null; // it may have come through
    }
    return answer;
  }

  /** Publishes no more; what is on the Node stays. */
  @Override
  public void close() {
    loop.close();
  }
}
