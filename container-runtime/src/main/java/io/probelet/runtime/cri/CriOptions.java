package io.probelet.runtime.cri;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * How a runtime is used.
 *
 * @param relistPeriod between two polls of everything, greater than zero
 * @param callTimeout after which a runtime that should answer at once counts as away
 * @param execLeeway how much later than its timeout, which the runtime itself counts, the end of a
 *     command is waited for
 * @param slotLeeway how much later than its timeout a command that has not ended no longer counts
 *     for {@code maxExecs}: what hangs must not keep the others' from running
 * @param maxExecs commands that run in containers at the same time, at least 1
 * @param execHold how long a command keeps its slot, whatever its timeout, while others wait for it
 * @param root where the node's root directory is seen, with its control groups and processes
 */
public record CriOptions(
    String nodeIp,
    Duration relistPeriod,
    Duration callTimeout,
    Duration execLeeway,
    Duration slotLeeway,
    int maxExecs,
    Duration execHold,
    Path root) {
  /** How long a command keeps its slot if nothing else is configured. */
  public static final Duration DEFAULT_EXEC_HOLD = Duration.ofSeconds(10);

  /** Rejects values that would hold everything up. */
  public CriOptions {
    if (!Stream.of(relistPeriod, callTimeout, execLeeway, slotLeeway, execHold)
        .allMatch(Duration::isPositive)) {
      throw new IllegalArgumentException(
          "relist period %s, call timeout %s, exec leeway %s, slot leeway %s and exec hold %s must be"
                  .formatted(relistPeriod, callTimeout, execLeeway, slotLeeway, execHold)
              + " greater than zero");
    }
    if (maxExecs < 1) {
      throw new IllegalArgumentException(
          maxExecs + " commands at once would be none at all; allow at least 1");
    }
  }

  /**
   * The kubelet's relist period, five seconds for a call, the kubelet's two minutes for an exec
   * that is late, ten seconds of them with a slot, 16 execs, each with its slot for ten seconds.
   *
   * @param nodeIp what pods in the host network have as their IP; 127.0.0.1 when all runs locally
   */
  public CriOptions(String nodeIp) {
    this(
        nodeIp,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofMinutes(2),
        Duration.ofSeconds(10),
        16,
        DEFAULT_EXEC_HOLD,
        Path.of("/"));
  }

  /**
   * {@return the same with another bound on commands}
   *
   * @param count commands that run in containers at the same time, at least 1
   */
  public CriOptions withMaxExecs(int count) {
    return new CriOptions(
        nodeIp, relistPeriod, callTimeout, execLeeway, slotLeeway, count, execHold, root);
  }

  /**
   * {@return the same with another holding time}
   *
   * @param hold how long a command keeps its slot while others wait for it, greater than zero
   */
  public CriOptions withExecHold(Duration hold) {
    return new CriOptions(
        nodeIp, relistPeriod, callTimeout, execLeeway, slotLeeway, maxExecs, hold, root);
  }

  /**
   * {@return the same with the node's root directory seen elsewhere}
   *
   * @param folder such as {@code /host}
   */
  public CriOptions withRoot(Path folder) {
    return new CriOptions(
        nodeIp, relistPeriod, callTimeout, execLeeway, slotLeeway, maxExecs, execHold, folder);
  }
}
