package io.probelet.monitor.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conditions checks set, and what they say while nothing is wrong. */
final class CheckConditions {
  private static final Map<String, ConditionSpec> ALL = new LinkedHashMap<>();

  static {
    for (ConditionSpec spec :
        List.of(
            ConditionSpec.of(
                "ContainerRuntimeUnhealthy",
                "ContainerRuntimeIsHealthy",
                "container runtime answers and is ready"),
            ConditionSpec.of("KubeletUnhealthy", "KubeletIsHealthy", "kubelet says it is well"),
            ConditionSpec.of("DiskFull", "DisksHaveRoom", "filesystems have room"),
            ConditionSpec.of(
                "DiskUnresponsive", "DiskResponds", "files can be written, flushed and read"),
            ConditionSpec.of(
                "ReadonlyFilesystem",
                "FilesystemIsNotReadOnly",
                "no filesystem was remounted read-only"),
            ConditionSpec.of(
                "XfsShutdown", "XfsHasNotShutDown", "no filesystem has shut itself down"),
            ConditionSpec.of("KernelDeadlock", "KernelHasNoDeadlock", "every CPU runs threads"),
            ConditionSpec.of(
                "CperHardwareErrorFatal",
                "CperHardwareHasNoFatalError",
                "no fatal hardware error is recorded"),
            ConditionSpec.of("ResourceStall", "NoResourceStall", "work does not wait for long"),
            ConditionSpec.of(
                "KernelLimitNear", "KernelLimitsAreFar", "no limit of the kernel is near"),
            ConditionSpec.of("NTPProblem", "NTPIsUp", "the clock is kept in time"),
            ConditionSpec.of(
                "NetworkProblem",
                "NetworkIsReachable",
                "there is a default route, and DNS answers"),
            ConditionSpec.of(
                "CertificateExpiring",
                "CertificatesAreValid",
                "certificates are valid for a while"),
            ConditionSpec.of("UnitFailed", "UnitsAreActive", "units of systemd run"),
            ConditionSpec.of("RebootRequired", "NoRebootRequired", "nothing waits for a reboot"),
            ConditionSpec.of(
                "KernelPanicked", "NoPanicRecorded", "no kernel panic is on record"))) {
      ALL.put(spec.type(), spec);
    }
  }

  private CheckConditions() {}

  static Optional<ConditionSpec> of(String type) {
    return Optional.ofNullable(ALL.get(type));
  }
}
