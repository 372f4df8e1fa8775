package io.probelet.monitor.check;

import io.probelet.health.GoDuration;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks each CPU for a lockup (B-23): a thread bound to one CPU must run there in time. It also
 * reads the kernel's lockup counters, where they exist. CPUs outside this program's cpuset are not
 * checked.
 *
 * <p>Load is not a lockup. If most CPUs are late, this program itself is stalled, by its quota or
 * by a pause of the machine, and the CPUs' state is unknown. A CPU that runs programs in the
 * meantime is not locked up in the kernel: a tenant with a large share may take all of it. Measured
 * on Linux 6.18, a thread with a share of 20 waits for up to 0.8 s beside one of 60,000 that takes
 * the whole CPU, and for minutes beside one of 262,144 against 2.
 */
final class CpuLockupCheck implements NodeCheck {
  /** How long a lockup counted by the kernel remains a problem. */
  private static final Duration QUIET = Duration.ofMinutes(10);

  /** What the kernel counts (Linux 6.16 and later). */
  private static final Map<String, String> COUNTERS =
      Map.of(
          "softlockup_count", "soft lockups",
          "hardlockup_count", "hard lockups",
          "rcu_stall_count", "RCU stalls");

  private final Duration within;
  private final Machine machine;

  // Used by one run at a time.
  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Long> risen = new HashMap<>();

  CpuLockupCheck(Duration within, Machine machine) {
    this.within = within;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>(counted());
    Set<Integer> asked = new TreeSet<>(machine.kernel().cpus().usable());
    Map<Integer, Long> before = ProgramTime.read(machine);
    Set<Integer> late = late(asked);
    boolean heldUp = late.size() * 2 > asked.size();
    if (!late.isEmpty() && !heldUp) {
      Map<Integer, Long> after = ProgramTime.read(machine);
      late.removeIf(cpu -> after.getOrDefault(cpu, 0L) > before.getOrDefault(cpu, 0L));
    }
    if (!late.isEmpty() && !heldUp) {
      String which = late.size() == 1 ? "CPU " + late.iterator().next() : "CPUs " + numbers(late);
      problems.addFirst("no thread ran on " + which + " within " + GoDuration.format(within));
    }
    if (!problems.isEmpty()) {
      return new NodeCheckResult.Problem(String.join("; ", problems));
    }
    if (heldUp) {
      return new NodeCheckResult.Unknown(
          "no thread ran on most CPUs within %s: the agent itself was stalled"
              .formatted(GoDuration.format(within)));
    }
    return NodeCheckResult.OK;
  }

  /**
   * Returns the CPUs that did not respond; removes those that can no longer be checked from the
   * set.
   */
  private Set<Integer> late(Set<Integer> asked) throws IOException, InterruptedException {
    Set<Integer> late = ConcurrentHashMap.newKeySet();
    Map<Integer, IOException> refused = new ConcurrentHashMap<>();
    CountDownLatch all = new CountDownLatch(asked.size());
    late.addAll(asked);
    for (int cpu : asked) {
      machine
          .kernel()
          .cpus()
          .ask(
              cpu,
              () -> {
                late.remove(cpu);
                all.countDown();
              },
              reason -> {
                refused.put(cpu, reason);
                late.remove(cpu);
                all.countDown();
              });
    }
    boolean _ = all.await(within.toNanos(), TimeUnit.NANOSECONDS);
    Set<Integer> missing = new TreeSet<>(late);
    asked.removeAll(refused.keySet()); // it went offline, or out of the cpuset
    if (asked.isEmpty()) {
      throw refusal(refused.values().iterator().next());
    }
    return missing;
  }

  private static IOException refusal(IOException reason) {
    return reason instanceof AccessDeniedException
        ? new AccessDeniedException("sched_setaffinity: " + reason.getMessage())
        : reason;
  }

  /** Recent counts of the kernel. Counts from before the first run are ignored. */
  private List<String> counted() throws IOException {
    List<String> lately = new ArrayList<>();
    long now = machine.time().nanoTime();
    for (String name : COUNTERS.keySet().stream().sorted().toList()) {
      Long count = count(machine.sys().resolve("kernel").resolve(name));
      if (count == null) {
        continue;
      }
      Long before = counts.put(name, count);
      if (before != null && count > before) {
        risen.put(name, now);
      }
      Long at = risen.get(name);
      if (at != null && now - at < QUIET.toNanos()) {
        lately.add(
            "kernel counted %s in the last %s"
                .formatted(COUNTERS.get(name), GoDuration.format(QUIET)));
      }
    }
    return lately;
  }

  private static @Nullable Long count(Path file) throws IOException {
    try {
      return KernelFile.number(file);
    } catch (NoSuchFileException olderKernel) {
      return null;
    }
  }

  private static String numbers(Set<Integer> cpus) {
    return String.join(", ", cpus.stream().map(String::valueOf).toList());
  }
}
