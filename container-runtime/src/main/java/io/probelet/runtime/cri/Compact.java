package io.probelet.runtime.cri;

import io.probelet.health.ShortText;
import io.probelet.probe.runtime.Termination;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.PodSandbox;

/**
 * Copies of what a runtime says, without the fields that nobody here knows: a parsed message keeps
 * those, too, and a node has hundreds of them, each with labels, annotations and mounts.
 */
final class Compact {
  /** The label that holds the name a container has in its pod. */
  static final String CONTAINER_NAME = "io.kubernetes.container.name";

  /** As long as Linux allows one. */
  private static final int MAX_PATH = 4_096;

  private Compact() {}

  static Container of(Container whole) {
    Container.Builder copy =
        Container.newBuilder()
            .setId(whole.getId())
            .setPodSandboxId(whole.getPodSandboxId())
            .setMetadata(whole.getMetadata())
            .setStateValue(whole.getStateValue())
            .setCreatedAt(whole.getCreatedAt());
    if (whole.containsLabels(CONTAINER_NAME)) {
      copy.putLabels(CONTAINER_NAME, whole.getLabelsOrThrow(CONTAINER_NAME));
    }
    return copy.build();
  }

  static PodSandbox of(PodSandbox whole) {
    return PodSandbox.newBuilder()
        .setId(whole.getId())
        .setMetadata(whole.getMetadata())
        .setStateValue(whole.getStateValue())
        .setCreatedAt(whole.getCreatedAt())
        .build();
  }

  static ContainerStatus of(ContainerStatus whole) {
    return ContainerStatus.newBuilder()
        .setId(whole.getId())
        .setStateValue(whole.getStateValue())
        .setCreatedAt(whole.getCreatedAt())
        .setStartedAt(whole.getStartedAt())
        .setFinishedAt(whole.getFinishedAt())
        .setExitCode(whole.getExitCode())
        .setReason(whole.getReason())
        .setMessage(ShortText.of(whole.getMessage(), Termination.MAX_MESSAGE))
        .setLogPath(ShortText.of(whole.getLogPath(), MAX_PATH))
        .build();
  }
}
