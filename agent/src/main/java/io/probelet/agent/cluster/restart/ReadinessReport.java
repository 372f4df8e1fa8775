package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.restart.WorkloadReport.Passed;
import io.probelet.health.RecentMap;
import io.probelet.probe.PodRef;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the readiness budget's decisions in logs, metrics and events, each hold once. Call it
 * from one thread at a time; any thread may read metrics.
 */
final class ReadinessReport implements GuardReport<ClusterPod> {
  private static final Logger LOG = LoggerFactory.getLogger(ReadinessReport.class);

  /** The pods that are remembered; one that is forgotten is reported again. */
  private static final int MAX_PODS = 1000;

  private final ReadinessEvents events;
  private final PassedCount passed = new PassedCount();
  private final LongAdder holds = new LongAdder();
  private final RecentMap<PodRef, Boolean> told = new RecentMap<>(MAX_PODS);

  ReadinessReport(ReadinessEvents events) {
    this.events = events;
  }

  void addTo(MeterRegistry metrics) {
    passed.addTo(
        metrics,
        "probelet.readiness.budget.passed",
        "Pods that turned unready without a check of their workload's readiness budget.");
    FunctionCounter.builder("probelet.readiness.held", holds, LongAdder::sum)
        .description("Pods whose readiness gate stayed True because of the readiness budget.")
        .register(metrics);
  }

  /** How often pods turned unready for this reason. */
  long count(Passed reason) {
    return passed.of(reason);
  }

  long holds() {
    return holds.sum();
  }

  @Override
  public void held(ClusterPod pod, String why) {
    if (told.get(pod.ref()) != null) {
      return;
    }
    told.put(pod.ref(), true);
    holds.increment();
    LOG.warn("readiness on hold pod={} reason=\"{}\"", pod.ref(), why);
    events.report(
        pod, "ReadinessHeld", "The pod is not ready, but its readiness gate stays True: " + why);
  }

  @Override
  public void passed(Passed reason, String why) {
    if (passed.first(reason)) {
      LOG.warn("readiness budget fails open reason=\"{}\"", why);
    }
  }

  @Override
  public void known() {
    if (passed.known()) {
      LOG.info("readiness budget recovered");
    }
  }

  @Override
  public void heldLongEnough(ClusterPod pod, Duration length, String why) {
    passed.add(Passed.HELD_LONG_ENOUGH);
    LOG.warn(
        "readiness hold over pod={} held_seconds={} reason=\"{}\"",
        pod.ref(),
        length.toSeconds(),
        why);
    events.report(
        pod,
        "ReadinessHoldOver",
        "The pod is not ready, and its readiness gate turns False after %d s on hold: %s"
            .formatted(length.toSeconds(), why));
  }

  @Override
  public void expired(String pod, Duration window) {
    LOG.info("removed from the readiness budget pod={} window_seconds={}", pod, window.toSeconds());
  }

  /** A pod is ready, or gone: another hold is another report. */
  void over(PodRef pod) {
    told.remove(pod);
  }
}
