package io.probelet.runtime.process;

import io.probelet.probe.runtime.CpuQuota;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ControlGroup;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the processes of one container are held to what its manifest asks, those of exec probes as
 * well as its own.
 *
 * @param words what to put before a command, possibly nothing
 * @param identity who they run as; null means who the agent runs as
 * @param group what limits them together; null means nothing does
 */
record Confined(List<String> words, @Nullable Identity identity, @Nullable ControlGroup group) {
  /** {@return whether the kernel has killed one of them at their memory limit} */
  boolean outOfMemory() {
    return group != null && group.outOfMemory();
  }

  /** {@return how the kernel holds them to their CPU limit; empty without one} */
  Optional<CpuQuota> cpuQuota() {
    return group == null ? Optional.empty() : group.cpuQuota();
  }

  /** Lets go of what holds the processes together; kills those left. */
  void release() {
    if (group != null) {
      group.close();
    }
  }
}
