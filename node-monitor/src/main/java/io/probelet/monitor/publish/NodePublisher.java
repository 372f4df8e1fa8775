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
import io.probelet.kube.MaintenanceNote;
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
 * Keeps our conditions on the Node equal to those of the monitor (B-8), and never touches others.
 * While the API server is unreachable only the newest state is kept, and written later.
 */
public final class NodePublisher implements MonitorListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePublisher.class);
  private static final ApiResult NOTHING_TO_DO = new Done(MissingNode.getInstance());

  private final NodeRequests requests;
  private final String node;
  private final String bootId;
  private final TimeSource time;
  private final PublishSchedule schedule;
  private final AtomicReference<MonitorState> monitorState =
      new AtomicReference<>(MonitorState.NOTHING);
  private final AtomicLong patches = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final SerialLoop loop;
  private final Alarm attempt;
  private final Alarm changed;
  private final Alarm messageChanged;
  private volatile String problem = "";
  private volatile Optional<MaintenanceNote> maintenance = Optional.empty();
  private volatile Runnable maintenanceChanged = () -> {};

  // Owned by the loop, like the schedule.
  private boolean started;

  /** Null while unknown. */
  private @Nullable NodeMarks onNode;

  /**
   * The state of the monitor.
   *
   * @param watched the conditions that it can set
   */
  private record MonitorState(List<ConditionSpec> watched, Map<String, Condition> conditions) {
    static final MonitorState NOTHING = new MonitorState(List.of(), Map.of());

    MonitorState with(Condition condition) {
      Map<String, Condition> all = new LinkedHashMap<>(conditions);
      all.put(condition.type(), condition);
      return new MonitorState(watched, all);
    }

    MonitorState watching(List<ConditionSpec> specs) {
      Map<String, Condition> kept = new LinkedHashMap<>(conditions);
      kept.keySet().retainAll(specs.stream().map(ConditionSpec::type).toList());
      return new MonitorState(List.copyOf(specs), kept);
    }
  }

  /**
   * Creates a publisher that has not begun.
   *
   * @param heartbeat how often unchanged conditions are rewritten, above zero
   * @param random spreads the retries of the agents of a cluster
   */
  public NodePublisher(
      ApiServer api,
      String node,
      String bootId,
      Duration heartbeat,
      TimeSource time,
      RandomGenerator random) {
    this(api, node, bootId, heartbeat, time, random, ownLoop(node, time));
  }

  /**
   * Creates a publisher that has not begun, on the caller's loop.
   *
   * @param heartbeat how often unchanged conditions are rewritten, above zero
   * @param random spreads the retries of the agents of a cluster
   * @param loop for the requests to the API server; closed with the publisher
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
    this.messageChanged = schedules(schedule::messageChanged);
    Alarm serverBack = schedules(schedule::serverIsBack);
    api.whenBack(() -> serverBack.set(Duration.ZERO));
  }

  /** Records a change from any thread for the loop. */
  private Alarm schedules(LongConsumer news) {
    return loop.alarm(() -> {
      news.accept(time.nanoTime());
      setAlarm();
    });
  }

  private static SerialLoop ownLoop(String node, TimeSource time) {
    return SerialLoop.startVirtual(
        time.threads(),
        "node-publisher",
        1, // its tasks are timers and one start task
        bug ->
            LOG.error("internal error while publishing conditions, continuing node={}", node, bug));
  }

  /**
   * Reads the conditions that an earlier process published in this boot (B-4). Conditions of an
   * earlier boot, and those the leader wrote because the agent was gone, are ignored.
   *
   * @return the conditions to adopt; empty if the API server does not answer
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
   * Begins to publish, on its own thread. Call it after the monitor has loaded its conditions,
   * because conditions without a monitor are removed.
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

  /** {@return the problem with publishing; empty if there is none} */
  public String problem() {
    return problem;
  }

  /** {@return the maintenance that the Node named when it was last read or written (MW-11)} */
  public Optional<MaintenanceNote> maintenance() {
    return maintenance;
  }

  /**
   * Sets what is called after the Node names another maintenance than before, or none. Call it
   * before publishing begins.
   *
   * @param changed returns quickly
   */
  public void whenMaintenanceChanged(Runnable changed) {
    maintenanceChanged = changed;
  }

  private NodeMarks seen(JsonNode node) {
    Optional<MaintenanceNote> now = MaintenanceNote.of(node);
    boolean news = !now.equals(maintenance);
    maintenance = now;
    if (news) {
      maintenanceChanged.run();
    }
    return NodeMarks.of(node);
  }

  /** {@return the number of successful writes} */
  public long patches() {
    return patches.get();
  }

  /** {@return the number of failed attempts (B-13)} */
  public long failures() {
    return failures.get();
  }

  @Override
  public void conditionChanged(Condition condition) {
    if (ConditionSpec.isKubelets(condition.type())) {
      LOG.warn("condition not published, it belongs to the kubelet condition={}", condition.type());
      return;
    }
    Condition before =
        monitorState
            .getAndUpdate(known -> known.with(condition))
            .conditions()
            .get(condition.type());
    boolean onlyMessage =
        before != null
            && before.status() == condition.status()
            && before.reason().equals(condition.reason());
    (onlyMessage ? messageChanged : changed).set(Duration.ZERO);
  }

  @Override
  public void watching(List<ConditionSpec> specs) {
    var _ = monitorState.updateAndGet(known -> known.watching(specs));
    publishAgain();
  }

  /** Publishes soon, even without changes: others may have written to the Node. */
  public void publishAgain() {
    changed.set(Duration.ZERO);
  }

  private void attempt() {
    loop.requireInLoop();
    changed.cancel(); // includes all changes up to now
    messageChanged.cancel();
    ApiResult answer = publish(monitorState.get());
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

  /** Allows another attempt. */
  private ApiResult publish(MonitorState now) {
    NodeMarks before = onNode;
    if (before == null) {
      ApiResult answer = requests.get();
      if (answer.isForbidden() && now.watched().isEmpty()) {
        return NOTHING_TO_DO; // without monitors no permission is needed
      }
      if (!(answer instanceof Done(JsonNode found))) {
        return answer;
      }
      before = seen(found);
      onNode = before;
    }
    return PublishPlan.of(before, bootId, now.watched(), now.conditions().values())
        .map(plan -> changed(requests.patch(plan.patch(time.wallTime()))))
        .orElse(NOTHING_TO_DO);
  }

  /** The answer shows the current Node, even if it was recreated in the meantime. */
  private ApiResult changed(ApiResult answer) {
    if (answer instanceof Done(JsonNode found)) {
      patches.incrementAndGet();
      onNode = seen(found);
    } else {
      onNode = null; // it may have been carried out
    }
    return answer;
  }

  /** Stops publishing; the conditions stay on the Node. */
  @Override
  public void close() {
    loop.close();
  }
}
