package io.probelet.nodehealth.resource;

/** Labels, annotations and words of medik8s' interface to remediators and other clients. */
public final class WireNames {
  /** Annotation of a remediation: the node it is for. */
  public static final String NODE_NAME = "remediation.medik8s.io/node-name";

  /** Annotation of a remediation: its template. */
  public static final String TEMPLATE_NAME = "remediation.medik8s.io/template-name";

  /** Annotation of a template: several of its kind may be used for one node. */
  public static final String MULTIPLE_TEMPLATES =
      "remediation.medik8s.io/multiple-templates-support";

  /** Annotation of a remediation: when it was given up. */
  public static final String TIMED_OUT = "remediation.medik8s.io/nhc-timed-out";

  /** Annotation of a remediation: when its node first appeared healthy again. */
  public static final String HEALTHY_DELAY = "remediation.medik8s.io/healthy-delay";

  /** Annotation of a remediation that is older than two days. */
  public static final String OLD_REMEDIATION = "nodehealthcheck.medik8s.io/old-remediation-cr-flag";

  /** Annotation of a node: a person confirms that it is healthy. */
  public static final String CONFIRMED_HEALTHY =
      "remediation.medik8s.io/manually-confirmed-healthy";

  /** Label of a node that must not be remediated. */
  public static final String EXCLUDE = "remediation.medik8s.io/exclude-from-remediation";

  /** Label of a remediation whose node belongs to the control plane. */
  public static final String CONTROL_PLANE_REMEDIATION =
      "remediation.medik8s.io/isControlPlaneNode";

  /** Label of a control-plane node. */
  public static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

  /** Label of a control-plane node in older clusters. */
  public static final String MASTER = "node-role.kubernetes.io/master";

  /** Label of every remediation. */
  public static final String PART_OF = "app.kubernetes.io/part-of";

  /** The value of {@link #PART_OF}. */
  public static final String PART_OF_VALUE = "node-healthcheck-controller";

  /**
   * Annotation of a NodeHealthCheck: the age from which a node that was never Ready is unhealthy.
   */
  public static final String NEVER_READY_AFTER = "probelet.io/never-ready-after";

  /** Annotation of a NodeHealthCheck: how long no node may change before a remediation starts. */
  public static final String SETTLE = "probelet.io/settle";

  /** Annotation of a NodeHealthCheck: an expression that is true for an unhealthy node (RB-7). */
  public static final String UNHEALTHY_WHEN = "probelet.io/unhealthy-when";

  private WireNames() {}
}
