package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.Effect.Drop;
import io.probelet.probe.engine.Effect.Publish;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules by which one probe of one container decides: pure functions from (state, what is seen)
 * to (state, effects). Time and input arrive as arguments; nothing is carried out here.
 */
final class ProbeWorker {
  private final ProbeKind kind;
  private final ProbeSpec spec;
  private final ContainerSpec container;
  private final RestartPolicy podPolicy;

  ProbeWorker(ProbeKind kind, ProbeSpec spec, ContainerSpec container, RestartPolicy podPolicy) {
    this.kind = kind;
    this.spec = spec;
    this.container = container;
    this.podPolicy = podPolicy;
  }

  /** The outcome of a rule: where the worker stands and what is to be done, in order. */
  record Step(WorkerState state, List<Effect> effects) {}

  /** W-3: what to do at a tick. */
  Step tick(WorkerState state, Sighting seen) {
    PodObservation pod = seen.pod();
    if (pod == null) { // W-3.1
      return idle(state);
    }
    if (pod.phase().terminal()) { // W-3.2
      return new Step(state, List.of(Effect.END));
    }
    ContainerObservation observed = pod.containers().get(container.name());
    if (observed == null || observed.id().isEmpty()) { // W-3.3
      return idle(state);
    }
    if (observed.id().equals(state.containerId())) {
      return knownContainer(state, seen, pod, observed, List.of());
    }
    List<Effect> replaced = new ArrayList<>(3); // W-3.4
    if (!state.containerId().isEmpty()) {
      replaced.add(new Drop(state.containerId()));
    }
    if (!seen.adopted()) {
      replaced.add(new Publish(observed.id(), kind.initialResult(), true));
    } else if (kind == ProbeKind.STARTUP && container.sidecar() && seen.started()) {
      replaced.add(new Publish(observed.id(), ProbeResult.SUCCESS, true));
    }
    return knownContainer(WorkerState.of(observed.id()), seen, pod, observed, replaced);
  }

  private Step knownContainer(
      WorkerState state,
      Sighting seen,
      PodObservation pod,
      ContainerObservation observed,
      List<Effect> before) {
    String id = state.containerId();
    if (state.onHold()) { // W-3.5
      return new Step(state, before);
    }
    if (!observed.running()) { // W-3.6
      List<Effect> effects = with(before, new Publish(id, ProbeResult.FAILURE, false));
      boolean over =
          observed.state() == State.TERMINATED
              && !container.restartsAfter(observed.exitCode(), podPolicy);
      return new Step(state, over ? with(effects, Effect.END) : effects);
    }
    if (pod.deleting() && kind.restartsContainer()) { // W-3.7
      return new Step(
          state, with(with(before, new Publish(id, ProbeResult.SUCCESS, false)), Effect.END));
    }
    if (seen.runFor().compareTo(spec.initialDelay()) < 0) { // W-3.8
      return new Step(state, before);
    }
    if (seen.started() == (kind == ProbeKind.STARTUP)) { // W-3.9
      return new Step(state, before);
    }
    return new Step(state, with(before, Effect.PROBE)); // W-3.10
  }

  /** W-4 to W-6: what a finished probe means. */
  Step outcome(WorkerState state, Verdict verdict) {
    if (verdict instanceof Verdict.ProberError) { // W-4
      return idle(state);
    }
    ProbeResult result = verdict.healthy() ? ProbeResult.SUCCESS : ProbeResult.FAILURE;
    WorkerState counted = state.counting(result);
    if (counted.run() < threshold(result)) { // W-5
      return idle(counted);
    }
    boolean decided =
        kind == ProbeKind.STARTUP
            || (kind == ProbeKind.LIVENESS && result == ProbeResult.FAILURE); // W-6
    return new Step(
        decided ? counted.held() : counted,
        List.of(new Publish(state.containerId(), result, false)));
  }

  /** How many equal outcomes in a row decide. */
  int threshold(ProbeResult result) {
    return result == ProbeResult.FAILURE ? spec.failureThreshold() : spec.successThreshold();
  }

  private static Step idle(WorkerState state) {
    return new Step(state, List.of());
  }

  private static List<Effect> with(List<Effect> before, Effect last) {
    if (before.isEmpty()) {
      return List.of(last);
    }
    List<Effect> all = new ArrayList<>(before);
    all.add(last);
    return all;
  }
}
