package io.probelet.runtime.evidence;

import io.probelet.probe.runtime.ContainerEvidence.MemoryUse;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.probe.runtime.CpuQuota;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reads what the kernel counts for a control group, in version 1 and 2. Only the group's own limits
 * count; those of a group above it are not seen.
 *
 * @param folders where the group is: one in version 2, one of each hierarchy in version 1. Those
 *     that do not exist are ignored
 */
public record GroupFiles(List<Path> folders) {
  /** Of a container without a control group of its own. */
  public static final GroupFiles NONE = new GroupFiles(List.of());

  private static final long MILLIS = 1000;

  /** The kernel writes almost 2^63 bytes, or all 64 bits, where there is no limit. */
  private static final long UNLIMITED = 1L << 62;

  /** Keeps an unmodifiable copy. */
  public GroupFiles {
    folders = List.copyOf(folders);
  }

  /** {@return how the group is held to its CPU limit; empty without one} */
  public Optional<CpuQuota> quota() {
    return first(GroupFiles::quota);
  }

  /** {@return the CPU time that its processes have used, in milliseconds} */
  public OptionalLong cpuMillis() {
    return first(folder ->
            count(folder, "cpu.stat", "usage_usec")
                .map(TimeUnit.MICROSECONDS::toMillis)
                .or(() -> number(folder, "cpuacct.usage").map(TimeUnit.NANOSECONDS::toMillis)))
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** {@return its memory; empty unless limit, use and kills can be read} */
  public Optional<MemoryUse> memory() {
    return first(folder -> {
      Optional<Long> limit =
          number(folder, "memory.max").or(() -> number(folder, "memory.limit_in_bytes"));
      Optional<Long> usage =
          number(folder, "memory.current").or(() -> number(folder, "memory.usage_in_bytes"));
      Optional<Long> kills = oomKills(folder);
      return limit.isPresent() && usage.isPresent() && kills.isPresent()
          ? Optional.of(new MemoryUse(limit(limit.get()), usage.get(), kills.get()))
          : Optional.empty();
    });
  }

  /** {@return how many of its processes the kernel has killed for lack of memory} */
  public OptionalLong oomKills() {
    return first(GroupFiles::oomKills).map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  /** {@return how long its processes have waited; only version 2 counts that} */
  public Optional<StallTimes> pressure() {
    return first(StallReader::ofGroup);
  }

  /**
   * {@return its processes, in this process' own namespace; empty if it has none or they are in
   * another one}
   */
  public List<Long> processes() {
    return first(folder -> KernelText.start(folder.resolve("cgroup.procs")))
        .map(GroupFiles::pids)
        .orElse(List.of());
  }

  private <T> Optional<T> first(Function<Path, Optional<T>> reader) {
    return folders.stream().map(reader).flatMap(Optional::stream).findFirst();
  }

  private static Optional<CpuQuota> quota(Path folder) {
    Optional<Long> periods = count(folder, "cpu.stat", "nr_periods");
    Optional<Long> throttled = count(folder, "cpu.stat", "nr_throttled");
    return periods.isEmpty() || throttled.isEmpty()
        ? Optional.empty()
        : limitMillis(folder).map(limit -> new CpuQuota(limit, periods.get(), throttled.get()));
  }

  private static Optional<Long> limitMillis(Path folder) {
    Optional<String> unified = KernelText.of(folder.resolve("cpu.max"));
    if (unified.isPresent()) {
      String[] words = unified.get().strip().split(" ", -1);
      return words.length == 2 ? limitMillis(number(words[0]), number(words[1])) : Optional.empty();
    }
    return limitMillis(number(folder, "cpu.cfs_quota_us"), number(folder, "cpu.cfs_period_us"));
  }

  /** Without a limit the quota is the word {@code max}, or -1. */
  private static Optional<Long> limitMillis(Optional<Long> quota, Optional<Long> period) {
    if (quota.isEmpty() || quota.get() < 0 || period.isEmpty() || period.get() <= 0) {
      return Optional.empty();
    }
    long scaled = Math.multiplyHigh(quota.get(), MILLIS) == 0 ? quota.get() * MILLIS : -1;
    return scaled < 0 ? Optional.empty() : Optional.of(Math.max(1, scaled / period.get()));
  }

  /** In each version the count is in another file, in a line of its own. */
  private static Optional<Long> oomKills(Path folder) {
    return count(folder, "memory.events", "oom_kill")
        .or(() -> count(folder, "memory.oom_control", "oom_kill"));
  }

  private static long limit(long bytes) {
    return bytes < 0 || bytes >= UNLIMITED ? 0 : bytes;
  }

  /** A process of another namespace is 0; what is known of some of them only is not used. */
  private static List<Long> pids(String processes) {
    List<Long> pids = new ArrayList<>();
    for (String line : processes.lines().toList()) {
      Optional<Long> pid = number(line);
      if (pid.isEmpty() || pid.get() <= 0) {
        return List.of();
      }
      if (pids.size() < ProcessFiles.MAX_PROCESSES) {
        pids.add(pid.get());
      }
    }
    return pids;
  }

  private static Optional<Long> count(Path folder, String file, String name) {
    return KernelText.of(folder.resolve(file))
        .flatMap(counts ->
            counts
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .flatMap(line -> number(line.substring(name.length() + 1))));
  }

  private static Optional<Long> number(Path folder, String file) {
    return KernelText.of(folder.resolve(file)).flatMap(GroupFiles::number);
  }

  /** {@return a number; negative if it takes all 64 bits, or for the word max} */
  private static Optional<Long> number(String text) {
    String word = text.strip();
    try {
      return Optional.of(
          word.startsWith("-") ? Long.parseLong(word) : Long.parseUnsignedLong(word));
    } catch (NumberFormatException unexpected) {
      return word.equals("max") ? Optional.of(-1L) : Optional.empty();
    }
  }
}
