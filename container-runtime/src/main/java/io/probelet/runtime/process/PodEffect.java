package io.probelet.runtime.process;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;

/** An action for a pod, in the given order. */
sealed interface PodEffect {
  /** Start a process; the result is Launched or Refused. */
  record Launch(LocalContainer container, int attempt) implements PodEffect {}

  /** Run the preStop hook of an instance, until its deadline; the result is HookEnded. */
  record RunHook(String id, ContainerSpec container, PreStopHook hook, Duration within)
      implements PodEffect {}

  /** Send TERM to an instance. */
  record Terminate(String id) implements PodEffect {}

  /** Send KILL to an instance. */
  record Kill(String id) implements PodEffect {}

  /** Report that all containers of the pod restart because of this one. */
  record RestartAll(String container) implements PodEffect {}

  /** Report how the pod is now. */
  record Report(PodObservation observation) implements PodEffect {}

  /** Send a tick at this monotonic time; replaces an earlier request. */
  record WakeAt(long nanos) implements PodEffect {}

  /** Report that the pod is gone; this is the last effect. */
  record Gone() implements PodEffect {}
}
