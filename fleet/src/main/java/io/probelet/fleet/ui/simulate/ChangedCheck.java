package io.probelet.fleet.ui.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.web.http.Resource.BadRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A NodeHealthCheck with the form's changes. Whether it is valid then, its reader says. */
final class ChangedCheck {
  private ChangedCheck() {}

  /**
   * Changes a copy.
   *
   * @throws BadRequest if the order of the steps is none
   */
  static JsonNode of(JsonNode check, Question question) throws BadRequest {
    JsonNode copy = check.deepCopy();
    if (!(copy.path("spec") instanceof ObjectNode spec)) {
      return copy;
    }
    if (!question.minHealthy().isEmpty()) {
      spec.remove("maxUnhealthy");
      minHealthy(spec, question.minHealthy());
    }
    if (!question.duration().isEmpty()) {
      for (JsonNode condition : spec.path("unhealthyConditions")) {
        if (condition instanceof ObjectNode object) {
          object.put("duration", question.duration());
        }
      }
    }
    if (!question.order().isEmpty()) {
      order(spec, question.order());
    }
    return copy;
  }

  private static void minHealthy(ObjectNode spec, String text) {
    if (text.matches("[0-9]{1,6}")) {
      spec.put("minHealthy", Integer.parseInt(text));
    } else {
      spec.put("minHealthy", text);
    }
  }

  private static void order(ObjectNode spec, String text) throws BadRequest {
    List<JsonNode> steps = new ArrayList<>();
    spec.path("escalatingRemediations").forEach(steps::add);
    steps.sort(Comparator.comparingInt(step -> step.path("order").asInt()));
    List<Integer> order = new ArrayList<>();
    for (String number : text.split("[ ,]+", -1)) {
      order.add(number.matches("[0-9]{1,3}") ? Integer.parseInt(number) : 0);
    }
    Set<Integer> all = new HashSet<>(order);
    boolean each = order.size() == steps.size() && all.size() == order.size();
    if (!each || order.stream().anyMatch(number -> number < 1 || number > steps.size())) {
      throw new BadRequest(
          steps.isEmpty()
              ? "the NodeHealthCheck has only one remediation, so its steps have no order"
              : "the order of steps must have each number from 1 to %d once, as in 2, 1"
                  .formatted(steps.size()));
    }
    ArrayNode ordered = spec.putArray("escalatingRemediations");
    for (int number : order) {
      JsonNode step = steps.get(number - 1).deepCopy();
      if (step instanceof ObjectNode object) {
        object.put("order", ordered.size() + 1);
      }
      ordered.add(step);
    }
  }
}
