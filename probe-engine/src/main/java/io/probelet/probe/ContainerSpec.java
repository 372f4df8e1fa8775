package io.probelet.probe;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a container's specification that probing needs.
 *
 * @param name unique within the pod
 * @param role how it takes part in its pod
 * @param restartPolicy the container's own policy; null means the pod's
 * @param restartRules the container's own rules, first match wins; only used when it has a policy
 *     of its own
 * @param ports port numbers by name, first of a name wins (P-17)
 * @param env variables with a literal value, for {@code $(VAR)} in exec commands (H-9)
 * @param probes one spec per kind it is probed for
 * @param preStop what it wants done before it is stopped (D-7); null for nothing
 */
public record ContainerSpec(
    String name,
    ContainerRole role,
    @Nullable RestartPolicy restartPolicy,
    List<RestartRule> restartRules,
    Map<String, Integer> ports,
    Map<String, String> env,
    Map<ProbeKind, ProbeSpec> probes,
    @Nullable PreStopHook preStop) {
  /**
   * A regular container or a sidecar without a preStop hook.
   *
   * @param name unique within the pod
   * @param sidecar whether it is an init container with restartPolicy Always
   * @param restartPolicy the container's own policy; null means the pod's
   * @param restartRules the container's own rules
   * @param ports port numbers by name
   * @param env variables with a literal value
   * @param probes one spec per kind it is probed for
   */
  public ContainerSpec(
      String name,
      boolean sidecar,
      @Nullable RestartPolicy restartPolicy,
      List<RestartRule> restartRules,
      Map<String, Integer> ports,
      Map<String, String> env,
      Map<ProbeKind, ProbeSpec> probes) {
    this(
        name,
        sidecar ? ContainerRole.SIDECAR : ContainerRole.REGULAR,
        restartPolicy,
        restartRules,
        ports,
        env,
        probes,
        null);
  }

  /**
   * {@return a regular container with nothing but a name and probes}
   *
   * @param name unique within the pod
   * @param probes one spec per kind it is probed for
   */
  public static ContainerSpec of(String name, Map<ProbeKind, ProbeSpec> probes) {
    return new ContainerSpec(name, false, null, List.of(), Map.of(), Map.of(), probes);
  }

  /** Keeps unmodifiable copies of the collections. */
  public ContainerSpec {
    restartRules = List.copyOf(restartRules);
    ports = Map.copyOf(ports);
    env = Map.copyOf(env);
    probes = Map.copyOf(probes);
  }

  /** {@return whether it is an init container with restartPolicy Always} */
  public boolean sidecar() {
    return role == ContainerRole.SIDECAR;
  }

  /**
   * {@return the container's own policy, or else the pod's}
   *
   * @param podPolicy the pod's
   */
  public RestartPolicy restartPolicy(RestartPolicy podPolicy) {
    return restartPolicy == null ? podPolicy : restartPolicy;
  }

  /**
   * {@return whether the container is started again after it exited (W-3.6)}
   *
   * @param podPolicy the pod's policy, which holds when the container has none
   * @param exitCode the exit code it ended with
   */
  public boolean restartsAfter(int exitCode, RestartPolicy podPolicy) {
    if (sidecar()) {
      return true;
    }
    if (role == ContainerRole.INIT && exitCode == 0) {
      return false; // D-5: an init container that succeeded is complete under every policy
    }
    if (restartPolicy == null) {
      return podPolicy.restarts(exitCode);
    }
    return rule(exitCode).isPresent() || restartPolicy.restarts(exitCode);
  }

  /**
   * {@return whether all containers of the pod are started again after this one exited (D-23)}
   *
   * @param exitCode the exit code it ended with
   */
  public boolean restartsPodAfter(int exitCode) {
    return rule(exitCode).filter(RestartRule::pod).isPresent();
  }

  private Optional<RestartRule> rule(int exitCode) {
    return restartRules.stream().filter(rule -> rule.matches(exitCode)).findFirst();
  }

  /**
   * {@return whether exit code 0 completes the container, while other codes restart it} A container
   * stopped by a probe may exit with 0, too.
   *
   * @param podPolicy the pod's policy, which holds when the container has none
   */
  public boolean succeedsWithZero(RestartPolicy podPolicy) {
    return restartPolicy(podPolicy) == RestartPolicy.ON_FAILURE && !restartsAfter(0, podPolicy);
  }

  /**
   * One of the container's {@code restartPolicyRules}: a match restarts it.
   *
   * @param in whether the exit code must be among the values, or must not be
   * @param exitCodes the values
   * @param pod whether all other containers of the pod restart, too
   */
  public record RestartRule(boolean in, Set<Integer> exitCodes, boolean pod) {
    /**
     * A rule that restarts only its own container.
     *
     * @param in whether the exit code must be among the values, or must not be
     * @param exitCodes the values
     */
    public RestartRule(boolean in, Set<Integer> exitCodes) {
      this(in, exitCodes, false);
    }

    /** Keeps an unmodifiable copy of the values. */
    public RestartRule {
      exitCodes = Set.copyOf(exitCodes);
    }

    boolean matches(int exitCode) {
      return exitCodes.contains(exitCode) == in;
    }
  }
}
