package io.probelet.cluster.care;

/** The condition types every cluster can have (CH-26). */
public final class CareConditions {
  /** The API server answers in time. */
  public static final String API_SERVER_AVAILABLE = "APIServerAvailable";

  /** The components that run the cluster are healthy. */
  public static final String CONTROL_PLANE_HEALTHY = "ControlPlaneHealthy";

  /** The components that monitor the cluster are healthy. */
  public static final String OBSERVABILITY_COMPONENTS_HEALTHY = "ObservabilityComponentsHealthy";

  /** All nodes are ready and without pressure. */
  public static final String EVERY_NODE_READY = "EveryNodeReady";

  /** The system components that workloads need are healthy. */
  public static final String SYSTEM_COMPONENTS_HEALTHY = "SystemComponentsHealthy";

  private CareConditions() {}
}
