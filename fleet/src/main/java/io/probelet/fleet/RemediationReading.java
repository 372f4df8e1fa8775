package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.wire.RemediationJson;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgressJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a remediation of any kind that is kept. Other remediators may use the fields of ours,
 * such as the phase.
 *
 * @param observed what plans need of it
 * @param phase the word of its remediator; possibly empty
 * @param phaseSince since when; null if it does not say
 * @param message the sentence of its remediator; possibly empty
 * @param evidence what was kept of the node's state; null if nothing was
 */
record RemediationReading(
    ObservedRemediation observed,
    String phase,
    @Nullable Instant phaseSince,
    String message,
    List<FleetCondition> conditions,
    @Nullable KeptEvidence evidence) {
  static RemediationReading of(ObjectNode resource) {
    JsonNode status = resource.path("status");
    return new RemediationReading(
        RemediationJson.read(resource),
        phase(resource.path("kind").asText(), status.path("phase")),
        WireTime.read(status.path("phaseTime")),
        FleetText.of(status.path("message"), FleetText.SENTENCE),
        ConditionReader.ofRemediation(status.path("conditions")),
        RemediationProgressJson.evidence(status.path("evidence")));
  }

  /** A remediation of ours that has not begun has no phase yet. */
  private static String phase(String kind, JsonNode phase) {
    String word = FleetText.of(phase, FleetText.WORD);
    return word.isEmpty() && RemediationKind.ofKind(kind).isPresent()
        ? RemediationPhase.PENDING.label()
        : word;
  }
}
