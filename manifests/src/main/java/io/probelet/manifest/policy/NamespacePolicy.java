package io.probelet.manifest.policy;

import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The most that annotations of a pod may ask for.
 *
 * @param exec whether they may name commands to run in containers
 * @param hosts where their probes may go; the pod itself always
 * @param enforcement the most that follows from a failed probe; null: what the administrator has
 *     set for the namespace
 * @param sources where probes may come from at most; null: from where the administrator has set
 * @param shortestPeriod the shortest time between two probes, 100 ms or more
 * @param longestRecoveryTime the longest time for which a container must succeed to be ready again
 * @param files whether they may name files of this machine; never in a cluster
 * @param profiles those that they may name
 */
public record NamespacePolicy(
    boolean exec,
    HostRules hosts,
    @Nullable Enforcement enforcement,
    @Nullable Set<ProbeOrigin> sources,
    Duration shortestPeriod,
    Duration longestRecoveryTime,
    boolean files,
    List<Profile> profiles) {
  static final NamespacePolicy RESTRICTED =
      new NamespacePolicy(
          false,
          HostRules.OWN,
          null,
          null,
          ProbeSpec.SHORTEST,
          ProbeSpec.LONGEST_RECOVERY_TIME,
          false,
          List.of());

  static final NamespacePolicy TRUSTED =
      new NamespacePolicy(
          true,
          HostRules.ANY,
          Enforcement.ENFORCE,
          EnumSet.allOf(ProbeOrigin.class),
          ProbeSpec.SHORTEST,
          ProbeSpec.LONGEST_RECOVERY_TIME,
          false,
          List.of());

  /** For who runs containers and probes by hand: there is no administrator but the user. */
  static final NamespacePolicy LOCAL =
      new NamespacePolicy(
          true,
          HostRules.ANY,
          Enforcement.ENFORCE,
          EnumSet.allOf(ProbeOrigin.class),
          ProbeSpec.SHORTEST,
          ProbeSpec.LONGEST_RECOVERY_TIME,
          true,
          List.of());

  /** Rejects a period that no probe may have, and keeps unmodifiable copies of the collections. */
  public NamespacePolicy {
    sources = sources == null ? null : Set.copyOf(sources);
    profiles = List.copyOf(profiles);
    if (shortestPeriod.compareTo(ProbeSpec.SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "the shortest period must be at least 100ms: " + shortestPeriod);
    }
  }

  /** The same with these profiles. */
  NamespacePolicy with(List<Profile> allowed) {
    return new NamespacePolicy(
        exec, hosts, enforcement, sources, shortestPeriod, longestRecoveryTime, files, allowed);
  }
}
