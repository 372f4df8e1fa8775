package io.probelet.agent.cluster.pods;

import io.probelet.manifest.policy.Enforcement;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.runtime.PodObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod of the API server, reduced to the fields that probing needs.
 *
 * @param uid the API server's uid, which for a static pod's mirror pod is not the one that the
 *     runtime knows the pod by
 * @param enforcement what the pod says of itself being restarted; null when it says nothing
 * @param gate what it has to do with our readiness gate
 * @param revision another one when anything but its status is different
 * @param problems what was left out because it is wrong, one line each
 * @param warnings what is as it was asked for, but does less than one might think, one line each
 */
public record ClusterPod(
    String uid,
    ProbedPod probed,
    PodObservation reported,
    @Nullable Enforcement enforcement,
    GateState gate,
    int revision,
    List<String> problems,
    List<String> warnings,
    PodOwner owner) {
  /** Keeps unmodifiable copies of the lists. */
  public ClusterPod {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  /** {@return the pod, with the uid that the runtime uses} */
  public PodRef ref() {
    return probed.ref();
  }

  /** Whether the API server knows a container of it by this id of the runtime. */
  boolean hasContainer(String containerId) {
    return reported.containers().values().stream().anyMatch(each -> each.id().equals(containerId));
  }

  /**
   * Names a container as the kubelet does in its events.
   *
   * @return the path of its spec, such as {@code spec.initContainers{proxy}}
   */
  public String fieldPath(String container) {
    List<ContainerSpec> known = probed.containers();
    boolean regular =
        known.isEmpty()
            || known.stream()
                .anyMatch(each -> each.name().equals(container) && !each.role().inInitContainers());
    return (regular ? "spec.containers{" : "spec.initContainers{") + container + "}";
  }

  /** {@return which pod, under the API server's uid} */
  public PodRef apiRef() {
    return new PodRef(ref().namespace(), ref().name(), uid);
  }
}
