package io.probelet.manifest.policy;

import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The administrator's settings for pods, and the limits of their own choices.
 *
 * @param enforcement the consequence of a failed probe
 * @param policy the limits for annotations; null if the user is the administrator
 * @param longestThrottleHold the longest throttleHold that has an effect; zero if restarts never
 *     wait for a throttled container
 */
public record PodRules(
    Set<ProbeOrigin> sources,
    Enforcement enforcement,
    Map<String, Enforcement> namespaces,
    @Nullable PolicySettings policy,
    Duration longestThrottleHold) {
  /** For local users of containers and probes, whose pods make no choices. */
  public static final PodRules LOCAL =
      new PodRules(EnumSet.allOf(ProbeOrigin.class), Enforcement.ENFORCE, Map.of(), null);

  /** Allows the longest throttleHold that there is. */
  public PodRules(
      Set<ProbeOrigin> sources,
      Enforcement enforcement,
      Map<String, Enforcement> namespaces,
      @Nullable PolicySettings policy) {
    this(sources, enforcement, namespaces, policy, ProbeSpec.LONGEST_THROTTLE_HOLD);
  }

  /** Keeps unmodifiable copies of the collections. */
  public PodRules {
    sources = Set.copyOf(sources);
    namespaces = Map.copyOf(namespaces);
  }

  /** {@return whether pods may choose sources and enforcement, within the policy} */
  public boolean inCluster() {
    return policy != null;
  }

  /** {@return the limits for the annotations of a pod} */
  public NamespacePolicy policyOf(String namespace) {
    return policy == null ? NamespacePolicy.LOCAL : policy.of(namespace);
  }

  /** {@return the allowed sources of probes of a namespace} */
  public Set<ProbeOrigin> mostSources(String namespace) {
    Set<ProbeOrigin> most = policyOf(namespace).sources();
    return most == null ? sources : most;
  }

  /** {@return the strongest consequence of a failed probe} */
  public Enforcement mostEnforcement(String namespace) {
    Enforcement most = policyOf(namespace).enforcement();
    return most == null ? mode(namespace) : most;
  }

  /**
   * {@return the sources of a pod's probes}
   *
   * @param own the pod's choice; null if there is none
   */
  public Set<ProbeOrigin> sources(String namespace, @Nullable Set<ProbeOrigin> own) {
    Set<ProbeOrigin> chosen = new HashSet<>(own == null ? sources : own);
    chosen.retainAll(mostSources(namespace));
    return chosen;
  }

  /**
   * {@return the consequence of a failed probe of a pod}
   *
   * @param own the pod's choice; null if there is none
   */
  public Enforcement enforcement(String namespace, @Nullable Enforcement own) {
    Enforcement chosen = own == null ? mode(namespace) : own;
    return chosen.exceeds(mostEnforcement(namespace)) ? Enforcement.OBSERVE : chosen;
  }

  private Enforcement mode(String namespace) {
    return namespaces.getOrDefault(namespace, enforcement);
  }
}
