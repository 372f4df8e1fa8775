package io.probelet.runtime.process;

import io.probelet.probe.runtime.CpuQuota;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ControlGroup;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the restrictions of a container are enforced for its processes, including those of exec
 * probes.
 *
 * @param words prefix of a command, possibly empty
 * @param identity the user they run as; null for the agent's own
 * @param group the control group with their limits; null if there are none
 */
record Confined(List<String> words, @Nullable Identity identity, @Nullable ControlGroup group) {
  /** {@return whether the kernel killed one of the processes at the memory limit} */
  boolean outOfMemory() {
    return group != null && group.outOfMemory();
  }

  /** {@return how the kernel throttles them at their CPU limit; empty without a limit} */
  Optional<CpuQuota> cpuQuota() {
    return group == null ? Optional.empty() : group.cpuQuota();
  }

  /** Removes the control group; kills remaining processes. */
  void release() {
    if (group != null) {
      group.close();
    }
  }
}
