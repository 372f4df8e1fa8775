package io.probelet.checks;

/**
 * Which status a condition has while something is progressing. Kubernetes' {@code metav1.Condition}
 * allows only {@code True}, {@code False} and {@code Unknown}, and a CRD may reject other values.
 */
public enum ProgressingStatus {
  /**
   * {@code Progressing}; after the API server has rejected it for a kind, {@code Unknown} with the
   * reason {@code HealthCheckProgressing}. The rejection is logged. This is the default.
   */
  WHERE_ACCEPTED,

  /**
   * Always {@code Progressing}. If the API server rejects it, no condition is written and the error
   * is logged.
   */
  ALWAYS,

  /** Never: always {@code Unknown} with the reason {@code HealthCheckProgressing}. */
  NEVER
}
