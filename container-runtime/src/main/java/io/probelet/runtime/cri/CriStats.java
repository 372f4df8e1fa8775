package io.probelet.runtime.cri;

import java.time.Duration;

/**
 * What an operator may want to know of a runtime, at one moment. Counts begin with the agent.
 *
 * @param connected whether the last poll of it succeeded
 * @param problem what is wrong when it did not; otherwise empty
 * @param runtime name and version it gives itself; empty until it was first connected
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
   * @param waiting now, for a slot or for their turn
   * @param displaced how many have lost their slot to one that waited
   */
  public record Execs(
      int limit, int running, int waiting, long begun, Duration waited, long displaced) {}
}
