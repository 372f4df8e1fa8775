package io.probelet.agent.incident;

import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What an incident's evidence is read from. None of these methods blocks, throws or fails: what
 * cannot be read is left out.
 */
public interface IncidentSources {
  /**
   * Reads what the kernel says about a container.
   *
   * @param containerId which
   * @param after how long to wait before reading
   * @return it, within seconds
   */
  CompletableFuture<ContainerEvidence> kernel(String containerId, Duration after);

  /** {@return how long tasks of the node have waited; empty if the kernel does not tell} */
  Optional<StallTimes> node();

  /** {@return the types of the node's conditions that are not healthy, within seconds} */
  CompletableFuture<List<String>> conditions();

  /**
   * Finds the containers of a pod as the engine knows them.
   *
   * @param pod which
   * @return they, within seconds; none if the pod is gone
   */
  CompletableFuture<List<ContainerSnapshot>> containers(PodRef pod);

  /**
   * {@return what the pod belongs to, such as {@code Deployment/web}; empty if unknown}
   *
   * @param pod which
   */
  String workload(PodRef pod);

  /**
   * {@return whether the pod is being deleted}
   *
   * @param pod which
   */
  boolean deleting(PodRef pod);
}
