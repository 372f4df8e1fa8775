package io.probelet.probe.engine;

import io.probelet.probe.ProbeResult;

/** What a worker wants done after a tick or an outcome. */
sealed interface Effect {
  /** Forget the result of a container that has been replaced. */
  record Drop(String containerId) implements Effect {}

  /** Make a result known; {@code initial} when no probe decided it. */
  record Publish(String containerId, ProbeResult result, boolean initial) implements Effect {}

  /** Remember that the startup probe of an instance has succeeded. */
  record Started(String containerId) implements Effect {}

  /** Carry out the probe. */
  record Probe() implements Effect {}

  /** End the worker. */
  record End() implements Effect {}

  /** The one instance. */
  Effect PROBE = new Probe();

  /** The one instance. */
  Effect END = new End();
}
