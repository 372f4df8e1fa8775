package io.probelet.controller.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.manifest.annotation.ProbeAnnotation;
import io.probelet.manifest.pod.ReadinessGates;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.StreamSupport;

/**
 * Answers the API server which pod gets the readiness gate (D-21). Every pod is allowed, and the
 * only change there can be is one more readiness gate, ours.
 */
public final class ReadinessGateReviews {
  /** On the API server's image of a static pod, which has to stay as its kubelet made it. */
  private static final String MIRROR_POD = "kubernetes.io/config.mirror";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ReadinessGateReviews() {}

  /**
   * {@return the answer to a review}
   *
   * @param review as {@code admission.k8s.io/v1} has it
   */
  public static ObjectNode answer(JsonNode review) {
    JsonNode request = review.path("request");
    ObjectNode answer = JSON.objectNode();
    answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode response = answer.putObject("response");
    response.put("uid", request.path("uid").asText()).put("allowed", true);
    if (needsGate(request)) {
      String patch = patch(request.path("object")).toString();
      response
          .put("patchType", "JSONPatch")
          .put("patch", Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
      response.putObject("auditAnnotations").put("readiness-gate", "added");
    }
    return answer;
  }

  private static boolean needsGate(JsonNode request) {
    JsonNode kind = request.path("kind");
    JsonNode pod = request.path("object");
    JsonNode annotations = pod.path("metadata").path("annotations");
    JsonNode gates = pod.path("spec").path("readinessGates");
    return request.path("operation").asText().equals("CREATE")
        && request.path("subResource").asText("").isEmpty()
        && kind.path("group").asText().isEmpty()
        && kind.path("kind").asText().equals("Pod")
        && pod.path("spec").isObject()
        && (isAbsent(gates) || gates.isArray())
        && !annotations.has(MIRROR_POD)
        && StreamSupport.stream(gates.spliterator(), false).noneMatch(ReadinessGateReviews::isOurs)
        && ProbeAnnotation.hasReadiness(annotations.path(ProbeAnnotation.KEY).asText());
  }

  private static boolean isAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  private static boolean isOurs(JsonNode gate) {
    return gate.path("conditionType").asText().equals(ReadinessGates.OURS);
  }

  private static ArrayNode patch(JsonNode pod) {
    ObjectNode gate = JSON.objectNode().put("conditionType", ReadinessGates.OURS);
    boolean first = isAbsent(pod.path("spec").path("readinessGates"));
    ArrayNode patch = JSON.arrayNode();
    ObjectNode add = patch.addObject().put("op", "add");
    if (first) {
      add.put("path", "/spec/readinessGates").putArray("value").add(gate);
    } else {
      add.put("path", "/spec/readinessGates/-").set("value", gate);
    }
    return patch;
  }
}
