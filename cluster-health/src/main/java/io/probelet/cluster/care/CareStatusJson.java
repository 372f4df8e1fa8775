package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.condition.ConditionJson;
import io.probelet.checks.operation.OperationJson;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.cluster.constraint.Constraint;
import io.probelet.health.Condition;
import io.probelet.health.Conditions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The JSON form of the status of a {@code ClusterHealth}. */
final class CareStatusJson {
  private static final String GENERATION = "observedGeneration";
  private static final String CHECKED = "checkedConditions";
  private static final String HEALTH = "health";
  private static final String CONDITIONS = "conditions";
  private static final String CONSTRAINTS = "constraints";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private CareStatusJson() {}

  /** {@return the status of the resource; {@link CareStatus#NONE} if it has none} */
  static CareStatus read(JsonNode status) {
    List<String> checked = new ArrayList<>();
    status.path(CHECKED).forEach(type -> checked.add(type.asText()));
    return new CareStatus(
        status.path(GENERATION).asLong(-1),
        checked,
        status.path(HEALTH).asText(),
        conditions(status.path(CONDITIONS)),
        conditions(status.path(CONSTRAINTS)),
        OperationJson.read(status));
  }

  private static Conditions conditions(JsonNode list) {
    List<Condition> conditions = new ArrayList<>();
    list.forEach(each -> ConditionJson.read(each).ifPresent(conditions::add));
    return new Conditions(conditions);
  }

  /**
   * {@return our part of the status for server-side apply; fields that are omitted are removed,
   * unless another manager owns them}
   */
  static ObjectNode applied(CareStatus status, JsonNode before) {
    ObjectNode ours = JSON.objectNode();
    ours.put(GENERATION, status.generation());
    ours.put(HEALTH, status.health());
    status.checked().forEach(ours.putArray(CHECKED)::add);
    ours.set(CONDITIONS, only(status.conditions(), status.checked()));
    ours.set(CONSTRAINTS, only(status.constraints(), Constraint.TYPES));
    OperationStatus operation = status.operation();
    if (status.isOperationOurs()) {
      OperationJson.write(
          new OperationStatus(operation.lastOperation(), operation.lastErrors(), null), ours);
    } else if (before.at("/lastOperation/type").isTextual()) {
      // If another controller took over our operation, applying ours would overwrite it.
      ours.putObject("lastOperation").set("type", before.at("/lastOperation/type"));
    }
    return ours;
  }

  private static ArrayNode only(Conditions conditions, Collection<String> types) {
    ArrayNode list = JSON.arrayNode();
    conditions.list().stream()
        .filter(condition -> types.contains(condition.type()))
        .map(ConditionJson::write)
        .forEach(list::add);
    return list;
  }
}
