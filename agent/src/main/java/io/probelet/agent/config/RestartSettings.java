package io.probelet.agent.config;

import io.probelet.manifest.policy.Enforcement;
import java.util.Map;

/**
 * Which containers are stopped when a probe says so, and by what means where there is no runtime.
 *
 * @param enforcement for pods of which nothing else is said
 * @param withoutRuntime what becomes of a pod whose container cannot be stopped by a runtime
 * @param guard holds restarts when too much fails at once
 * @param workloads holds restarts when too many replicas of a workload restart at once
 * @param throttle holds restarts of containers that their own CPU limit throttles
 * @param readiness keeps pods ready when too many replicas of a workload turn unready at once
 */
public record RestartSettings(
    Enforcement enforcement,
    Map<String, Enforcement> namespaces,
    Removal withoutRuntime,
    GuardSettings guard,
    WorkloadGuardSettings workloads,
    ThrottleSettings throttle,
    WorkloadGuardSettings readiness) {
  /** Everything is enforced, pods are evicted, and the guard of the node is on. */
  public static final RestartSettings DEFAULT =
      new RestartSettings(
          Enforcement.ENFORCE,
          Map.of(),
          Removal.EVICT,
          GuardSettings.DEFAULT,
          WorkloadGuardSettings.DEFAULT,
          ThrottleSettings.DEFAULT,
          WorkloadGuardSettings.READINESS);

  /** How a pod is taken away. */
  public enum Removal {
    /** By eviction, which respects disruption budgets. */
    EVICT,
    /** By deletion. */
    DELETE
  }

  /** Keeps an unmodifiable copy of the namespaces. */
  public RestartSettings {
    namespaces = Map.copyOf(namespaces);
  }

  /** The same with other guards. */
  RestartSettings withGuards(RestartSettings other) {
    return new RestartSettings(
        enforcement,
        namespaces,
        withoutRuntime,
        other.guard,
        other.workloads,
        other.throttle,
        other.readiness);
  }
}
