package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.MemoryUse;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.probe.runtime.CpuQuota;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel counted of a container from the first failure to the last reading. Each part is
 * null where it could not be read.
 *
 * @param windowMs the time between the two readings, in milliseconds; 0 if there is only one
 * @param cpuLimitMillis its CPU limit in thousandths of a core
 * @param throttledPercent how much of the time that it wanted to run its limit stopped it
 * @param cpuMillis the CPU it used, in thousandths of a core
 * @param memoryLimit its memory limit in bytes; 0 without one
 * @param memoryUsage the memory it used at the end, in bytes
 * @param oomKills its processes that the kernel killed for lack of memory
 * @param cpuWaitPercent how much of the time a task of it waited for a CPU
 * @param memoryWaitPercent how much of the time one waited for memory
 * @param ioWaitPercent how much of the time one waited for a disk
 * @param threads what its threads did at the end
 * @param listening TCP ports on which its pod listened at the end
 */
@JsonInclude(Include.NON_NULL)
@JsonPropertyOrder({
  "windowMs",
  "cpuLimitMillis",
  "throttledPercent",
  "cpuMillis",
  "memoryLimit",
  "memoryUsage",
  "oomKills",
  "cpuWaitPercent",
  "memoryWaitPercent",
  "ioWaitPercent",
  "threads",
  "listening"
})
public record KernelFacts(
    long windowMs,
    @Nullable Long cpuLimitMillis,
    @Nullable Integer throttledPercent,
    @Nullable Long cpuMillis,
    @Nullable Long memoryLimit,
    @Nullable Long memoryUsage,
    @Nullable Long oomKills,
    @Nullable Integer cpuWaitPercent,
    @Nullable Integer memoryWaitPercent,
    @Nullable Integer ioWaitPercent,
    @Nullable ThreadStates threads,
    @Nullable List<Integer> listening) {
  /** Nothing could be read. */
  static final KernelFacts UNKNOWN =
      new KernelFacts(0, null, null, null, null, null, null, null, null, null, null, null);

  /** A quota with fewer periods than this says nothing. */
  private static final int MIN_PERIODS = 5;

  /** Readings that are closer together say nothing of how much CPU was used. */
  private static final long MIN_WINDOW_MILLIS = 500;

  private static final int MAX_PERCENT = 100;

  /** Keeps an unmodifiable copy of the ports, at most as many as an agent names. */
  public KernelFacts {
    listening =
        listening == null ? null : listening.stream().limit(ContainerEvidence.MAX_PORTS).toList();
  }

  /**
   * {@return what happened between two readings of one container}
   *
   * @param first the earlier reading
   * @param last the later one, or the same
   * @param window the time between them
   */
  public static KernelFacts between(
      ContainerEvidence first, ContainerEvidence last, Duration window) {
    CpuQuota quota = quota(first, last);
    MemoryUse memory = last.memory();
    MemoryUse memoryBefore = first.memory();
    long millis = window.toMillis();
    Long used = last.cpuMillis();
    Long usedBefore = first.cpuMillis();
    StallTimes stalls = last.pressure();
    StallTimes before = first.pressure();
    StallTimes waited =
        stalls == null || before == null || millis < MIN_WINDOW_MILLIS
            ? null
            : stalls.since(before);
    return new KernelFacts(
        millis,
        last.quota() == null ? null : (Long) last.quota().limitMillis(),
        quota == null || quota.periods() < MIN_PERIODS
            ? null
            : percent(quota.throttledPeriods(), quota.periods()),
        used == null || usedBefore == null || millis < MIN_WINDOW_MILLIS
            ? null
            : (Long) Math.max(0, (used - usedBefore) * 1000 / millis),
        memory == null ? null : (Long) memory.limit(),
        memory == null ? null : (Long) memory.usage(),
        memory == null
            ? null
            : (Long)
                Math.max(
                    0, memory.oomKills() - (memoryBefore == null ? 0 : memoryBefore.oomKills())),
        waited == null ? null : share(waited.cpu(), millis),
        waited == null ? null : share(waited.memory(), millis),
        waited == null ? null : share(waited.io(), millis),
        last.threads() == null ? first.threads() : last.threads(),
        last.listening() == null ? first.listening() : last.listening()); // it may have ended
  }

  private static @Nullable CpuQuota quota(ContainerEvidence first, ContainerEvidence last) {
    CpuQuota before = first.quota();
    CpuQuota now = last.quota();
    return before == null || now == null ? null : now.since(before);
  }

  /**
   * {@return which share of a time a wait was, in percent}
   *
   * @param micros the wait in microseconds
   * @param millis the time in milliseconds, greater than zero
   */
  static Integer share(long micros, long millis) {
    return percent(micros / 1000, millis);
  }

  private static Integer percent(long part, long whole) {
    return Math.clamp(part * MAX_PERCENT / whole, 0, MAX_PERCENT);
  }
}
