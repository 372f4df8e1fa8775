package io.probelet.runtime.process;

import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ControlGroup;
import io.probelet.runtime.evidence.GroupFiles;
import java.util.List;
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
    return files().oomKills().orElse(0) > 0;
  }

  /** {@return what the kernel counts for them; nothing unless they are limited} */
  GroupFiles files() {
    return group == null ? GroupFiles.NONE : group.files();
  }

  /** Lets go of what holds the processes together; kills those left. */
  void release() {
    if (group != null) {
      group.close();
    }
  }
}
