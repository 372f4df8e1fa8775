package io.probelet.simulation.rules;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.RestartPolicy;
import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;

/** A container that ends with 0 when it is stopped would count as done. */
final class StopsCompleteNoJob implements Rule {
  @Override
  public String name() {
    return "stops-complete-no-job";
  }

  @Override
  public String reason() {
    return "A container that is done once it exits with 0 is never stopped beside a kubelet (D-2).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof ContainerStopped(var stop) && stop.process().startsWith("agent")) {
      ContainerInstance instance = stop.instance();
      findings.check(
          this,
          stop.at(),
          !wouldComplete(instance) || !stop.ran(),
          () ->
              "%s stopped %s of %s, whose restart policy is %s"
                  .formatted(
                      stop.process(),
                      instance.container().spec().name(),
                      instance.container().pod().ref(),
                      RestartPolicy.ON_FAILURE));
    }
  }

  /** {@return whether a container counts as done, and not as failed, once it exits with 0} */
  static boolean wouldComplete(ContainerInstance instance) {
    return instance.container().spec().role() == ContainerRole.REGULAR
        && instance
            .container()
            .spec()
            .succeedsWithZero(instance.container().pod().spec().restartPolicy());
  }
}
