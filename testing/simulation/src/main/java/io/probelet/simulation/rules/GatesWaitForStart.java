package io.probelet.simulation.rules;

import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.rules.WorldEvent.GateOpened;

/** Traffic waits for a container that has not started. */
final class GatesWaitForStart implements Rule {
  @Override
  public String name() {
    return "gates-wait-for-start";
  }

  @Override
  public String reason() {
    return "No pod is shown as ready before the startup probes in its annotation have succeeded"
        + " once.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof GateOpened opened) {
      for (ContainerInstance instance : opened.instances()) {
        findings.check(
            this,
            opened.at(),
            instance.attempt() > 0
                || !instance.running()
                || Truth.mayBeStarted(instance, opened.at()),
            () -> "%s is ready, but %s has never started".formatted(opened.path(), instance.id()));
      }
    }
  }
}
