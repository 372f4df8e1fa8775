package io.probelet.agent.cluster.pods;

import io.probelet.manifest.pod.ReadinessGates;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod has to do with the readiness gate {@code probelet.io/ready}.
 *
 * @param declared whether the pod's spec names it
 * @param status what the condition says; null when there is none
 * @param containers with the gate those whose readiness decides, in order: they have a readiness or
 *     startup probe by annotation. Without the gate those whose readiness by annotation has no
 *     effect
 */
public record GateState(boolean declared, @Nullable Boolean status, List<String> containers) {
  /** The condition's type. */
  public static final String CONDITION = ReadinessGates.OURS;

  /** Keeps an unmodifiable copy of the names. */
  public GateState {
    containers = List.copyOf(containers);
  }

  /**
   * {@return the containers whose readiness by annotation has no effect, as the gate is missing}
   */
  public List<String> missingFor() {
    return declared ? List.of() : containers;
  }

  /**
   * {@return what is wrong with the gate for one container, in a sentence; empty for nothing}
   *
   * @param container its name
   */
  public List<String> warnings(String container) {
    return missingFor().contains(container)
        ? List.of(ReadinessGates.missing(container))
        : List.of();
  }
}
