package io.probelet.nodehealth.policy;

import io.probelet.document.selector.LabelSelector;

/**
 * A RemediationPolicy: what it asks for, and for which nodes.
 *
 * @param uid its unique identifier; empty for one that is in no cluster
 * @param selector the nodes that it limits; everything if the selector could not be read
 */
public record RemediationPolicy(
    String name, String uid, LabelSelector selector, PolicyLimits limits) {
  /** Its group and version. */
  public static final String API_VERSION = "probelet.io/v1alpha1";

  /** Its kind. */
  public static final String KIND = "RemediationPolicy";

  /** Its kind's name in paths. */
  public static final String PLURAL = "remediationpolicies";

  /** Annotation of a node: the kinds of remediation that a human allows once, with commas. */
  public static final String APPROVED = "probelet.io/approved";

  /** Annotation of a remediation: as of which moment the policies' histories count it. */
  public static final String COUNTED = "probelet.io/counted-at";
}
