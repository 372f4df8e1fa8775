package io.probelet.runtime.process;

import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ControlGroup;
import io.probelet.runtime.evidence.GroupFiles;
import java.util.List;
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
    return files().oomKills().orElse(0) > 0;
  }

  /** {@return what the kernel counts for them; nothing unless they are limited} */
  GroupFiles files() {
    return group == null ? GroupFiles.NONE : group.files();
  }

  /** Removes the control group; kills remaining processes. */
  void release() {
    if (group != null) {
      group.close();
    }
  }
}
