package io.probelet.agent.cluster.restart;

import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.web.explain.FailureEffect;
import io.probelet.web.explain.RestartForecast;
import java.util.Optional;

/**
 * What the gates of a cluster's agent would answer, in their order, if a probe failed now. Asking
 * changes nothing. Safe for use by several threads.
 */
public final class GuardedForecast implements RestartForecast {
  private final NodeGate node;
  private final JobCompletionGate successes;
  private final EvictionGate evictions;
  private final WorkloadGate workloads;
  private final SuppressedRestarts kept;
  private final TimeSource time;

  /**
   * Creates a forecast.
   *
   * @param node keeps what is only observed, and what the guard holds
   * @param successes keeps what might end as a success
   * @param evictions says what becomes of a container without a runtime
   * @param workloads holds what would be too many of a workload
   */
  public GuardedForecast(
      NodeGate node,
      JobCompletionGate successes,
      EvictionGate evictions,
      WorkloadGate workloads,
      SuppressedRestarts kept,
      TimeSource time) {
    this.node = node;
    this.successes = successes;
    this.evictions = evictions;
    this.workloads = workloads;
    this.kept = kept;
    this.time = time;
  }

  @Override
  public Consequence of(ContainerSnapshot container, ProbeKind kind) {
    PodRef pod = container.status().pod();
    FailureEffect effect = effect(container);
    boolean kept = effect == FailureEffect.OBSERVE || effect == FailureEffect.REFUSE;
    Optional<Held> held = kept ? Optional.empty() : held(pod, container.status().name(), kind);
    boolean counted = !kept && kind == ProbeKind.LIVENESS && workloads.counts(pod);
    return new Consequence(
        effect,
        counted ? ", unless too many replicas of its workload are restarting" : "",
        held,
        this.kept.last(container.status().observation().id(), kind).orElse(null));
  }

  private FailureEffect effect(ContainerSnapshot container) {
    PodRef pod = container.status().pod();
    if (node.observes(pod)) {
      return FailureEffect.OBSERVE;
    }
    if (successes.refuses(pod, container.status().name())) {
      return FailureEffect.REFUSE;
    }
    FailureEffect effect = evictions.effect();
    return effect == FailureEffect.RESTART && !container.restarts() ? FailureEffect.STOP : effect;
  }

  private Optional<Held> held(PodRef pod, String container, ProbeKind kind) {
    return node.expected(pod.namespace())
        .map(this::held)
        .or(() -> evictions.expected(pod))
        .or(() ->
            kind == ProbeKind.LIVENESS ? workloads.expected(pod, container) : Optional.empty());
  }

  private Held held(Hold.Standing standing) {
    boolean begun = !standing.held().isZero();
    return new Held(
        standing.trouble(),
        begun ? time.wallTime().plus(standing.longest().minus(standing.held())) : null);
  }
}
