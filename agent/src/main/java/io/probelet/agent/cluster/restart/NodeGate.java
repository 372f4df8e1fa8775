package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.KeptRestarts.Why;
import io.probelet.agent.config.GuardSettings;
import io.probelet.agent.policy.Enforcement;
import io.probelet.agent.policy.PodRules;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps containers that are only observed, and all of them while the guard holds. */
public final class NodeGate implements RestartGate, ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(NodeGate.class);

  /** A container, whatever instance of it. */
  private record Name(PodRef pod, String container) {
    static Name of(ProbeSubject subject) {
      return new Name(subject.pod(), subject.container());
    }
  }

  private final Supplier<PodRules> rules;
  private final KnownPods pods;
  private final TimeSource time;
  private final Pressure pressure = new Pressure(Path.of("/proc/pressure"));
  private final MassFailureGuard guard;
  private final Set<Name> probed = new HashSet<>();
  private final KeptRestarts kept;
  private final KeptListener listener;

  /**
   * Creates a gate.
   *
   * @param rules who is kept; asked for each container
   * @param guard when all are kept; asked for each container too
   * @param pods finds what the API server says of a pod
   * @param kept counts what is kept
   * @param listener told of every restart that the guard holds
   * @param time the clocks to go by
   */
  public NodeGate(
      Supplier<PodRules> rules,
      Supplier<GuardSettings> guard,
      KnownPods pods,
      KeptRestarts kept,
      KeptListener listener,
      TimeSource time) {
    this.rules = rules;
    this.pods = pods;
    this.kept = kept;
    this.listener = listener;
    this.time = time;
    this.guard = new MassFailureGuard(guard);
  }

  @Override
  public boolean lets(RestartDecision decision) {
    PodRef about = decision.subject().pod();
    Enforcement own = pods.find(about).map(ClusterPod::enforcement).orElse(null);
    Enforcement enforcement = rules.get().enforcement(about.namespace(), own);
    if (enforcement == Enforcement.OBSERVE) {
      if (kept.isNews(decision, Why.OBSERVED)) {
        LOG.info(
            "pod={} container={} restart=kept reason=observe probe=\"{}\"",
            decision.subject().pod(),
            decision.subject().container(),
            decision.message());
      }
      return false;
    }
    Optional<String> why = holding();
    if (why.isPresent() && kept.isNews(decision, Why.GUARD)) {
      LOG.warn(
          "pod={} container={} restart=held reason=\"{}\"",
          decision.subject().pod(),
          decision.subject().container(),
          why.get());
      listener.kept(
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

  private synchronized Optional<String> holding() {
    return guard.holds(probed.size(), pressure.starved(), time.nanoTime());
  }

  @Override
  public synchronized void probed(Probed probe) {
    probed.add(Name.of(probe.subject()));
    boolean decides = probe.consecutive() >= probe.threshold();
    switch (probe.outcome().verdict()) {
      case Verdict.Failure _ -> {
        if (decides) {
          guard.unhealthy(probe.subject(), time.nanoTime());
        }
      }
      case Verdict.Success _, Verdict.Warning _ -> {
        if (decides) {
          guard.healthy(probe.subject());
        }
      }
      case Verdict.ProberError _ -> {} // says nothing of the container
    }
  }

  @Override
  public synchronized void workerEnded(ProbeSubject subject) {
    guard.healthy(subject);
  }

  @Override
  public synchronized void podRemoved(PodRef pod) {
    probed.removeIf(name -> name.pod().equals(pod));
  }
}
