package io.probelet.probe.runtime;

/**
 * How the kernel has held a container to its own CPU limit, counted since the container was made. A
 * period counts only if the container wanted to run in it.
 *
 * @param limitMillis the limit in thousandths of a core, at least 1
 * @param periods enforcement periods in which the container wanted to run, usually of 100 ms
 * @param throttledPeriods those in which the limit stopped it
 */
public record CpuQuota(long limitMillis, long periods, long throttledPeriods) {
  /**
   * {@return what was counted since an earlier reading}
   *
   * @param earlier of the same container
   */
  public CpuQuota since(CpuQuota earlier) {
    return new CpuQuota(
        limitMillis, periods - earlier.periods, throttledPeriods - earlier.throttledPeriods);
  }
}
