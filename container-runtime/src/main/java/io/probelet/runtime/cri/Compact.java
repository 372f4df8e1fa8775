package io.probelet.runtime.cri;

import io.probelet.health.ShortText;
import io.probelet.probe.runtime.Termination;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.PodSandbox;

/**
 * Copies messages of a runtime without unknown fields. A parsed message keeps those, and a node has
 * hundreds of messages with labels, annotations and mounts.
 */
final class Compact {
  /** The label with the container's name in its pod. */
  static final String CONTAINER_NAME = "io.kubernetes.container.name";

  /** The maximum that Linux allows. */
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
