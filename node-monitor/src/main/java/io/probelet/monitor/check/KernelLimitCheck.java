package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Compares the usage of a kernel resource with its limit. */
final class KernelLimitCheck implements NodeCheck {
  private final String what;
  private final int maxUsedPercent;
  private final Reader reader;
  private final OwnerFinder owner;

  /** Reads usage and limit. */
  @FunctionalInterface
  private interface Reader {
    Use read() throws IOException;
  }

  /** Names the largest owner, as a clause; called when usage is too high. */
  @FunctionalInterface
  private interface OwnerFinder {
    String find() throws IOException;
  }

  private record Use(long used, long limit) {}

  private KernelLimitCheck(String what, int maxUsedPercent, Reader reader, OwnerFinder owner) {
    this.what = what;
    this.maxUsedPercent = maxUsedPercent;
    this.reader = reader;
    this.owner = owner;
  }

  /** Processes and threads: each needs an ID, and both IDs and threads are limited. */
  static NodeCheck pids(int maxUsedPercent, Machine machine) {
    Path kernel = machine.proc().resolve("sys/kernel");
    Path load = machine.proc().resolve("loadavg");
    return new KernelLimitCheck(
        "process and thread IDs",
        maxUsedPercent,
        () -> {
          String[] counts = KernelFile.words(load)[3].split("/", -1); // running/all
          return new Use(
              Long.parseLong(counts[1]),
              Math.min(
                  KernelFile.number(kernel.resolve("pid_max")),
                  KernelFile.number(kernel.resolve("threads-max"))));
        },
        () -> KernelOwners.ofThreads(machine));
  }

  static NodeCheck openFiles(int maxUsedPercent, Machine machine) {
    Path file = machine.proc().resolve("sys/fs/file-nr");
    return new KernelLimitCheck(
        "kernel's file handles",
        maxUsedPercent,
        () -> new Use(KernelFile.number(file, 0), KernelFile.number(file, 2)),
        () -> KernelOwners.ofFiles(machine));
  }

  /** Without connection tracking no table can be full. */
  static NodeCheck conntrack(int maxUsedPercent, Machine machine) {
    Path table = machine.proc().resolve("sys/net/netfilter");
    return new KernelLimitCheck(
        "connection tracking entries",
        maxUsedPercent,
        () -> {
          Path count = table.resolve("nf_conntrack_count");
          if (Files.exists(count)) {
            return new Use(
                KernelFile.number(count), KernelFile.number(table.resolve("nf_conntrack_max")));
          }
          Path limits = machine.proc().resolve("sys/net");
          if (!Files.isDirectory(limits)) { // an invisible table is unknown, not empty
            throw new NoSuchFileException(limits.toString());
          }
          return new Use(0, 1);
        },
        () -> KernelOwners.ofConnections(machine));
  }

  @Override
  public NodeCheckResult run() throws IOException {
    Use use;
    try {
      use = reader.read();
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException strange) {
      throw new IOException("cannot parse the number of " + what, strange);
    }
    return use.limit() > 0 && 100.0 * use.used() / use.limit() > maxUsedPercent
        ? new NodeCheckResult.Problem(
            "more than %d %% of the %s are used".formatted(maxUsedPercent, what) + owner())
        : NodeCheckResult.OK;
  }

  /** Without a known owner it is still a problem. */
  private String owner() {
    try {
      return owner.find();
    } catch (IOException hidden) {
      return "";
    }
  }
}
