package io.probelet.checks;

/**
 * How a condition says that something is progressing. Kubernetes' own {@code metav1.Condition} has
 * the statuses {@code True}, {@code False} and {@code Unknown} only, and a CRD may accept no other.
 */
public enum ProgressingStatus {
  /**
   * {@code Progressing}; once the API server refuses it for a kind, {@code Unknown} with the reason
   * {@code HealthCheckProgressing}, which is logged. The default.
   */
  WHERE_ACCEPTED,

  /** Always {@code Progressing}; where it is refused no condition is written, which is logged. */
  ALWAYS,

  /** Never: always {@code Unknown} with the reason {@code HealthCheckProgressing}. */
  NEVER
}
