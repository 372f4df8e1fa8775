package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.kube.ApiResult;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Situations of a drain of node-1, with good defaults. */
final class Situations {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final String UID = "uid-1";
  static final RemediationProgress DRAINING = in(RemediationPhase.DRAINING);
  static final RemediationProgress EVIDENCE = in(RemediationPhase.EVIDENCE);
  static final JsonNode NO_ORDER = MissingNode.getInstance();

  private static final ObjectMapper JSON = new ObjectMapper();

  private Situations() {}

  static RemediationProgress in(RemediationPhase phase) {
    return RemediationProgress.NONE
        .begun(RemediationPhase.EVIDENCE, "node-1", "boot-1", "begun", NOW)
        .in(phase, "at work", NOW);
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (IOException invalid) {
      throw new UncheckedIOException(invalid);
    }
  }

  static ObservedNode node(boolean unschedulable, @Nullable String mark, boolean ready) {
    return new ObservedNode(
        "node-1",
        "node-uid",
        "7",
        "boot-1",
        unschedulable,
        Map.of("Ready", ready ? "True" : "Unknown"),
        List.of(),
        Map.of(),
        mark == null ? Map.of() : Map.of(Action.Cordon.MARK, mark));
  }

  static RemediationRequest<DrainSpec> request(
      RemediationProgress status,
      boolean deleting,
      boolean finalizer,
      Map<String, String> annotations) {
    return new RemediationRequest<>(
        RemediationKind.DRAIN,
        new ObjectRef(RemediationKind.API_VERSION, "DrainRemediation", "ns", "node-1"),
        UID,
        "5",
        NOW,
        "node-1",
        DrainSpec.DEFAULT,
        status,
        deleting,
        finalizer ? List.of(RemediationRequest.FINALIZER) : List.of(),
        annotations);
  }

  static RemediationRequest<DrainSpec> request(RemediationProgress status) {
    return request(status, false, true, Map.of());
  }

  static <S> Situation<S, String> situation(
      RemediationRequest<S> request, ObservedNode node, JsonNode order, Duration later) {
    return new Situation<>(request, node, order, "", List.of(), NOW.plus(later));
  }

  static JsonNode order(String action, String status) {
    return json(
        ("{'metadata': {'uid': 'order-1', 'resourceVersion': '9'}, 'spec': {'action': '%s',"
                + " 'bootID': 'boot-1', 'granted': false, 'remediation': {'uid': 'uid-1'}},"
                + " 'status': %s}")
            .formatted(action, status));
  }

  static PodKey pod(String name) {
    return new PodKey("web", name, name + "-uid");
  }

  static DrainPod drainPod(PodKey key, DrainPod.End end, DrainPod.Loss... losses) {
    return new DrainPod(key, false, end, Set.of(losses), null);
  }

  static Outcome refused(PodKey pod) {
    return new Outcome(
        new Action.Evict(pod, Optional.empty()),
        new ApiResult.Refused(429, "the disruption budget web needs 2 healthy pods", null));
  }
}
