package io.probelet.probe.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel says about a running container at one moment. It comes from control groups and
 * {@code /proc}, which a pod's author cannot write. Each part is null where it cannot be read.
 *
 * @param quota how its own CPU limit holds it; null without a limit, too
 * @param cpuMillis CPU time that it has used since it was made, in milliseconds
 * @param memory its memory
 * @param pressure how long it has waited for resources
 * @param threads what its threads do, those of exec probes in it included, at most {@link
 *     #MAX_THREADS}
 * @param listening TCP ports on which a process of its pod listens, in ascending order, at most
 *     {@link #MAX_PORTS}
 */
public record ContainerEvidence(
    @Nullable CpuQuota quota,
    @Nullable Long cpuMillis,
    @Nullable MemoryUse memory,
    @Nullable StallTimes pressure,
    @Nullable ThreadStates threads,
    @Nullable List<Integer> listening) {
  /** Most ports that are named. */
  public static final int MAX_PORTS = 64;

  /** Most threads that are counted. If there are so many, there may be more. */
  public static final int MAX_THREADS = 512;

  /** Nothing could be read. */
  public static final ContainerEvidence NONE =
      new ContainerEvidence(null, null, null, null, null, null);

  /** Keeps an unmodifiable copy of the ports. */
  public ContainerEvidence {
    listening = listening == null ? null : listening.stream().limit(MAX_PORTS).toList();
  }

  /**
   * Memory of a container.
   *
   * @param limit its limit in bytes; 0 without one
   * @param usage bytes that it uses, page cache included
   * @param oomKills how many of its processes the kernel has killed for lack of memory
   */
  public record MemoryUse(long limit, long usage, long oomKills) {}

  /**
   * How long at least one task has waited for a resource since the container or the node started,
   * in microseconds: the {@code some} totals of the kernel's pressure stall information.
   *
   * @param cpu waiting for a CPU
   * @param memory waiting for memory
   * @param io waiting for a disk
   */
  public record StallTimes(long cpu, long memory, long io) {
    /**
     * {@return how long since an earlier reading}
     *
     * @param earlier of the same container or node
     */
    public StallTimes since(StallTimes earlier) {
      return new StallTimes(cpu - earlier.cpu, memory - earlier.memory, io - earlier.io);
    }
  }

  /**
   * How many threads are in which state.
   *
   * @param running running or ready to run (R)
   * @param sleeping waiting for an event (S or idle)
   * @param uninterruptible waiting for a device or a file system (D)
   * @param stopped stopped by a signal or a debugger (T)
   * @param zombies ended processes that their parent has not collected (Z)
   */
  public record ThreadStates(
      int running, int sleeping, int uninterruptible, int stopped, int zombies) {
    /** {@return how many threads were seen} */
    public int total() {
      return running + sleeping + uninterruptible + stopped + zombies;
    }
  }
}
