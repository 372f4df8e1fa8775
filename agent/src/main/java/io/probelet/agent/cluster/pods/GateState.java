package io.probelet.agent.cluster.pods;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod has to do with the readiness gate {@code probelet.io/ready}.
 *
 * @param declared whether the pod's spec names it
 * @param status what the condition says; null when there is none
 * @param containers those whose readiness decides, in order: they have a readiness or startup probe
 *     by annotation
 */
public record GateState(boolean declared, @Nullable Boolean status, List<String> containers) {
  /** The condition's type. */
  public static final String CONDITION = "probelet.io/ready";

  /** Keeps an unmodifiable copy of the names. */
  public GateState {
    containers = List.copyOf(containers);
  }
}
