package io.probelet.nodehealth.workloads;

import io.probelet.health.OneLine;
import io.probelet.nodehealth.policy.DurationText;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which workloads are evidence about a node, and how many it takes.
 *
 * @param namespaces the trusted namespaces, in the given order
 * @param duration for how long a workload must fail, and for how long a better state must last
 * @param minimum the least workloads that must fail on a node
 * @param share the least share of the failing workloads among those that fail or work on the node,
 *     in percent
 */
public record WorkloadSettings(List<String> namespaces, Duration duration, int minimum, int share) {
  /** WE-5: one or two tenants must not be able to condemn a node. */
  public static final int MIN_NAMESPACES = 3;

  /** Each namespace has its own watch. */
  public static final int MAX_NAMESPACES = 32;

  /** The shortest duration. */
  public static final Duration SHORTEST = Duration.ofMinutes(1);

  /** The longest duration. */
  public static final Duration LONGEST = Duration.ofHours(1);

  /** The smallest minimum. */
  public static final int MIN_WORKLOADS = 3;

  /** The largest minimum: more workloads than a node has pods are none. */
  public static final int MAX_WORKLOADS = 100;

  /** The smallest share. */
  public static final int MIN_SHARE = 50;

  /** The largest share. */
  public static final int MAX_SHARE = 100;

  private static final int SHOWN = 80;
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /**
   * Checks all limits.
   *
   * @throws IllegalArgumentException if one is not kept; the message begins with the name of the
   *     setting and a colon
   */
  public WorkloadSettings {
    namespaces = List.copyOf(namespaces);
    checkNamespaces(namespaces);
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "for: %s is not from 1m to 1h".formatted(DurationText.of(duration)));
    }
    requireRange("minimum", minimum, MIN_WORKLOADS, MAX_WORKLOADS);
    requireRange("share", share, MIN_SHARE, MAX_SHARE);
  }

  private static void checkNamespaces(Collection<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!NAMESPACE.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "namespaces: \"%s\" is not the name of a namespace: at most 63 of a-z, 0-9 and -"
                .formatted(OneLine.of(name, SHOWN)));
      }
      if (!seen.add(name)) {
        throw new IllegalArgumentException("namespaces: \"%s\" is named twice".formatted(name));
      }
    }
    requireCount(names.size());
  }

  private static void requireCount(int count) {
    if (count < MIN_NAMESPACES || count > MAX_NAMESPACES) {
      throw new IllegalArgumentException(
          "namespaces: %d are named; %d to %d are allowed"
              .formatted(count, MIN_NAMESPACES, MAX_NAMESPACES));
    }
  }

  private static void requireRange(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s: %d is not from %d to %d".formatted(name, value, least, most));
    }
  }
}
