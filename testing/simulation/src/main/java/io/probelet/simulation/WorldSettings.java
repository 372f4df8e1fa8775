package io.probelet.simulation;

import io.probelet.controller.ControllerPart;
import io.probelet.simulation.faults.FaultKind;
import io.probelet.simulation.faults.FaultKind.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What a world is made of. A seed draws all of it.
 *
 * @param parts which parts of the product exist
 * @param length how long faults come
 * @param waits whether it is judged only after the longest quiet time, even if all is right before
 * @param controllers how many controllers there are
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
    Set<Part> parts,
    Duration length,
    boolean waits,
    int controllers,
    int nodes,
    int podsPerNode,
    String minHealthy,
    int duration,
    int stormCooldown,
    int healthyDelay,
    int maxNodes,
    Escalation escalation,
    boolean secondCheck) {

  /** A part of the product that a world may do without: what it has, it has less of. */
  enum Part {
    /** Agents probe containers. */
    PROBES,
    /** Agents report conditions of their nodes. */
    NODE_CONDITIONS,
    /** Controllers remediate nodes, and agents carry out orders. */
    REMEDIATION,
    /** Controllers report the health of the cluster. */
    CLUSTER_CARE
  }

  /** How large a world is. */
  enum Size {
    /** One to three nodes, some minutes, often one part only: many of them cost little. */
    SMALL,
    /** Two to five nodes with all parts. */
    LARGE,
    /** Three of four are small. */
    ANY
  }

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

  /**
   * Draws a world.
   *
   * @param size how large it is
   * @param longest how long faults come at most
   * @param nodes how many nodes there are; empty for what the seed draws
   * @param only the kinds of faults that may come: the world has the parts that they need
   */
  static WorldSettings draw(
      RandomGenerator random,
      Size size,
      Duration longest,
      Optional<Integer> nodes,
      Set<FaultKind> only) {
    boolean small =
        size == Size.SMALL || (size == Size.ANY && nodes.isEmpty() && random.nextInt(4) > 0);
    Set<Part> parts = small ? few(random) : EnumSet.allOf(Part.class);
    int controllers = small ? controllers(random, parts) : 2;
    if (only.size() < FaultKind.values().length) {
      only.forEach(kind -> neededBy(kind).ifPresent(parts::add));
      if (only.stream().anyMatch(kind -> kind.scope() == Scope.CONTROLLER)) {
        controllers = Math.max(1, controllers);
      }
    }
    Duration length = small ? Duration.ofSeconds(random.nextInt(120, 480)) : longest;
    boolean remediates = parts.contains(Part.REMEDIATION);
    int number = small ? 1 + random.nextInt(3) : 2 + random.nextInt(4);
    int pods = small ? 1 + random.nextInt(2) : 1 + random.nextInt(4);
    Escalation[] escalations = Escalation.values();
    String[] minima = {"50%", "34%", "1", "2", "0"};
    return new WorldSettings(
        Set.copyOf(parts),
        length.compareTo(longest) > 0 ? longest : length,
        random.nextInt(8) == 0,
        controllers,
        nodes.orElse(number),
        parts.contains(Part.PROBES) || remediates ? pods : 0,
        minima[random.nextInt(minima.length)],
        30 * (1 + random.nextInt(small ? 2 : 4)),
        random.nextInt(3) == 0 ? 60 : 0,
        random.nextInt(4) == 0 ? 45 : 0,
        1 + random.nextInt(3),
        escalations[random.nextInt(escalations.length)],
        random.nextInt(4) == 0);
  }

  /** One part, or two, or all. */
  private static Set<Part> few(RandomGenerator random) {
    List<Part> all = List.of(Part.values());
    Set<Part> parts = EnumSet.of(all.get(random.nextInt(all.size())));
    switch (random.nextInt(6)) {
      case 0 -> parts.addAll(all);
      case 1, 2 -> parts.add(all.get(random.nextInt(all.size())));
      default -> {}
    }
    return parts;
  }

  /** Agents alone do without. */
  private static int controllers(RandomGenerator random, Set<Part> parts) {
    boolean alone = !parts.contains(Part.REMEDIATION) && !parts.contains(Part.CLUSTER_CARE);
    return (alone ? 0 : 1) + (random.nextInt(3) == 0 ? 1 : 0);
  }

  boolean has(Part part) {
    return parts.contains(part);
  }

  /** {@return whether a fault may have an effect in this world} */
  boolean allows(FaultKind kind) {
    return neededBy(kind).map(this::has).orElse(true)
        && (kind.scope() != Scope.CONTROLLER || controllers > 0)
        && (kind.scope() != Scope.CONTAINER || podsPerNode > 0);
  }

  /** The part without which a fault has no effect. */
  private static Optional<Part> neededBy(FaultKind kind) {
    return switch (kind) {
      case BREAK_KERNEL, BREAK_CHECKS, FILL_DISK, FORGE_LOG -> Optional.of(Part.NODE_CONDITIONS);
      case FAIL_CONTAINER,
          FAIL_FOR_A_WHILE,
          HANG_CONTAINER,
          SLOW_CONTAINER,
          START_SLOWLY,
          HANG_AND_CRASH,
          UNREADY_CONTAINER,
          STAY_UNREADY,
          FLAP_READINESS,
          THROTTLE_CONTAINER,
          STEAL_UID,
          NOISY_TENANT,
          STALL_AGENT,
          EDIT_PROBES,
          FAIL_MANY ->
          Optional.of(Part.PROBES);
      case CHANGE_CLUSTER_HEALTH -> Optional.of(Part.CLUSTER_CARE);
      case EXCLUDE_NODE, DELETE_REMEDIATION, HOLD_REMEDIATION -> Optional.of(Part.REMEDIATION);
      default -> kind.scope() == Scope.USER ? Optional.of(Part.REMEDIATION) : Optional.empty();
    };
  }

  /** {@return what its controllers lead} */
  List<ControllerPart> controllerParts() {
    List<ControllerPart> led = new ArrayList<>();
    if (has(Part.REMEDIATION)) {
      led.add(ControllerPart.REMEDIATION);
      led.add(ControllerPart.REMEDIATORS);
    }
    if (has(Part.CLUSTER_CARE)) {
      led.add(ControllerPart.CLUSTER_CARE);
    }
    if (has(Part.NODE_CONDITIONS)) {
      led.add(ControllerPart.NODE_MONITOR);
    }
    if (has(Part.PROBES)) {
      led.add(ControllerPart.RESTART_GUARD);
    }
    return led;
  }
}
