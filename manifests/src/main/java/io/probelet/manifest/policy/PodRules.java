package io.probelet.manifest.policy;

import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What holds for pods, before they say anything of themselves and beyond what they may say.
 *
 * @param enforcement what follows from a failed probe
 * @param policy the most that pods may ask for; null where no administrator stands between the user
 *     and the machine
 * @param longestThrottleHold the longest throttleHold that has an effect; zero if restarts never
 *     wait for a throttled container
 */
public record PodRules(
    Set<ProbeOrigin> sources,
    Enforcement enforcement,
    Map<String, Enforcement> namespaces,
    @Nullable PolicySettings policy,
    Duration longestThrottleHold) {
  /** For who runs containers and probes by hand, and for whom pods choose nothing. */
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

  /** {@return whether pods choose sources and enforcement for themselves, within the policy} */
  public boolean inCluster() {
    return policy != null;
  }

  /** {@return the most that the annotations of a pod may ask for} */
  public NamespacePolicy policyOf(String namespace) {
    return policy == null ? NamespacePolicy.LOCAL : policy.of(namespace);
  }

  /** {@return from where probes of a namespace come at most} */
  public Set<ProbeOrigin> mostSources(String namespace) {
    Set<ProbeOrigin> most = policyOf(namespace).sources();
    return most == null ? sources : most;
  }

  /** {@return what follows at most from a failed probe} */
  public Enforcement mostEnforcement(String namespace) {
    Enforcement most = policyOf(namespace).enforcement();
    return most == null ? mode(namespace) : most;
  }

  /**
   * {@return from where the probes of a pod come}
   *
   * @param own what the pod says of itself; null when it says nothing
   */
  public Set<ProbeOrigin> sources(String namespace, @Nullable Set<ProbeOrigin> own) {
    Set<ProbeOrigin> chosen = new HashSet<>(own == null ? sources : own);
    chosen.retainAll(mostSources(namespace));
    return chosen;
  }

  /**
   * {@return what follows from a failed probe of a pod}
   *
   * @param own what the pod says of itself; null when it says nothing
   */
  public Enforcement enforcement(String namespace, @Nullable Enforcement own) {
    Enforcement chosen = own == null ? mode(namespace) : own;
    return chosen.exceeds(mostEnforcement(namespace)) ? Enforcement.OBSERVE : chosen;
  }

  private Enforcement mode(String namespace) {
    return namespaces.getOrDefault(namespace, enforcement);
  }
}
