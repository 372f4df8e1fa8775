package io.probelet.cluster.care;

/** The condition types every cluster can have (CH-26). */
public final class CareConditions {
  /** The API server answers in time. */
  public static final String API_SERVER_AVAILABLE = "APIServerAvailable";

  /** What runs the cluster is well. */
  public static final String CONTROL_PLANE_HEALTHY = "ControlPlaneHealthy";

  /** What watches the cluster is well. */
  public static final String OBSERVABILITY_COMPONENTS_HEALTHY = "ObservabilityComponentsHealthy";

  /** All nodes are ready and without pressure. */
  public static final String EVERY_NODE_READY = "EveryNodeReady";

  /** What workloads need of the cluster is well. */
  public static final String SYSTEM_COMPONENTS_HEALTHY = "SystemComponentsHealthy";

  private CareConditions() {}
}
