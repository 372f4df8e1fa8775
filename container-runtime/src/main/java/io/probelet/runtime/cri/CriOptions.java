package io.probelet.runtime.cri;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Settings for a runtime.
 *
 * @param relistPeriod time between two full polls, greater than zero
 * @param callTimeout timeout of calls that the runtime should answer immediately; after it the
 *     runtime counts as unavailable
 * @param execLeeway how long to wait for the end of a command after its timeout, which the runtime
 *     itself enforces
 * @param slotLeeway how long after its timeout a command that has not ended still counts for {@code
 *     maxExecs}, so that hanging commands do not block others
 * @param maxExecs maximum number of concurrent commands in containers, at least 1
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

  /** Rejects values that would block all calls. */
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
          maxExecs + " commands at once are not enough; allow at least 1");
    }
  }

  /**
   * The kubelet's relist period; five seconds per call; the kubelet's two minutes for a late exec,
   * ten seconds of them with a slot; 16 execs, each with its slot for ten seconds.
   *
   * @param nodeIp the IP of pods in the host network; 127.0.0.1 if everything runs locally
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
   * {@return a copy with another limit of commands}
   *
   * @param count maximum number of concurrent commands in containers, at least 1
   */
  public CriOptions withMaxExecs(int count) {
    return new CriOptions(
        nodeIp, relistPeriod, callTimeout, execLeeway, slotLeeway, count, execHold, root);
  }

  /**
   * {@return a copy with another execHold}
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
