package io.probelet.nodehealth.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Problem;
import io.probelet.nodehealth.resource.NodeHealthCheckAdmission;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.TemplateKinds;
import java.util.List;

/** Answers admission reviews: whether a NodeHealthCheck may be created, changed or deleted. */
public final class AdmissionReviews {
  private static final int FORBIDDEN = 403;

  private final TemplateKinds kinds;
  private final RunningRemediations running;

  /** Creates it. */
  public AdmissionReviews(TemplateKinds kinds, RunningRemediations running) {
    this.kinds = kinds;
    this.running = running;
  }

  /**
   * Answers a review.
   *
   * @param review in the format of {@code admission.k8s.io/v1}
   */
  public ObjectNode answer(JsonNode review) {
    JsonNode request = review.path("request");
    List<Problem> denials = denials(request);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode response = answer.putObject("response");
    response.put("uid", request.path("uid").asText()).put("allowed", denials.isEmpty());
    if (!denials.isEmpty()) {
      response
          .putObject("status")
          .put("code", FORBIDDEN)
          .put("reason", "Forbidden")
          .put("message", Problem.texts(denials));
    }
    List<String> remarks = remarks(request);
    if (!remarks.isEmpty()) {
      ArrayNode warnings = response.putArray("warnings");
      remarks.forEach(warnings::add);
    }
    return answer;
  }

  private List<Problem> denials(JsonNode request) {
    JsonNode object = request.path("object");
    JsonNode old = request.path("oldObject");
    return switch (request.path("operation").asText()) {
      case "CREATE" -> NodeHealthCheckAdmission.create(object, kinds);
      case "UPDATE" ->
          object.path("metadata").hasNonNull("deletionTimestamp")
              ? List.of() // only its finalizers can still change
              : NodeHealthCheckAdmission.update(old, object, kinds, running);
      case "DELETE" -> NodeHealthCheckAdmission.delete(old, running);
      default -> List.of();
    };
  }

  private List<String> remarks(JsonNode request) {
    JsonNode object = request.path("object");
    return object.isObject()
        ? NodeHealthCheckReader.ofExisting(kinds).read(object).remarks().stream()
            .map(Problem::text)
            .toList()
        : List.of();
  }
}
