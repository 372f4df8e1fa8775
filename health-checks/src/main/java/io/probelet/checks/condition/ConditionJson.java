package io.probelet.checks.condition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Conditions as they stand in a status, where others write theirs beside ours. */
public final class ConditionJson {

  private ConditionJson() {}

  /**
   * {@return the type of a condition, empty if it has none}
   *
   * @param condition one entry of {@code status.conditions}
   */
  public static String type(JsonNode condition) {
    return condition.path("type").asText();
  }

  /**
   * {@return the condition, empty if it has no type or none of our statuses}. Others write
   * Kubernetes' standard form, which has no {@code lastUpdateTime}: then it is the transition's; a
   * time that is missing or none is the beginning of time.
   *
   * @param json one entry of {@code status.conditions}
   */
  public static Optional<Condition> read(JsonNode json) {
    List<String> codes = new ArrayList<>();
    json.path("codes").forEach(code -> codes.add(code.asText()));
    Instant transition = time(json.path("lastTransitionTime"), Instant.EPOCH);
    try {
      return Optional.of(
          new Condition(
              type(json),
              ConditionStatus.parse(json.path("status").asText()),
              transition,
              time(json.path("lastUpdateTime"), transition),
              json.path("reason").asText(),
              json.path("message").asText(),
              codes));
    } catch (IllegalArgumentException foreign) {
      return Optional.empty();
    }
  }

  private static Instant time(JsonNode text, Instant otherwise) {
    try {
      return Instant.parse(text.asText());
    } catch (DateTimeException none) {
      return otherwise;
    }
  }

  /**
   * {@return the entry of {@code status.conditions} that says this}
   *
   * @param condition what is to be said
   */
  public static JsonNode write(Condition condition) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", condition.type());
    json.put("status", condition.status().toString());
    json.put("lastTransitionTime", condition.lastTransitionTime().toString());
    json.put("lastUpdateTime", condition.lastUpdateTime().toString());
    json.put("reason", condition.reason());
    json.put("message", condition.message());
    if (!condition.codes().isEmpty()) {
      condition.codes().forEach(json.putArray("codes")::add);
    }
    return json;
  }
}
