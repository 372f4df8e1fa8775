package io.probelet.runtime.cri;

import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerMetadata;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxMetadata;
import io.probelet.runtime.cri.v1.PodSandboxNetworkStatus;
import io.probelet.runtime.cri.v1.PodSandboxState;
import io.probelet.runtime.cri.v1.PodSandboxStatus;

/** What a runtime lists, with good defaults. Times are counted in seconds since 1970. */
final class Listed {
  private static final long SECOND = 1_000_000_000;

  private Listed() {}

  static PodSandbox sandbox(String id, String pod, PodSandboxState state, long created) {
    return PodSandbox.newBuilder()
        .setId(id)
        .setMetadata(
            PodSandboxMetadata.newBuilder()
                .setNamespace("default")
                .setName(pod)
                .setUid(pod + "-uid"))
        .setState(state)
        .setCreatedAt(created * SECOND)
        .build();
  }

  static PodSandbox sandbox(String id, String pod) {
    return sandbox(id, pod, PodSandboxState.SANDBOX_READY, 1);
  }

  static PodSandboxStatus status(String id, String ip) {
    return PodSandboxStatus.newBuilder()
        .setId(id)
        .setNetwork(PodSandboxNetworkStatus.newBuilder().setIp(ip))
        .build();
  }

  static Container container(
      String id, String sandbox, String name, ContainerState state, int attempt) {
    return Container.newBuilder()
        .setId(id)
        .setPodSandboxId(sandbox)
        .setMetadata(ContainerMetadata.newBuilder().setName("k8s_" + name).setAttempt(attempt))
        .setState(state)
        .setCreatedAt((10 + attempt) * SECOND)
        .putLabels("io.kubernetes.container.name", name)
        .build();
  }

  static Container running(String id, String sandbox, String name, int attempt) {
    return container(id, sandbox, name, ContainerState.CONTAINER_RUNNING, attempt);
  }

  /** The details of a listed container: it started a second after it was created. */
  static ContainerStatus status(Container listed) {
    boolean exited = listed.getState() == ContainerState.CONTAINER_EXITED;
    return ContainerStatus.newBuilder()
        .setId(listed.getId())
        .setState(listed.getState())
        .setCreatedAt(listed.getCreatedAt())
        .setStartedAt(listed.getCreatedAt() + SECOND)
        .setExitCode(exited ? 137 : 0)
        .setReason(exited ? "Error" : "")
        .setMessage(exited ? "killed by the kernel" : "")
        .setFinishedAt(exited ? 17 * SECOND : 0)
        .setLogPath("/var/log/" + listed.getId() + ".log")
        .build();
  }
}
