package io.probelet.runtime.process;

import io.probelet.health.TimeSource;
import io.probelet.probe.hook.HookCommand;
import io.probelet.probe.hook.HookRunner;
import io.probelet.runtime.confine.ConfinementPlan.Enforced;
import io.probelet.runtime.confine.Confiner;
import io.probelet.runtime.confine.ControlGroups;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The shared parts of all pods of a runtime.
 *
 * @param instances all running ones by id
 * @param droppedOutput bytes of output that are in no log
 */
record RunnerTools(
    ProcessSettings settings,
    TimeSource time,
    ProcessLauncher launcher,
    Confiner confiner,
    ControlGroups controlGroups,
    Reports reports,
    Map<String, ContainerInstance> instances,
    HookRunner hooks,
    HookCommand hookCommands,
    LongAdder droppedOutput) {
  /** The log of a container that has not started. */
  OutputLog log(Path file) {
    return new OutputLog(file, settings.logRotation(), time, droppedOutput);
  }

  /**
   * Applies a plan.
   *
   * @throws IOException if a control group for its limits cannot be created
   */
  Confined confined(Enforced plan) throws IOException {
    return new Confined(
        plan.words(),
        plan.identity(),
        plan.limits().any() ? controlGroups.create(plan.limits()) : null);
  }
}
