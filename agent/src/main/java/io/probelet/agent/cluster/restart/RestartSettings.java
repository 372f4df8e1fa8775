package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.Enforcement;
import java.util.Map;

/**
 * Which containers are stopped when a probe says so, and by what means where there is no runtime.
 *
 * @param enforcement for pods of which nothing else is said
 * @param namespaces for the pods of some namespaces
 * @param withoutRuntime what becomes of a pod whose container cannot be stopped by a runtime
 * @param guard holds restarts when too much fails at once
 */
public record RestartSettings(
    Enforcement enforcement,
    Map<String, Enforcement> namespaces,
    Removal withoutRuntime,
    GuardSettings guard) {
  /** Everything is enforced, pods are evicted, and the guard is on. */
  public static final RestartSettings DEFAULT =
      new RestartSettings(Enforcement.ENFORCE, Map.of(), Removal.EVICT, GuardSettings.DEFAULT);

  /** How a pod is taken away. */
  public enum Removal {
    /** By eviction, which respects disruption budgets. */
    EVICT,
    /** By deletion. */
    DELETE
  }

  /** Copies the namespaces. */
  public RestartSettings {
    namespaces = Map.copyOf(namespaces);
  }

  /**
   * Chooses another guard.
   *
   * @param other instead of the present one
   * @return the same but for that
   */
  public RestartSettings with(GuardSettings other) {
    return new RestartSettings(enforcement, namespaces, withoutRuntime, other);
  }

  /** The pod's own word counts most, then its namespace's. */
  Enforcement of(ClusterPod pod) {
    Enforcement own = pod.enforcement();
    return own != null ? own : namespaces.getOrDefault(pod.ref().namespace(), enforcement);
  }
}
