package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the workload guard's decisions in logs, metrics and events. Call it from one thread at a
 * time; any thread may read metrics.
 */
final class WorkloadReport implements GuardReport<RestartDecision> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadReport.class);

  private final SuppressedRestarts kept;
  private final PassedCount passed = new PassedCount();

  /** Why a restart is allowed without a check of the restart budget (D-10, D-11). */
  enum Passed {
    /** The API server does not respond, or refuses. */
    API("api"),
    /** The number of replicas is unknown. */
    REPLICAS("replicas"),
    /** There are too many workloads, or the node's name is too long. */
    BOUNDS("bounds"),
    /** The longest hold is over. */
    HELD_LONG_ENOUGH("held_long_enough");

    private final String label;

    Passed(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  WorkloadReport(SuppressedRestarts kept) {
    this.kept = kept;
  }

  void addTo(MeterRegistry metrics) {
    passed.addTo(
        metrics,
        "probelet.workload.guard.passed",
        "Restarts allowed without a check of their workload's restart budget.");
  }

  /** How often restarts went on for this reason. */
  long count(Passed reason) {
    return passed.of(reason);
  }

  /** Reports a restart on hold; repeated ones are counted and reported at intervals. */
  @Override
  public void held(RestartDecision decision, String why) {
    if (kept.isNews(decision, Why.WORKLOAD)) {
      LOG.warn(
          RestartDecision.LOG_MARKER,
          "restart on hold pod={} container={} probe={} reason=\"{}\"",
          decision.subject().pod(),
          decision.subject().container(),
          decision.subject().kind().label().toLowerCase(Locale.ROOT),
          why);
      kept.report(
          decision,
          "RestartHeld",
          "Container %s failed liveness probe, but is not restarted now: %s"
              .formatted(decision.subject().container(), why));
    }
  }

  /** Reports a restart allowed without a check; logged once, until {@link #known}. */
  @Override
  public void passed(Passed reason, String why) {
    if (passed.first(reason)) {
      LOG.warn("workload guard fails open reason=\"{}\"", why);
    }
  }

  /** The restart budget can be checked again. */
  @Override
  public void known() {
    if (passed.known()) {
      LOG.info("workload guard recovered");
    }
  }

  /** Reports a restart allowed because the longest hold is over. */
  @Override
  public void heldLongEnough(RestartDecision decision, Duration length, String why) {
    passed.add(Passed.HELD_LONG_ENOUGH);
    LOG.warn(
        RestartDecision.LOG_MARKER,
        "restart allowed pod={} container={} probe={} held_seconds={} reason=\"{}\"",
        decision.subject().pod(),
        decision.subject().container(),
        decision.subject().kind().label().toLowerCase(Locale.ROOT),
        length.toSeconds(),
        why);
    kept.report(
        decision,
        "RestartHoldOver",
        "Container %s failed liveness probe and is restarted after %d s on hold: %s"
            .formatted(decision.subject().container(), length.toSeconds(), why));
  }

  /** Reports pods that did not recover within the window and no longer count. */
  @Override
  public void expired(String pod, Duration window) {
    LOG.warn(
        "removed from the restart budget: still unhealthy pod={} window_seconds={}",
        pod,
        window.toSeconds());
  }
}
