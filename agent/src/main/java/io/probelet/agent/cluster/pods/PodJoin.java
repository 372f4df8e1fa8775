package io.probelet.agent.cluster.pods;

import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two views of one pod made into one: the runtime is right about containers, the API server knows
 * what was decided of the pod and what an earlier agent or kubelet said of its readiness.
 */
final class PodJoin {
  private PodJoin() {}

  static PodObservation of(PodObservation reported, PodObservation seen) {
    Map<String, ContainerObservation> containers = new HashMap<>();
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

  /** W-8, W-9: what was said of this very instance before. */
  private static ContainerObservation container(
      ContainerObservation seen, @Nullable ContainerObservation reported) {
    if (reported == null || !reported.id().equals(seen.id())) {
      return seen;
    }
    return new ContainerObservation(
        seen.id(),
        seen.state(),
        seen.startedAt(),
        seen.exitCode(),
        seen.restartCount(),
        seen.reason(),
        reported.startedBefore(),
        reported.readyBefore());
  }
}
