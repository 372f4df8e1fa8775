package io.probelet.monitor.check;

import io.probelet.monitor.rule.CheckSpec;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the check for what a file says, and knows which make sense on a machine. */
public final class NodeChecks {
  private static final Path KUBELET = Path.of("/var/lib/kubelet");
  private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io");
  private static final Path SYSTEMD = Path.of("/run/systemd/system");

  private NodeChecks() {}

  /**
   * Makes a check.
   *
   * @param spec what is checked
   * @param machine the machine
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

  /**
   * Asks a component over HTTP whether it is well; that nobody listens there is a problem.
   *
   * @param url where it says so
   * @return the check
   */
  public static NodeCheck healthz(URI url) {
    return new KubeletCheck(url, true);
  }

  /**
   * Decides whether a check has anything to do on a machine when nobody asked for it.
   *
   * @param spec what would be checked
   * @param machine the machine
   * @return whether it makes sense there
   */
  public static boolean makesSense(CheckSpec spec, Machine machine) {
    return switch (spec) {
      case CheckSpec.ContainerRuntime _ -> machine.runtime().isPresent();
      case CheckSpec.Kubelet _ ->
          Files.exists(machine.seen(KUBELET)) || Files.exists(SERVICE_ACCOUNT);
      case CheckSpec.Pressure pressure -> Files.exists(PressureCheck.file(pressure, machine));
      case CheckSpec.Inotify _ -> InotifyCheck.canSee(machine);
      case CheckSpec.Certificates _ -> CertificatesCheck.areThere(machine);
      case CheckSpec.SystemdUnits _ -> Files.exists(machine.seen(SYSTEMD));
      case CheckSpec.DiskUsage _,
          CheckSpec.DiskIo _,
          CheckSpec.ReadOnlyMounts _,
          CheckSpec.Pids _,
          CheckSpec.OpenFiles _,
          CheckSpec.Zombies _,
          CheckSpec.Conntrack _,
          CheckSpec.Clock _,
          CheckSpec.Dns _,
          CheckSpec.DefaultRoute(),
          CheckSpec.RebootRequired _,
          CheckSpec.KernelPanic _ ->
          true;
    };
  }
}
