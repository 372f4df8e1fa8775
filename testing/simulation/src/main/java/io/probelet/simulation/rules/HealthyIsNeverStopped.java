package io.probelet.simulation.rules;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.node.ContainerStop;
import io.probelet.simulation.node.ScriptedContainer;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;

/** A restart of a container that works is the worst that an agent can do. */
final class HealthyIsNeverStopped implements Rule {
  @Override
  public String name() {
    return "healthy-is-never-stopped";
  }

  @Override
  public String reason() {
    return "A container that was healthy for its whole failing window is never stopped (D-1, W-12).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof ContainerStopped(ContainerStop stop)
        && stop.process().startsWith("agent")
        && stop.ran()
        && !stop.again()) {
      findings.check(
          this,
          stop.at(),
          mayBeStopped(stop),
          () ->
              "%s stopped %s/%s (%s), whose probes would have succeeded"
                  .formatted(
                      stop.process(),
                      stop.instance().container().pod().ref(),
                      stop.instance().container().spec().name(),
                      stop.instance().id()));
    }
  }

  /** A failing container may restart its whole pod (D-23). */
  private static boolean mayBeStopped(ContainerStop stop) {
    if (Truth.failing(stop.instance(), stop.at()).isPresent()) {
      return true;
    }
    for (ScriptedContainer other : stop.instance().container().pod().containers()) {
      ContainerInstance newest = other.newest();
      ProbeSpec liveness = other.spec().probes().get(ProbeKind.LIVENESS);
      if (newest != null
          && liveness != null
          && liveness.restartsPod()
          && Truth.failing(newest, stop.at()).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
