package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.cluster.api.ApiException;
import io.probelet.agent.cluster.api.ApiServer;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.GateState;
import io.probelet.agent.cluster.publish.GateBook.Wish;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.Pace;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the pod condition {@code probelet.io/ready} of pods that declare it as a readiness gate, by
 * server-side apply: this one condition is all of a pod's status that is ours.
 */
public final class ReadinessGate implements ProbeListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadinessGate.class);

  private final ApiServer api;
  private final TimeSource time;
  private final Pace pace;
  private final GateBook book = new GateBook();
  private final Scribe scribe = new Scribe("readiness", this::writeNext);

  /**
   * Creates a gate that has not begun.
   *
   * @param api where pods are
   * @param time the clocks to go by
   * @param random spreads what the agents of a cluster do
   */
  public ReadinessGate(ApiServer api, TimeSource time, RandomGenerator random) {
    this.api = api;
    this.time = time;
    this.pace = new Pace(random);
  }

  /** Begins to write. */
  public void start() {
    scribe.start();
  }

  /**
   * Takes what the API server says of a pod.
   *
   * @param pod as it is now
   */
  public void known(ClusterPod pod) {
    synchronized (book) {
      book.known(pod);
    }
    scribe.news();
  }

  @Override
  public void containerChanged(ContainerStatus container) {
    synchronized (book) {
      book.changed(container);
    }
    scribe.news();
  }

  @Override
  public void podRemoved(PodRef pod) {
    synchronized (book) {
      book.gone(pod.uid());
    }
  }

  private boolean writeNext() throws InterruptedException {
    Optional<Wish> next;
    synchronized (book) {
      next = book.next();
    }
    if (next.isPresent()) {
      write(next.get());
    }
    return next.isPresent();
  }

  private void write(Wish wish) throws InterruptedException {
    PodRef pod = wish.pod().ref();
    try {
      api.send(
          "PATCH",
          "/api/v1/namespaces/%s/pods/%s/status?fieldManager=probelet&force=true"
              .formatted(pod.namespace(), pod.name()),
          "application/apply-patch+yaml",
          condition(wish));
      LOG.info("pod={} condition={} status={}", pod, GateState.CONDITION, wish.ready());
      pace.succeeded();
    } catch (ApiException refused) {
      if (!refused.hopeless()) {
        Duration wait = pace.failed(refused.retryAfter());
        LOG.warn("pod={} readiness=held reason=\"{}\"", pod, refused.getMessage());
        scribe.pause(wait);
        return;
      }
      LOG.warn("pod={} readiness=dropped reason=\"{}\"", pod, refused.getMessage());
    }
    synchronized (book) {
      book.written(wish);
    }
  }

  private String condition(Wish wish) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", wish.pod().ref().name())
        .put("namespace", wish.pod().ref().namespace())
        .put("uid", wish.pod().uid()); // a successor of the same name is left alone
    pod.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", GateState.CONDITION)
        .put("status", wish.ready() ? "True" : "False")
        .put("reason", wish.reason())
        .put("message", wish.message())
        .put("lastTransitionTime", time.wallTime().truncatedTo(ChronoUnit.SECONDS).toString());
    return pod.toString();
  }

  /** Ends the writing; conditions stay as they are. */
  @Override
  public void close() {
    scribe.close();
  }
}
