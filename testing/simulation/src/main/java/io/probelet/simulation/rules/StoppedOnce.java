package io.probelet.simulation.rules;

import io.probelet.simulation.node.ContainerStop;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * One failure, one stop. The runtime forgets neither an instance nor that it is ending, so a second
 * request is harmless as such; it is none of ours if it comes before the first has failed.
 */
final class StoppedOnce implements Rule {
  private final Map<String, ContainerStop> stopped = new HashMap<>();

  @Override
  public String name() {
    return "stopped-once";
  }

  @Override
  public String reason() {
    return "Nothing is stopped twice for one failure: not before the first attempt can have failed.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof ContainerStopped(ContainerStop stop)
        && stop.process().startsWith("agent")) {
      ContainerStop before = stopped.put(stop.instance().id(), stop);
      findings.check(
          this,
          stop.at(),
          before == null || stop.ran() || !before.process().equals(stop.process()),
          () ->
              "%s stopped %s again, which had ended %s after the first stop"
                  .formatted(
                      stop.process(),
                      stop.instance().id(),
                      before == null
                          ? "long"
                          : Duration.ofNanos(stop.instance().ended() - before.at())));
    }
  }
}
