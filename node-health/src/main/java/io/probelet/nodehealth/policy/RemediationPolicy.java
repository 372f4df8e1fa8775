package io.probelet.nodehealth.policy;

import io.probelet.document.selector.LabelSelector;

/**
 * A RemediationPolicy with its limits and its nodes.
 *
 * @param uid its unique identifier; empty outside of a cluster
 * @param selector the nodes that it limits; all nodes if the selector could not be read
 */
public record RemediationPolicy(
    String name, String uid, LabelSelector selector, PolicyLimits limits) {
  /** Its group and version. */
  public static final String API_VERSION = "probelet.io/v1alpha1";

  /** Its kind. */
  public static final String KIND = "RemediationPolicy";

  /** The plural name of its kind in paths. */
  public static final String PLURAL = "remediationpolicies";

  /**
   * Annotation of a node: the kinds of remediation that a human approved once, separated by commas.
   */
  public static final String APPROVED = "probelet.io/approved";

  /** Annotation of a remediation: its time in the policies' histories. */
  public static final String COUNTED = "probelet.io/counted-at";
}
