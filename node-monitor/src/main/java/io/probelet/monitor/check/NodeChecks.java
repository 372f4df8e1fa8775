package io.probelet.monitor.check;

import io.probelet.monitor.rule.CheckSpec;
import java.net.URI;
import java.nio.file.Path;

/** Creates checks from their specifications. */
public final class NodeChecks {
  private NodeChecks() {}

  /**
   * Creates a check.
   *
   * @return the check, which has not run yet
   */
  public static NodeCheck of(CheckSpec spec, Machine machine) {
    return switch (spec) {
      case CheckSpec.ContainerRuntime runtime -> new RuntimeCheck(runtime, machine);
      case CheckSpec.Kubelet kubelet -> new KubeletCheck(kubelet.healthz(), false);
      case CheckSpec.DiskUsage usage -> new DiskUsageCheck(usage, machine);
      case CheckSpec.DiskIo io -> {
        Path folder = io.folder();
        yield new DiskIoCheck(
            folder == null ? machine.stateFolder() : machine.seen(folder), machine);
      }
      case CheckSpec.ReadOnlyMounts mounts -> new ReadOnlyMountsCheck(mounts.mounts(), machine);
      case CheckSpec.FilesystemShutdown() -> new FilesystemShutdownCheck(machine);
      case CheckSpec.CpuLockup cpus -> new CpuLockupCheck(cpus.within(), machine);
      case CheckSpec.HardwareErrors errors -> new HardwareErrorsCheck(errors.within(), machine);
      case CheckSpec.Pressure pressure -> new PressureCheck(pressure, machine);
      case CheckSpec.Pids pids -> KernelLimitCheck.pids(pids.maxUsedPercent(), machine);
      case CheckSpec.OpenFiles open -> KernelLimitCheck.openFiles(open.maxUsedPercent(), machine);
      case CheckSpec.Zombies zombies -> new ZombiesCheck(zombies.most(), machine);
      case CheckSpec.Inotify inotify -> new InotifyCheck(inotify.maxUsedPercent(), machine);
      case CheckSpec.Conntrack table -> KernelLimitCheck.conntrack(table.maxUsedPercent(), machine);
      case CheckSpec.Clock clock -> new ClockCheck(clock.maxOffset(), machine);
      case CheckSpec.Dns dns -> new DnsCheck(dns.name(), machine);
      case CheckSpec.DefaultRoute() -> new DefaultRouteCheck(machine);
      case CheckSpec.Certificates certificates -> new CertificatesCheck(certificates, machine);
      case CheckSpec.SystemdUnits units -> new SystemdUnitsCheck(units.units(), machine);
      case CheckSpec.RebootRequired reboot -> new RebootRequiredCheck(reboot.files(), machine);
      case CheckSpec.KernelPanic panic -> new KernelPanicCheck(panic.within(), machine);
    };
  }

  /** Queries the health endpoint of a component; a refused connection is a problem. */
  public static NodeCheck healthz(URI url) {
    return new KubeletCheck(url, true);
  }
}
