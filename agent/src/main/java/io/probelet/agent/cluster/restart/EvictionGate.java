package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.web.explain.FailureEffect;
import io.probelet.web.explain.RestartForecast.Held;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Without a runtime, a failed container's pod is removed instead. Reports that, and removes the
 * pods of one owner one at a time with increasing delays.
 */
public final class EvictionGate implements RestartGate {
  private static final Logger LOG = LoggerFactory.getLogger(EvictionGate.class);

  private static final String WAITS = "another pod of the same owner was removed recently";

  private final BooleanSupplier takesPodsAway;
  private final Supplier<Removal> removal;
  private final KnownPods pods;
  private final EvictionBackOff backOff;
  private final SuppressedRestarts kept;
  private final TimeSource time;

  /**
   * Creates a gate.
   *
   * @param takesPodsAway whether pods are taken away rather than containers stopped; asked each
   *     time
   * @param removal how they are taken away; asked for each pod
   * @param backOff knows who must wait
   */
  public EvictionGate(
      BooleanSupplier takesPodsAway,
      Supplier<Removal> removal,
      KnownPods pods,
      EvictionBackOff backOff,
      SuppressedRestarts kept,
      TimeSource time) {
    this.takesPodsAway = takesPodsAway;
    this.removal = removal;
    this.pods = pods;
    this.backOff = backOff;
    this.kept = kept;
    this.time = time;
  }

  @Override
  public boolean allows(RestartDecision decision) {
    Optional<ClusterPod> pod = pods.find(decision.subject().pod());
    if (!takesPodsAway.getAsBoolean() || pod.isEmpty()) {
      return true;
    }
    Optional<Duration> waits = backOff.waits(pod.get(), time.nanoTime());
    if (waits.isPresent() && kept.isNews(decision, Why.BACK_OFF)) {
      long seconds = waits.get().plusNanos(999_999_999).toSeconds();
      LOG.info(
          RestartDecision.LOG_MARKER,
          "eviction on hold pod={} container={} probe={} reason={} retry_seconds={}",
          decision.subject().pod(),
          decision.subject().container(),
          decision.subject().kind().label().toLowerCase(Locale.ROOT),
          "back-off",
          seconds);
      kept.report(
          decision,
          "BackOff",
          "Back-off removing pods of one owner: container %s failed %s probe, next removal in %d s"
              .formatted(
                  decision.subject().container(),
                  decision.subject().kind().label().toLowerCase(Locale.ROOT),
                  seconds));
    }
    return waits.isEmpty();
  }

  /** {@return the effect of a failed probe} */
  FailureEffect effect() {
    if (!takesPodsAway.getAsBoolean()) {
      return FailureEffect.RESTART;
    }
    return removal.get() == Removal.EVICT ? FailureEffect.EVICT : FailureEffect.DELETE;
  }

  /** {@return what its pod would wait for if it failed now; changes nothing} */
  Optional<Held> expected(PodRef ref) {
    if (!takesPodsAway.getAsBoolean()) {
      return Optional.empty();
    }
    long now = time.nanoTime();
    return pods.find(ref)
        .flatMap(pod -> backOff.expected(pod, now))
        .map(wait ->
            wait.counts()
                ? new Held(WAITS, time.wallTime().plus(wait.left()))
                : new Held(WAITS + ", this one waits " + wait.left().toSeconds() + " s", null));
  }

  @Override
  public RestartDecision worded(RestartDecision decision) {
    if (!takesPodsAway.getAsBoolean()) {
      return decision;
    }
    boolean evicts = removal.get() == Removal.EVICT;
    String message =
        "Container %s failed %s probe, its pod will be %s"
            .formatted(
                decision.subject().container(),
                decision.subject().kind().label().toLowerCase(Locale.ROOT),
                evicts ? "evicted" : "deleted");
    return decision.with(
        new ProbeEvent(decision.event().type(), evicts ? "Evicting" : "Deleting", message));
  }
}
