package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.TemplateLookup.Forbidden;
import io.probelet.nodehealth.remediation.TemplateLookup.Missing;

/** What is known of a kind of templates or remediations. */
public sealed interface KindState permits KindState.Pending, KindState.Known, Forbidden, Missing {
  /** It is being discovered, or its objects are being listed. */
  record Pending() implements KindState {}

  /**
   * All its objects are known.
   *
   * @param namespaced whether they are in namespaces
   */
  record Known(boolean namespaced) implements KindState {}
}
