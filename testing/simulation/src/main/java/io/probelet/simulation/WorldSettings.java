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
 * @param agents whether nodes have real agents and pods; without them a world is about the
 *     controllers alone, costs less, and is quiet between faults
 * @param length how long faults come
 * @param waits whether it is judged only after the longest quiet time, even if all is right before
 * @param controllers how many controllers there are
 * @param nodes how many nodes there are
 * @param podsPerNode how many pods each node has
 * @param checks the NodeHealthChecks, which select the same nodes
 * @param maxNodes of the RemediationPolicy; 0 for no policy
 * @param taintPercent the share of nodes that may have a taint of one kind
 * @param failing how likely the action of a foreign remediator fails, from 0 to 1
 * @param quick whether foreign remediators act within seconds
 * @param unclear how likely a hook's endpoint does not confirm, from 0 to 1
 */
record WorldSettings(
    Set<Part> parts,
    boolean agents,
    Duration length,
    boolean waits,
    int controllers,
    int nodes,
    int podsPerNode,
    List<HealthCheck> checks,
    int maxNodes,
    int taintPercent,
    double failing,
    boolean quick,
    double unclear) {
  /** Escalations that are worth a try more often than others. */
  private static final List<List<String>> USUAL =
      List.of(
          List.of("fence"),
          List.of("restart", "reboot", "self", "ticket"),
          List.of("fence", "fence-hard"),
          List.of("out-of-service", "self"),
          List.of("ticket", "fence"),
          List.of("drain", "drain-and-reboot", "self"));

  private static final List<String> TEMPLATES =
      List.of("restart", "reboot", "drain", "out-of-service", "ticket", "self", "fence", "call");

  /**
   * A NodeHealthCheck.
   *
   * @param minHealthy its limit
   * @param duration how long a node must be unhealthy, in seconds
   * @param stormCooldown in seconds; 0 for none
   * @param healthyDelay in seconds; 0 for none
   * @param steps the templates that follow each other; one without a timeout, or several with
   */
  record HealthCheck(
      String name,
      String minHealthy,
      int duration,
      int stormCooldown,
      int healthyDelay,
      List<Step> steps) {}

  /**
   * A step of an escalation.
   *
   * @param template its name
   * @param timeout in seconds; 0 for none
   */
  record Step(String template, int timeout) {}

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
    /** Two to five nodes without agents, which controllers remediate. */
    CONTROL,
    /** A quarter is large, a quarter is without agents, and half are small. */
    ANY
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
    Size drawn = size;
    if (size == Size.ANY) {
      drawn =
          switch (random.nextInt(4)) {
            case 0 -> Size.LARGE;
            case 1 -> Size.CONTROL;
            default -> nodes.isEmpty() ? Size.SMALL : Size.LARGE;
          };
    }
    boolean small = drawn == Size.SMALL;
    boolean agents = drawn != Size.CONTROL;
    Set<Part> parts =
        switch (drawn) {
          case SMALL -> few(random);
          case CONTROL -> ofControllers(random);
          default -> EnumSet.allOf(Part.class);
        };
    int controllers = drawn == Size.LARGE ? 2 : controllers(random, parts);
    if (only.size() < FaultKind.values().length) {
      only.forEach(kind -> neededBy(kind).ifPresent(parts::add));
      if (only.stream().anyMatch(kind -> kind.scope() == Scope.CONTROLLER)) {
        controllers = Math.max(1, controllers);
      }
    }
    Duration length =
        switch (drawn) {
          case SMALL -> Duration.ofSeconds(random.nextInt(120, 480));
          case CONTROL -> Duration.ofMinutes(random.nextInt(8, 40));
          default -> longest;
        };
    boolean remediates = parts.contains(Part.REMEDIATION);
    int number = small ? 1 + random.nextInt(3) : 2 + random.nextInt(4);
    int pods = small ? 1 + random.nextInt(2) : 1 + random.nextInt(4);
    List<HealthCheck> checks = new ArrayList<>();
    checks.add(check("workers", random));
    if (random.nextInt(4) == 0) {
      checks.add(check("workers-too", random));
    }
    return new WorldSettings(
        Set.copyOf(parts),
        agents,
        length.compareTo(longest) > 0 ? longest : length,
        random.nextInt(8) == 0,
        controllers,
        nodes.orElse(number),
        agents && (parts.contains(Part.PROBES) || remediates) ? pods : 0,
        List.copyOf(checks),
        random.nextInt(6),
        20 + random.nextInt(3) * 20,
        random.nextInt(3) * 0.4,
        random.nextBoolean(),
        random.nextInt(3) * 0.35);
  }

  private static HealthCheck check(String name, RandomGenerator random) {
    String[] minima = {"50%", "34%", "1", "1", "0", "0"};
    return new HealthCheck(
        name,
        minima[random.nextInt(minima.length)],
        10 * (1 + random.nextInt(9)),
        random.nextInt(3) == 0 ? 60 : 0,
        random.nextInt(4) == 0 ? 45 : 0,
        steps(random));
  }

  /** {@return an escalation} */
  static List<Step> steps(RandomGenerator random) {
    List<String> templates = new ArrayList<>();
    if (random.nextBoolean()) {
      templates.addAll(USUAL.get(random.nextInt(USUAL.size())));
    } else {
      List<String> left = new ArrayList<>(TEMPLATES);
      for (int count = 1 + random.nextInt(3); count > 0; count--) {
        templates.add(left.remove(random.nextInt(left.size())));
      }
    }
    if (templates.contains("call")) {
      templates.remove("ticket"); // they are of one kind
    }
    boolean one = templates.size() == 1 && random.nextBoolean();
    return templates.stream()
        .map(template -> new Step(template, one ? 0 : 60 + 15 * random.nextInt(11)))
        .toList();
  }

  /** Remediation, and sometimes more. */
  private static Set<Part> ofControllers(RandomGenerator random) {
    Set<Part> parts = EnumSet.of(Part.REMEDIATION);
    for (Part each : List.of(Part.NODE_CONDITIONS, Part.CLUSTER_CARE)) {
      if (random.nextInt(3) == 0) {
        parts.add(each);
      }
    }
    return parts;
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
        && (agents || !kind.needsAgent())
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
