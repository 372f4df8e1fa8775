package io.probelet.checks.object;

import static io.probelet.checks.object.Findings.unhealthyIf;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.result.CheckResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks for any resource, typed or generic, by how resources commonly speak (CH-22). */
public final class AnyResource {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonPointer CONDITIONS = JsonPointer.compile("/status/conditions");

  private AnyResource() {}

  /**
   * {@return a check that wants the object's {@code status.conditions} to say all this}
   *
   * @param expectations what is wanted; the first one not met is reported
   */
  public static ObjectCheck<HasMetadata> conditions(ConditionExpectation... expectations) {
    List<ConditionExpectation> wanted = List.of(expectations);
    return object ->
        unhealthyIf(ConditionExpectation.firstViolation(wanted, observedConditions(tree(object))));
  }

  /**
   * {@return a check that wants a field to have this value}
   *
   * @param pointer where the field is, by RFC 6901, for example {@code /status/phase}
   * @param expected the wanted value as text, for example {@code Ready}, {@code 3}, {@code true}
   * @throws IllegalArgumentException if the pointer is not one
   */
  public static ObjectCheck<HasMetadata> field(String pointer, String expected) {
    JsonPointer where = JsonPointer.compile(pointer);
    return object -> {
      JsonNode found = tree(object).at(where);
      if (found.isMissingNode() || found.isNull()) {
        return CheckResult.unhealthy(
            "%s is missing (expected \"%s\")".formatted(pointer, expected));
      }
      String text = found.isValueNode() ? found.asText() : found.toString();
      return text.equals(expected)
          ? CheckResult.healthy()
          : CheckResult.unhealthy(
              "%s is \"%s\" (expected \"%s\")".formatted(pointer, text, expected));
    };
  }

  /**
   * Wants a Gardener ManagedResource to be observed, applied and healthy (CH-21).
   *
   * @param managedResource the ManagedResource
   * @return what is to be said of its health
   */
  public static CheckResult managedResource(HasMetadata managedResource) {
    JsonNode tree = tree(managedResource);
    long observed = tree.at("/status/observedGeneration").asLong();
    long generation = tree.at("/metadata/generation").asLong();
    // CH-21: unlike elsewhere, one ahead is as outdated as one behind.
    if (observed != generation) {
      return CheckResult.unhealthy(Findings.outdatedText(observed, generation));
    }
    return unhealthyIf(
        ConditionExpectation.firstViolation(
            List.of(
                ConditionExpectation.required("ResourcesApplied", "True"),
                ConditionExpectation.required("ResourcesHealthy", "True")),
            observedConditions(tree)));
  }

  /** {@return the object as that class, itself if it is one already} */
  static <T> T as(Class<T> type, HasMetadata object) {
    return type.isInstance(object) ? type.cast(object) : JSON.convertValue(object, type);
  }

  static JsonNode tree(HasMetadata object) {
    return JSON.valueToTree(object);
  }

  static List<ObservedCondition> observedConditions(JsonNode object) {
    return conditionsIn(object.at(CONDITIONS));
  }

  static List<ObservedCondition> conditionsIn(JsonNode list) {
    List<ObservedCondition> conditions = new ArrayList<>();
    for (JsonNode condition : list) {
      conditions.add(
          new ObservedCondition(
              text(condition, "type"),
              text(condition, "status"),
              text(condition, "reason"),
              text(condition, "message")));
    }
    return conditions;
  }

  private static @Nullable String text(JsonNode condition, String field) {
    return condition.hasNonNull(field) ? condition.get(field).asText() : null;
  }
}
