package io.probelet.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.wire.PolicyJson;
import java.util.List;

/** The part of a RemediationPolicy that is kept. */
record PolicyReading(RemediationPolicy policy, List<PastRemediation> recent, int held) {
  static PolicyReading of(ObjectNode resource) {
    return new PolicyReading(
        RemediationPolicyReader.read(resource),
        PolicyJson.recent(resource),
        Math.max(0, resource.at("/status/held").asInt()));
  }
}
