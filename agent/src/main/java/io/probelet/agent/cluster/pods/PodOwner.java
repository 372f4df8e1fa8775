package io.probelet.agent.cluster.pods;

import io.probelet.kube.workload.Workload;
import java.util.Optional;

/**
 * The controller that makes another pod when this one is gone, as the pod names it.
 *
 * @param uid of the controller; empty if there is none
 * @param workload the controller, if it is of a kind whose number of replicas is known
 */
public record PodOwner(String uid, Optional<Workload> workload) {
  /** Nobody makes another. */
  public static final PodOwner NONE = new PodOwner("", Optional.empty());

  /** {@return whether no controller recreates the pod} */
  public boolean isNobody() {
    return uid.isEmpty();
  }
}
