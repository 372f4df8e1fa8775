package io.probelet.runtime.process;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;

/** What has to be done for a pod, in the order given. */
sealed interface PodEffect {
  /** Start a process; answered by Launched or Refused. */
  record Launch(LocalContainer container, int attempt) implements PodEffect {}

  /** Run the preStop hook of an instance, until its time is over; answered by HookEnded. */
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

  /** Bring a tick at this monotonic time instead of any asked for before. */
  record WakeAt(long nanos) implements PodEffect {}

  /** Report that the pod is gone; nothing follows. */
  record Gone() implements PodEffect {}
}
