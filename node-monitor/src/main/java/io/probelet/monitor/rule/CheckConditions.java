package io.probelet.monitor.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conditions that checks set, with their healthy reasons and messages. */
final class CheckConditions {
  private static final Map<String, ConditionSpec> ALL = new LinkedHashMap<>();

  static {
    for (ConditionSpec spec :
        List.of(
            ConditionSpec.of(
                "ContainerRuntimeUnhealthy",
                "ContainerRuntimeIsHealthy",
                "container runtime is ready"),
            ConditionSpec.of("KubeletUnhealthy", "KubeletIsHealthy", "kubelet is healthy"),
            ConditionSpec.of("DiskFull", "DisksHaveRoom", "disks have free space and inodes"),
            ConditionSpec.of(
                "DiskUnresponsive", "DiskResponds", "disk write and read test succeeds"),
            ConditionSpec.of(
                "ReadonlyFilesystem",
                "FilesystemIsNotReadOnly",
                "no filesystem was remounted read-only"),
            ConditionSpec.of("XfsShutdown", "XfsHasNotShutDown", "no filesystem has shut down"),
            ConditionSpec.of("KernelDeadlock", "KernelHasNoDeadlock", "no CPU is locked up"),
            ConditionSpec.of(
                "CperHardwareErrorFatal",
                "CperHardwareHasNoFatalError",
                "no fatal hardware error is recorded"),
            ConditionSpec.of(
                "ResourceStall",
                "NoResourceStall",
                "memory, disk and CPU pressure are below their limits"),
            ConditionSpec.of("KernelLimitNear", "KernelLimitsAreFar", "no kernel limit is near"),
            ConditionSpec.of("NTPProblem", "NTPIsUp", "clock is synchronized"),
            ConditionSpec.of(
                "NetworkProblem", "NetworkIsReachable", "default route exists and DNS answers"),
            ConditionSpec.of(
                "CertificateExpiring", "CertificatesAreValid", "no certificate expires soon"),
            ConditionSpec.of("UnitFailed", "UnitsAreActive", "systemd units are healthy"),
            ConditionSpec.of("RebootRequired", "NoRebootRequired", "no reboot required"),
            ConditionSpec.of("KernelPanicked", "NoPanicRecorded", "no kernel panic recorded"))) {
      ALL.put(spec.type(), spec);
    }
  }

  private CheckConditions() {}

  static Optional<ConditionSpec> of(String type) {
    return Optional.ofNullable(ALL.get(type));
  }
}
