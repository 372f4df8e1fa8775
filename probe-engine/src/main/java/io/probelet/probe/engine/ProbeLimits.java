package io.probelet.probe.engine;

/**
 * Limits of probing, independent of specifications. A probe beyond them is discarded and never
 * failed, so that no pod can cause a restart of itself or another pod. Each part of {@code allOf}
 * and {@code anyOf} counts as a probe, and each redirect that is followed as one that begins; a
 * second address that is tried belongs to the probe that began it.
 *
 * @param podInFlight most probes of one pod under way at a time, 1 to {@code nodeInFlight}
 * @param podPerSecond most probes of one pod that begin in a second, on average; twice as many may
 *     begin at once after a quiet time
 * @param nodeInFlight most probes of all pods under way at a time; one of each pod always may be
 * @param nodePerSecond most probes of all pods that begin in a second, on average; what half of it
 *     comes to for each pod, a pod can always have
 */
public record ProbeLimits(int podInFlight, int podPerSecond, int nodeInFlight, int nodePerSecond) {
  /**
   * What honest pods never feel.
   *
   * <ul>
   *   <li>16 at a time: five containers with three probes each, all hanging at once.
   *   <li>50 a second: five probes at the shortest period of 100 ms; the API server's own shortest
   *       is a second.
   *   <li>512 at a time on the node: 250 pods whose probes all hang for the default timeout of one
   *       second in every ten have 75; each takes one open file, two while a name has two
   *       addresses, which leaves most of the usual 4,096 and more to others.
   *   <li>2,000 a second on the node: twice what 250 pods make with four probes a second each, and
   *       less than one core carries out ({@code benchmarks/run http}).
   * </ul>
   */
  public static final ProbeLimits DEFAULT = new ProbeLimits(16, 50, 512, 2_000);

  private static final int FILES_PER_PROBE = 4;

  /** Rejects bounds under which nothing could be probed. */
  public ProbeLimits {
    require(podInFlight >= 1, "podInFlight must be at least 1", podInFlight);
    require(podPerSecond >= 1, "podPerSecond must be at least 1", podPerSecond);
    require(
        nodeInFlight >= podInFlight,
        "nodeInFlight must be at least podInFlight, " + podInFlight,
        nodeInFlight);
    require(
        nodePerSecond >= podPerSecond,
        "nodePerSecond must be at least podPerSecond, " + podPerSecond,
        nodePerSecond);
  }

  private static void require(boolean holds, String rule, int found) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", found " + found);
    }
  }

  /**
   * {@return these limits, with at most a quarter of the process's file limit as running probes}
   *
   * @param maxOpenFiles the process's limit; zero or less means that it is not known
   */
  public ProbeLimits within(long maxOpenFiles) {
    long fits = Math.max(podInFlight, maxOpenFiles / FILES_PER_PROBE);
    return maxOpenFiles <= 0 || fits >= nodeInFlight
        ? this
        : new ProbeLimits(podInFlight, podPerSecond, (int) fits, nodePerSecond);
  }
}
