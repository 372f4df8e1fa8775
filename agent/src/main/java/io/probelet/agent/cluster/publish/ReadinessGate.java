package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.GateState;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.publish.ReadinessWrites.PendingWrite;
import io.probelet.agent.cluster.restart.UnreadyGate;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import io.probelet.kube.WriteLoop;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the pod condition {@code probelet.io/ready} of pods that declare it as a readiness gate, by
 * server-side apply: this one condition is all of a pod's status that is ours.
 */
public final class ReadinessGate implements ProbeListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadinessGate.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Duration PERIOD_WHILE_HELD_BACK = Duration.ofSeconds(1);

  private final ApiServer api;
  private final KnownPods pods;
  private final TimeSource time;
  private final UnreadyGate budget;
  private final ReadinessWrites book = new ReadinessWrites();
  private final WriteLoop loop;

  /**
   * Creates a gate that has not begun.
   *
   * @param budget has a say in whether a pod that was ready turns unready
   */
  public ReadinessGate(
      ApiServer api, KnownPods pods, UnreadyGate budget, TimeSource time, RandomGenerator random) {
    this.budget = budget;
    this.api = api;
    this.pods = pods;
    this.time = time;
    this.loop = new WriteLoop("readiness", this::period, this::writeNext, random, time.threads());
    api.whenBack(loop::serverIsBack);
  }

  /** Begins to write. */
  public void start() {
    loop.start();
  }

  /** Takes a pod from the API server. */
  public void known(ClusterPod pod) {
    synchronized (book) {
      book.known(pod, time.nanoTime());
    }
    loop.wake();
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    synchronized (book) {
      book.changed(now);
    }
    loop.wake();
  }

  /** A pod that is still known had its annotation edited, and its probes start again. */
  @Override
  public void podRemoved(PodRef pod) {
    synchronized (book) {
      if (pods.find(pod).isPresent()) {
        book.probedAnew(pod);
      } else {
        book.gone(pod);
      }
    }
  }

  private Duration period() {
    synchronized (book) {
      return book.holdsBack() ? PERIOD_WHILE_HELD_BACK : PERIOD;
    }
  }

  private boolean writeNext() {
    ask();
    Optional<PendingWrite> next;
    synchronized (book) {
      next = book.next(time.nanoTime());
    }
    if (next.isPresent()) {
      write(next.get());
    }
    return next.isPresent();
  }

  /** Asks about all pods that want to turn unready; answers may come later. */
  private void ask() {
    List<PodRef> ready;
    Optional<PendingWrite> next;
    synchronized (book) {
      ready = book.readyAgain();
      next = book.nextAsk(time.nanoTime());
    }
    ready.forEach(budget::ready);
    while (next.isPresent()) {
      PodRef pod = next.get().pod().ref();
      var _ =
          budget.ask(next.get().pod(), next.get().notReady()).thenAccept(may -> answered(pod, may));
      synchronized (book) {
        next = book.nextAsk(time.nanoTime());
      }
    }
  }

  private void answered(PodRef pod, boolean may) {
    synchronized (book) {
      book.answered(pod, may, time.nanoTime());
    }
    if (may) {
      loop.wake();
    }
  }

  private void write(PendingWrite write) {
    PodRef pod = write.pod().ref();
    ApiResult answer =
        api.apply(
            "/api/v1/namespaces/%s/pods/%s/status".formatted(pod.namespace(), pod.name()),
            condition(write));
    if (answer instanceof Done) {
      LOG.info(
          "readiness condition written pod={} condition={} status={}",
          pod,
          GateState.CONDITION,
          write.ready() ? "True" : "False");
      var _ = loop.succeeded();
    } else if (answer.isPermanentRefusal() && !answer.isConflict()) {
      LOG.warn(
          "readiness condition refused, not retrying pod={} reason=\"{}\"", pod, answer.summary());
    } else { // a conflict is with another writer, or with a successor, which its watch soon shows
      loop.failed(answer);
      return;
    }
    synchronized (book) {
      book.written(write);
    }
  }

  private ObjectNode condition(PendingWrite write) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", write.pod().ref().name())
        .put("namespace", write.pod().ref().namespace())
        .put("uid", write.pod().uid()); // a successor of the same name is left alone
    pod.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", GateState.CONDITION)
        .put("status", write.ready() ? "True" : "False")
        .put("reason", write.reason())
        .put("message", write.message())
        .put("lastTransitionTime", WireTime.seconds(time.wallTime()));
    return pod;
  }

  /** Ends the writing; conditions stay as they are. */
  @Override
  public void close() {
    loop.close();
  }
}
