package io.probelet.monitor.evidence;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.evidence.EvidencePart.Keep;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The parts of a bundle that are read from the node itself (ACT-100). */
public final class NodeParts {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** All parts are in memory at once, and an agent has 64 MiB. */
  private static final int LOG_BYTES = 512 << 10;

  private static final int TABLE_BYTES = 256 << 10;

  /** The unit names of the kubelet in various distributions. */
  private static final List<String> KUBELET =
      List.of("kubelet", "k3s", "k3s-agent", "rke2-server", "rke2-agent");

  private static final List<String> RUNTIMES =
      List.of("containerd", "crio", "docker", "cri-docker");

  private NodeParts() {}

  /**
   * Lists the parts.
   *
   * @param kmsg the kernel's messages, {@code /dev/kmsg}
   * @return the parts, in order of importance
   */
  public static List<EvidencePart> of(Machine machine, Path kmsg, JournalAccess journal) {
    return List.of(
        new EvidencePart(
            "kernel-log",
            "kernel.log",
            Keep.LAST,
            LOG_BYTES,
            TIMEOUT,
            new KernelLogPart(kmsg, machine)),
        table("processes", new ProcessesPart(machine)),
        table("disks", new DisksPart(machine)),
        table("pressure", new PressurePart(machine)),
        table("network", new NetworkPart(machine)),
        table("system", new SystemPart(machine, machine.time())),
        journal("kubelet-log", "kubelet.log", KUBELET, machine, journal),
        journal("runtime-log", "runtime.log", RUNTIMES, machine, journal));
  }

  private static EvidencePart table(String name, EvidenceCollector collector) {
    return new EvidencePart(name, name + ".txt", Keep.FIRST, TABLE_BYTES, TIMEOUT, collector);
  }

  private static EvidencePart journal(
      String name, String file, List<String> units, Machine machine, JournalAccess access) {
    return new EvidencePart(
        name,
        file,
        Keep.LAST,
        LOG_BYTES,
        TIMEOUT,
        new JournalPart(
            access, new JournalPlace(machine.root(), ""), JournalOrigin.Units.of(units), TIMEOUT));
  }
}
