package io.probelet.monitor.rule;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The kinds of checks, by their names in files, with their defaults. */
public enum CheckKind {
  /** {@link CheckSpec.ContainerRuntime}. */
  CONTAINER_RUNTIME(
      "container-runtime",
      "ContainerRuntimeUnhealthy",
      "ContainerRuntimeUnhealthy",
      30,
      15,
      45,
      "access to the runtime's socket (usually root)"),
  /** {@link CheckSpec.Kubelet}. */
  KUBELET(
      "kubelet",
      "KubeletUnhealthy",
      "KubeletUnhealthy",
      30,
      10,
      45,
      "the node's network (`hostNetwork`)"),
  /** {@link CheckSpec.DiskUsage} of bytes. */
  DISK_SPACE(
      "disk-space",
      "DiskFull",
      "DiskSpaceLow",
      60,
      10,
      90,
      "the node's files (`--host-root` in a container)"),
  /** {@link CheckSpec.DiskUsage} of inodes. */
  DISK_INODES(
      "disk-inodes",
      "DiskFull",
      "DiskInodesLow",
      60,
      10,
      90,
      "the node's files (`--host-root` in a container)"),
  /** {@link CheckSpec.DiskIo}. */
  DISK_IO(
      "disk-io",
      "DiskUnresponsive",
      "DiskIOFailed",
      60,
      10,
      90,
      "permission to write in the folder"),
  /** {@link CheckSpec.ReadOnlyMounts}. */
  READ_ONLY_MOUNTS(
      "read-only-mounts",
      "ReadonlyFilesystem",
      "FilesystemIsReadOnly",
      60,
      10,
      0,
      "the node's mounts (`hostPID`, or `--host-root`)"),
  /** {@link CheckSpec.FilesystemShutdown}. */
  FILESYSTEM_SHUTDOWN(
      "filesystem-shutdown",
      "XfsShutdown",
      "XfsHasShutDown",
      60,
      10,
      0,
      "the node's files (`--host-root` in a container)"),
  /** {@link CheckSpec.CpuLockup}. */
  CPU_LOCKUP("cpu-lockup", "KernelDeadlock", "CPUNotResponding", 60, 45, 90, "nothing"),
  /** {@link CheckSpec.HardwareErrors}. */
  HARDWARE_ERRORS(
      "hardware-errors",
      "CperHardwareErrorFatal",
      "CperHardwareErrorFatal",
      60,
      10,
      0,
      "root, and the node's files (`--host-root` in a container)"),
  /** {@link CheckSpec.Pressure} on memory. */
  MEMORY_PRESSURE(
      "memory-pressure", "ResourceStall", "MemoryStall", 30, 5, 45, "nothing; a kernel with PSI"),
  /** {@link CheckSpec.Pressure} on input and output. */
  IO_PRESSURE("io-pressure", "ResourceStall", "IOStall", 30, 5, 45, "nothing; a kernel with PSI"),
  /** {@link CheckSpec.Pressure} on processors. */
  CPU_PRESSURE(
      "cpu-pressure", "ResourceStall", "CPUStall", 60, 5, 90, "nothing; a kernel with PSI"),
  /** {@link CheckSpec.Pids}. */
  PIDS("pids", "KernelLimitNear", "PIDsExhausted", 30, 5, 45, "nothing"),
  /** {@link CheckSpec.OpenFiles}. */
  OPEN_FILES("open-files", "KernelLimitNear", "FilesExhausted", 30, 5, 45, "nothing"),
  /** {@link CheckSpec.Zombies}. */
  ZOMBIES(
      "zombies",
      "KernelLimitNear",
      "TooManyZombies",
      300,
      20,
      360,
      "the node's processes (`hostPID`, or `--host-root`)"),
  /** {@link CheckSpec.Inotify}. */
  INOTIFY(
      "inotify",
      "KernelLimitNear",
      "InotifyExhausted",
      300,
      20,
      360,
      "root with `SYS_PTRACE`, and the node's processes (`hostPID`, or `--host-root`)"),
  /** {@link CheckSpec.Conntrack}. */
  CONNTRACK(
      "conntrack",
      "KernelLimitNear",
      "ConntrackFull",
      30,
      5,
      45,
      "the node's network (`hostNetwork`)"),
  /** {@link CheckSpec.Clock}. */
  CLOCK("clock", "NTPProblem", "NTPIsDown", 60, 5, 300, "nothing"),
  /** {@link CheckSpec.Dns}. */
  DNS("dns", "NetworkProblem", "DNSUnreachable", 60, 15, 90, "nothing"),
  /** {@link CheckSpec.DefaultRoute}. */
  DEFAULT_ROUTE(
      "default-route",
      "NetworkProblem",
      "NoDefaultRoute",
      30,
      5,
      45,
      "the node's network (`hostNetwork`)"),
  /** {@link CheckSpec.Certificates}. */
  CERTIFICATES(
      "certificates",
      "CertificateExpiring",
      "CertificateExpiresSoon",
      3600,
      20,
      0,
      "permission to read the files (usually root)"),
  /** {@link CheckSpec.SystemdUnits}. */
  SYSTEMD_UNITS("systemd-units", "UnitFailed", "UnitNotActive", 60, 10, 90, "the D-Bus socket"),
  /** {@link CheckSpec.RebootRequired}. */
  REBOOT_REQUIRED(
      "reboot-required",
      "RebootRequired",
      "RebootRequired",
      300,
      5,
      0,
      "the node's files (`--host-root` in a container)"),
  /** {@link CheckSpec.KernelPanic}. */
  KERNEL_PANIC(
      "kernel-panic",
      "KernelPanicked",
      "PanicRecorded",
      600,
      20,
      0,
      "root, and the node's files (`--host-root` in a container)");

  private final String label;
  private final String condition;
  private final String reason;
  private final int interval;
  private final int timeout;
  private final int debounce;
  private final String needs;

  /** Times are in seconds. */
  CheckKind(
      String label,
      String condition,
      String reason,
      int interval,
      int timeout,
      int debounce,
      String needs) {
    this.label = label;
    this.condition = condition;
    this.reason = reason;
    this.interval = interval;
    this.timeout = timeout;
    this.debounce = debounce;
    this.needs = needs;
  }

  /** {@return its name in files} */
  public String label() {
    return label;
  }

  /** {@return what the check needs, for people} */
  public String needs() {
    return needs;
  }

  /** {@return the condition it sets by default} */
  public String condition() {
    return condition;
  }

  /** {@return the reason it sets by default} */
  public String reason() {
    return reason;
  }

  /** {@return the default time between runs} */
  public Duration interval() {
    return Duration.ofSeconds(interval);
  }

  /** {@return the default timeout of a run} */
  public Duration timeout() {
    return Duration.ofSeconds(timeout);
  }

  /** {@return the default debounce: how long a change must last} */
  public Duration debounce() {
    return Duration.ofSeconds(debounce);
  }

  /**
   * {@return whether unprivileged tenants can cause its problem by load alone (B-24): no node
   * should be restarted or replaced for it}
   */
  public boolean tenantsCanCause() {
    return switch (this) {
      case CONTAINER_RUNTIME, // listing many containers takes long
          KUBELET, // a busy node answers late
          DISK_SPACE,
          DISK_INODES,
          DISK_IO, // a busy disk flushes slowly
          MEMORY_PRESSURE,
          IO_PRESSURE,
          CPU_PRESSURE,
          PIDS,
          OPEN_FILES,
          ZOMBIES,
          INOTIFY,
          CONNTRACK,
          DNS -> // with a full connection tracking table the kernel drops packets
          true;
      case READ_ONLY_MOUNTS,
          FILESYSTEM_SHUTDOWN,
          CPU_LOCKUP,
          HARDWARE_ERRORS,
          CLOCK,
          DEFAULT_ROUTE,
          CERTIFICATES,
          SYSTEMD_UNITS,
          REBOOT_REQUIRED,
          KERNEL_PANIC ->
          false;
    };
  }

  /** {@return the built-in conditions that no tenant can cause by load alone (B-24)} */
  public static Set<String> conditionsWithoutTenants() {
    Set<String> conditions = new TreeSet<>();
    Arrays.stream(values()).map(CheckKind::condition).forEach(conditions::add);
    Arrays.stream(values())
        .filter(CheckKind::tenantsCanCause)
        .map(CheckKind::condition)
        .forEach(conditions::remove);
    return conditions;
  }

  /** {@return whether a hanging run is itself a problem (NM-12)} */
  public boolean hangingIsAProblem() {
    return this == DISK_IO;
  }

  @Override
  public String toString() {
    return label;
  }

  static String labels() {
    return Arrays.stream(values()).map(CheckKind::label).collect(Collectors.joining(", "));
  }
}
