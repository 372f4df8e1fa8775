package io.probelet.runtime.cri;

import java.time.Duration;

/**
 * Figures about a runtime for operators. Counts start with the agent.
 *
 * @param connected whether the last poll succeeded
 * @param problem the error of the last poll; empty if it succeeded
 * @param runtime the name and version that it reports; empty before the first connection
 * @param relists how often all pods and containers were listed
 */
public record CriStats(
    boolean connected,
    String problem,
    String runtime,
    long disconnects,
    long relists,
    Duration relisting,
    Execs execs) {
  /**
   * Commands in containers.
   *
   * @param limit how many may run at once
   * @param waiting number of commands that wait for a slot or for their turn
   * @param displaced how many lost their slot to a waiting one
   */
  public record Execs(
      int limit, int running, int waiting, long begun, Duration waited, long displaced) {}
}
