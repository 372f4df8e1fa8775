package io.probelet.manifest.policy;

import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits for annotations of a pod.
 *
 * @param exec whether they may name commands to run in containers
 * @param hosts hosts that their probes may target; the pod itself is always allowed
 * @param enforcement strongest consequence of a failed probe; null: the administrator's setting for
 *     the namespace
 * @param sources allowed sources of probes; null: the administrator's setting
 * @param shortestPeriod the shortest time between two probes, 100 ms or more
 * @param longestRecoveryTime the longest time for which a container must succeed to be ready again
 * @param files whether they may name files of this machine; never in a cluster
 * @param profiles the profiles that they may name
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

  /** For local users of containers and probes, who are the administrators. */
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

  /** Rejects a period that is too short, and keeps unmodifiable copies of the collections. */
  public NamespacePolicy {
    sources = sources == null ? null : Set.copyOf(sources);
    profiles = List.copyOf(profiles);
    if (shortestPeriod.compareTo(ProbeSpec.SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "the shortest period must be at least 100ms: " + shortestPeriod);
    }
  }

  /** Returns a copy with these profiles. */
  NamespacePolicy with(List<Profile> allowed) {
    return new NamespacePolicy(
        exec, hosts, enforcement, sources, shortestPeriod, longestRecoveryTime, files, allowed);
  }
}
