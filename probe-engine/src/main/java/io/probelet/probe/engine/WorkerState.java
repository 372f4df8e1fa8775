package io.probelet.probe.engine;

import io.probelet.probe.ProbeResult;
import org.jspecify.annotations.Nullable;

/**
 * What a worker remembers between ticks.
 *
 * @param containerId the container it last saw, empty before the first
 * @param onHold whether it waits for another container (W-6)
 * @param last the last outcome, null before the first on this container
 * @param run how many times in a row {@code last} came
 */
record WorkerState(String containerId, boolean onHold, @Nullable ProbeResult last, int run) {
  static final WorkerState NEW = new WorkerState("", false, null, 0);

  static WorkerState of(String containerId) {
    return new WorkerState(containerId, false, null, 0);
  }

  WorkerState held() {
    return new WorkerState(containerId, true, last, 0);
  }

  /** {@return the same with another number of equal outcomes in a row} */
  WorkerState running(int times) {
    return times == run ? this : new WorkerState(containerId, onHold, last, times);
  }

  /** Compared by hand: what a record has for it, C1 calls through method handles. */
  boolean sameButForRun(WorkerState other) {
    return onHold == other.onHold && last == other.last && containerId.equals(other.containerId);
  }

  WorkerState counting(ProbeResult outcome) {
    return new WorkerState(containerId, onHold, outcome, outcome == last ? run + 1 : 1);
  }
}
