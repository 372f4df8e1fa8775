package io.probelet.agent.cluster.pods;

import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.Termination;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins two views of one pod: the runtime decides about containers; the API server has the
 * decisions about the pod and the readiness from an earlier agent or kubelet.
 */
final class PodJoin {
  private PodJoin() {}

  static PodObservation of(PodObservation reported, PodObservation seen) {
    Map<String, ContainerObservation> containers = new HashMap<>();
    reported
        .containers()
        .forEach((name, container) -> {
          if (!container.running() && isExplained(container)) {
            containers.put(name, container);
          }
        });
    seen.containers()
        .forEach((name, container) ->
            containers.put(name, container(container, reported.containers().get(name))));
    return new PodObservation(
        seen.pod(),
        reported.phase().terminal() ? reported.phase() : seen.phase(),
        reported.deleting(),
        reported.ready(),
        seen.ips().isEmpty() ? reported.ips() : seen.ips(),
        containers);
  }

  /**
   * What only the kubelet knows: why it cannot create a container, such as ImagePullBackOff, or how
   * one ended that the runtime has removed.
   */
  private static boolean isExplained(ContainerObservation reported) {
    return reported.state() == State.TERMINATED || !reported.reason().isEmpty();
  }

  /** W-8, W-9: the earlier state of this instance, and why the kubelet waits. */
  private static ContainerObservation container(
      ContainerObservation seen, @Nullable ContainerObservation reported) {
    if (reported == null) {
      return seen;
    }
    if (!reported.id().equals(seen.id())) { // one of them is behind: they agree on what was before
      return seen.details().lastTermination() == null
          ? seen.with(seen.details().or(ContainerDetails.ended(previous(reported))))
          : seen;
    }
    // The kubelet backs off while the runtime has nothing but an instance that has ended.
    boolean waits = !seen.running() && reported.state() == State.WAITING;
    ContainerDetails known = seen.details().or(reported.details());
    return new ContainerObservation(
        seen.id(),
        seen.state(),
        seen.startedAt(),
        seen.exitCode(),
        seen.restartCount(),
        waits && !reported.reason().isEmpty() ? reported.reason() : seen.reason(),
        reported.startedBefore(),
        reported.readyBefore(),
        null,
        waits ? known.saying(reported.details().message()) : known);
  }

  private static @Nullable Termination previous(ContainerObservation reported) {
    return reported.details().lastTermination();
  }
}
