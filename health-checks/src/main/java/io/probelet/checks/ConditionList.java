package io.probelet.checks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.condition.ConditionJson;
import io.probelet.health.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An object's conditions as JSON, so that entries and fields of other writers survive (CH-2). */
record ConditionList(List<JsonNode> list) {

  static ConditionList of(JsonNode conditions) {
    List<JsonNode> list = new ArrayList<>();
    conditions.forEach(list::add);
    return new ConditionList(List.copyOf(list));
  }

  Optional<JsonNode> find(String type) {
    return list.stream()
        .filter(condition -> ConditionJson.type(condition).equals(type))
        .findFirst();
  }

  Condition getOrInitial(String type, Instant now) {
    return find(type).flatMap(ConditionJson::read).orElseGet(() -> Condition.initial(type, now));
  }

  ConditionList without(Set<String> types) {
    return new ConditionList(
        list.stream().filter(condition -> !types.contains(ConditionJson.type(condition))).toList());
  }

  /** Replaces the condition in place, or appends it; fields that others added to it stay. */
  ConditionList with(Condition said) {
    List<JsonNode> merged = new ArrayList<>();
    boolean placed = false;
    for (JsonNode condition : list) {
      if (!ConditionJson.type(condition).equals(said.type())) {
        merged.add(condition);
      } else if (!placed) {
        merged.add(merged(condition, said));
        placed = true;
      }
    }
    if (!placed) {
      merged.add(ConditionJson.write(said));
    }
    return new ConditionList(List.copyOf(merged));
  }

  private static JsonNode merged(JsonNode before, Condition said) {
    ObjectNode after = before.deepCopy();
    after.remove("codes");
    return after.setAll((ObjectNode) ConditionJson.write(said));
  }
}
