package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Compares how much there is of something with how much the kernel allows. */
final class KernelLimitCheck implements NodeCheck {
  private final String what;
  private final int maxUsedPercent;
  private final Reader reader;
  private final OwnerFinder owner;

  /** Finds how much there is, and how much there may be. */
  @FunctionalInterface
  private interface Reader {
    Use read() throws IOException;
  }

  /** Finds who holds most of it, as a clause; asked when there is too much of it. */
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

  /** Processes and threads: each has a number, and both numbers and threads are limited. */
  static NodeCheck pids(int maxUsedPercent, Machine machine) {
    Path kernel = machine.proc().resolve("sys/kernel");
    Path load = machine.proc().resolve("loadavg");
    return new KernelLimitCheck(
        "numbers for processes and threads",
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
        "files the kernel can open",
        maxUsedPercent,
        () -> new Use(KernelFile.number(file, 0), KernelFile.number(file, 2)),
        () -> KernelOwners.ofFiles(machine));
  }

  /** Where nothing tracks connections, no table can be full. */
  static NodeCheck conntrack(int maxUsedPercent, Machine machine) {
    Path table = machine.proc().resolve("sys/net/netfilter");
    return new KernelLimitCheck(
        "connection tracking table",
        maxUsedPercent,
        () -> {
          Path count = table.resolve("nf_conntrack_count");
          if (Files.exists(count)) {
            return new Use(
                KernelFile.number(count), KernelFile.number(table.resolve("nf_conntrack_max")));
          }
          Path limits = machine.proc().resolve("sys/net");
          if (!Files.isDirectory(limits)) { // where nothing can be seen, nothing is known of it
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
      throw new IOException("the kernel's count of the " + what + " is unreadable", strange);
    }
    return use.limit() > 0 && 100.0 * use.used() / use.limit() > maxUsedPercent
        ? new NodeCheckResult.Problem(
            "more than %d %% of the %s are used".formatted(maxUsedPercent, what) + owner())
        : NodeCheckResult.OK;
  }

  /** That nobody can be named makes it no less of a problem. */
  private String owner() {
    try {
      return owner.find();
    } catch (IOException hidden) {
      return "";
    }
  }
}
