package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.agent.config.GuardSettings;
import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.web.api.GuardView;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Suppresses restarts in observe mode, and puts restarts on hold while the guard is active. */
public final class NodeGate implements RestartGate, ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(NodeGate.class);

  /** The most characters of a probe's output in a line of the log. */
  private static final int MAX_OUTPUT = 256;

  private final Supplier<PodRules> rules;
  private final KnownPods pods;
  private final TimeSource time;
  private final Pressure pressure;
  private final HoldingConditions conditions = new HoldingConditions();
  private final ProbedContainers containers = new ProbedContainers();
  private final MassFailureGuard guard;
  private final SuppressedRestarts kept;

  /**
   * Creates a gate.
   *
   * @param rules who is kept; asked for each container
   * @param guard when all are kept; asked for each container too
   * @param pressure what the node lacks
   */
  NodeGate(
      Supplier<PodRules> rules,
      Supplier<GuardSettings> guard,
      KnownPods pods,
      SuppressedRestarts kept,
      Pressure pressure,
      TimeSource time) {
    this.rules = rules;
    this.pods = pods;
    this.kept = kept;
    this.pressure = pressure;
    this.time = time;
    this.guard = new MassFailureGuard(guard, containers, conditions);
  }

  @Override
  public boolean allows(RestartDecision decision) {
    PodRef about = decision.subject().pod();
    if (observes(about)) {
      if (kept.isNews(decision, Why.OBSERVED)) {
        LOG.info(
            RestartDecision.LOG_MARKER,
            "restart suppressed pod={} container={} probe={} reason={} output=\"{}\"",
            decision.subject().pod(),
            decision.subject().container(),
            decision.subject().kind().label().toLowerCase(Locale.ROOT),
            "observe",
            OneLine.of(decision.message(), MAX_OUTPUT));
        kept.observed(
            decision, "not restarted, because its pod is in observe mode: " + decision.message());
      }
      return false;
    }
    Optional<String> why = holding(about.namespace());
    if (why.isPresent() && kept.isNews(decision, Why.GUARD)) {
      LOG.warn(
          RestartDecision.LOG_MARKER,
          "restart on hold pod={} container={} probe={} reason=\"{}\"",
          decision.subject().pod(),
          decision.subject().container(),
          decision.subject().kind().label().toLowerCase(Locale.ROOT),
          why.get());
      kept.report(
          decision,
          "RestartHeld",
          "Container %s failed %s probe, but is not restarted now: %s"
              .formatted(
                  decision.subject().container(),
                  decision.subject().kind().label().toLowerCase(Locale.ROOT),
                  why.get()));
    }
    return why.isEmpty();
  }

  /** {@return whether a pod is in observe mode: its containers are never restarted} */
  public boolean observes(PodRef pod) {
    Enforcement own = pods.find(pod).map(ClusterPod::enforcement).orElse(null);
    return rules.get().enforcement(pod.namespace(), own) == Enforcement.OBSERVE;
  }

  private synchronized Optional<String> holding(String namespace) {
    return guard.holds(namespace, pressure.starved(), time.nanoTime());
  }

  /** {@return the listener for node conditions that hold restarts (MW-13)} */
  public MonitorListener conditions() {
    return conditions;
  }

  /** {@return the state of the guard, without counts; changes nothing} */
  public synchronized GuardView guardView() {
    return guard.view(pressure.starved(), time);
  }

  /** How a restart in a namespace would be held if it were asked for now; changes nothing. */
  synchronized Optional<Hold.Standing> expected(String namespace) {
    return guard.expected(namespace, pressure.starved(), time.nanoTime());
  }

  @Override
  public synchronized void probed(Probed probe) {
    containers.probed(probe.subject());
    boolean decides = probe.consecutive() >= probe.threshold();
    switch (probe.outcome().verdict()) {
      case Verdict.Failure _ -> {
        if (decides) {
          containers.unhealthy(probe.subject(), time.nanoTime());
        }
      }
      case Verdict.Success _, Verdict.Warning _ -> {
        if (decides) {
          containers.healthy(probe.subject());
        }
      }
      case Verdict.ProberError _ -> {} // says nothing of the container
    }
  }

  @Override
  public synchronized void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    containers.running(now.pod(), now.name(), now.observation().running());
  }

  @Override
  public synchronized void workerEnded(ProbeSubject subject) {
    containers.ended(subject);
  }

  @Override
  public synchronized void podRemoved(PodRef pod) {
    containers.gone(pod);
  }
}
