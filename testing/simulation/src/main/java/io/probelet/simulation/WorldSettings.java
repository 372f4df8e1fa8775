package io.probelet.simulation;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a world is made of. A seed draws all of it.
 *
 * @param nodes how many nodes there are
 * @param podsPerNode how many pods each node has
 * @param minHealthy of the NodeHealthCheck
 * @param duration how long a node must be unhealthy, in seconds
 * @param stormCooldown in seconds; 0 for none
 * @param healthyDelay in seconds; 0 for none
 * @param maxNodes of the RemediationPolicy
 * @param escalation which templates follow each other
 * @param secondCheck whether a second NodeHealthCheck selects the same nodes
 */
record WorldSettings(
    int nodes,
    int podsPerNode,
    String minHealthy,
    int duration,
    int stormCooldown,
    int healthyDelay,
    int maxNodes,
    Escalation escalation,
    boolean secondCheck) {
  private static final int SMALL = 2;

  /** Which templates of a NodeHealthCheck follow each other. */
  enum Escalation {
    /** One template only. */
    FENCE,
    /** The kinds of Probelet, from the gentlest to the hardest, then one of medik8s. */
    ALL,
    /** Two templates of one kind, one after the other. */
    SAME_KIND,
    /** The node is declared out of service once its power is off. */
    OUT_OF_SERVICE,
    /** A Job of an administrator. */
    HOOK,
    /** The node is drained, then rebooted by its agent. */
    DRAIN_AND_REBOOT
  }

  static WorldSettings draw(RandomGenerator random, Optional<Integer> nodes) {
    int number = SMALL + random.nextInt(4);
    Escalation[] escalations = Escalation.values();
    String[] minima = {"50%", "34%", "1", "2", "0"};
    return new WorldSettings(
        nodes.orElse(number),
        1 + random.nextInt(4),
        minima[random.nextInt(minima.length)],
        30 * (1 + random.nextInt(4)),
        random.nextInt(3) == 0 ? 60 : 0,
        random.nextInt(4) == 0 ? 45 : 0,
        1 + random.nextInt(3),
        escalations[random.nextInt(escalations.length)],
        random.nextInt(4) == 0);
  }
}
