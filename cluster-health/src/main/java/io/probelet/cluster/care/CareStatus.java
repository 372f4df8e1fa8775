package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.condition.ConditionJson;
import io.probelet.checks.condition.HealthStatus;
import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.operation.LastError;
import io.probelet.checks.operation.LastOperation;
import io.probelet.checks.operation.OperationJson;
import io.probelet.checks.operation.OperationState;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.checks.operation.OperationType;
import io.probelet.checks.result.Verdict;
import io.probelet.cluster.constraint.Constraint;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.Conditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of a {@code ClusterHealth}: pure, made of the status before and of what a round found.
 *
 * @param json as it stands on the resource; what others put there stays
 * @param conditions our conditions and those of others
 * @param constraints what holds back maintenance
 * @param operation what was done last
 */
record CareStatus(
    ObjectNode json, Conditions conditions, Conditions constraints, OperationStatus operation) {

  /** Which of the conditions are ours, so that they can go when nobody asks for them any more. */
  private static final String CHECKED = "checkedConditions";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What a round found. */
  record Round(long generation, Map<String, Finding> findings, List<Constraint> constraints) {}

  static CareStatus read(JsonNode status) {
    ObjectNode json = status.isObject() ? (ObjectNode) status.deepCopy() : JSON.objectNode();
    return new CareStatus(
        json,
        conditions(json.path("conditions")),
        conditions(json.path("constraints")),
        OperationJson.read(json));
  }

  /** {@return the status after a round; equal to this one if it found nothing new} */
  CareStatus after(Round round, ThresholdPolicy thresholds, Instant now) {
    OperationStatus done = operationAfter(round.generation(), now);
    List<Condition> said = new ArrayList<>();
    round
        .findings()
        .forEach((type, finding) ->
            said.add(judge(conditions.getOrInitial(type, now), finding, thresholds, done, now)));
    Set<String> noMoreAskedFor = new HashSet<>();
    json.path(CHECKED).forEach(type -> noMoreAskedFor.add(type.asText()));
    noMoreAskedFor.removeAll(round.findings().keySet());
    Conditions newConditions = conditions.without(noMoreAskedFor).merge(said);

    List<Condition> held = new ArrayList<>();
    Set<String> hidden = new HashSet<>();
    for (Constraint constraint : round.constraints()) {
      if (constraint.isShown()) {
        held.add(constraint.applyTo(constraints.getOrInitial(constraint.type(), now), done, now));
      } else {
        hidden.add(constraint.type());
      }
    }
    Conditions newConstraints = constraints.without(hidden).merge(held);

    ObjectNode written = json.deepCopy();
    written.set("observedGeneration", number(round.generation()));
    round.findings().keySet().forEach(written.putArray(CHECKED)::add);
    written.set("conditions", merged(json.path("conditions"), newConditions));
    written.set("constraints", merged(json.path("constraints"), newConstraints));
    write(written, done);
    written.put("health", HealthStatus.of(newConditions.list(), done).toString());
    return new CareStatus(written, newConditions, newConstraints, done);
  }

  /**
   * {@return the status as it would be with this of the API server; it is for those who look at us,
   * as the API server cannot take it (CH-47)}
   */
  CareStatus withApiServer(Finding finding, ThresholdPolicy thresholds, Instant now) {
    Condition said =
        judge(
            conditions.getOrInitial(CareConditions.API_SERVER_AVAILABLE, now),
            finding,
            thresholds,
            operation,
            now);
    return new CareStatus(json, conditions.merge(List.of(said)), constraints, operation);
  }

  /** {@return the status of a resource that asks for what cannot be done; conditions stay} */
  CareStatus refused(long generation, String error, Instant now) {
    LastOperation last = operation.lastOperation();
    if (last != null
        && last.state() == OperationState.ERROR
        && json.path("observedGeneration").asLong(-1) == generation) {
      return this;
    }
    OperationStatus failed =
        new OperationStatus(
            new LastOperation(
                OperationType.RECONCILE,
                OperationState.ERROR,
                0,
                "What the resource asks for cannot be done.",
                now),
            List.of(new LastError(error, null, List.of(ErrorCode.ERR_CONFIGURATION_PROBLEM), now)),
            null);
    ObjectNode written = json.deepCopy();
    written.set("observedGeneration", number(generation));
    write(written, failed);
    written.put("health", HealthStatus.of(conditions.list(), failed).toString());
    return new CareStatus(written, conditions, constraints, failed);
  }

  /**
   * {@return the part that is ours to apply: what is left out goes, unless it is somebody else's}
   */
  ObjectNode ours() {
    ObjectNode ours = json.deepCopy();
    ours.retain("observedGeneration", "health", CHECKED);
    Set<String> types = new HashSet<>();
    json.path(CHECKED).forEach(type -> types.add(type.asText()));
    ours.set("conditions", only(conditions, types));
    ours.set("constraints", only(constraints, Constraint.TYPES));
    if (isOurs(operation.lastOperation())) {
      ours.set("lastOperation", json.get("lastOperation"));
      if (json.has("lastErrors")) {
        ours.set("lastErrors", json.get("lastErrors"));
      }
    } else if (json.at("/lastOperation/type").isTextual()) {
      // Where somebody has taken our operation over, what it is would go with our part of it.
      ours.putObject("lastOperation").set("type", json.at("/lastOperation/type"));
    }
    return ours;
  }

  private static ArrayNode only(Conditions conditions, Set<String> types) {
    ArrayNode list = JSON.arrayNode();
    conditions.list().stream()
        .filter(condition -> types.contains(condition.type()))
        .map(ConditionJson::write)
        .forEach(list::add);
    return list;
  }

  /** {@return in one word how the cluster is (CH-39)} */
  HealthStatus health() {
    return HealthStatus.of(conditions.list(), operation);
  }

  private static Condition judge(
      Condition old,
      Finding finding,
      ThresholdPolicy thresholds,
      OperationStatus operation,
      Instant now) {
    return switch (finding) {
      case Finding.Well(String reason, String message) ->
          thresholds.succeeded(old, reason, message, now);
      case Finding.Bad(String reason, String message, List<String> codes) ->
          thresholds.failed(old, reason, message, codes, operation, now);
      case Finding.Unchecked(String reason, String error) ->
          old.update(ConditionStatus.UNKNOWN, reason, error, List.of(), now);
      case Finding.Underway underway -> progressing(old, underway, operation, now);
    };
  }

  private static Condition progressing(
      Condition old, Finding.Underway underway, OperationStatus operation, Instant now) {
    if (underway.limit() == null) {
      return old.update(
          ConditionStatus.PROGRESSING,
          underway.reason(),
          underway.message(),
          underway.codes(),
          now);
    }
    Condition judged =
        new Verdict(
                ConditionStatus.PROGRESSING,
                underway.reason(),
                underway.message(),
                underway.codes().stream().map(ErrorCode::valueOf).toList(),
                underway.limit())
            .applyTo(old, now);
    // CH-29: a rollout past its limit is pardoned as any failure, from what the condition was.
    return old.update(
        ThresholdPolicy.pardoned(judged.status(), operation),
        judged.reason(),
        judged.message(),
        judged.codes(),
        now);
  }

  /**
   * A new wish that could be carried out is an operation that succeeded. One that somebody else, an
   * upgrade say, keeps here is his: it gives conditions the time CH-28 and CH-29 tell.
   */
  private OperationStatus operationAfter(long generation, Instant now) {
    LastOperation last = operation.lastOperation();
    boolean seen = json.path("observedGeneration").asLong(-1) == generation;
    if (last != null && (seen || !isOurs(last))) {
      return operation;
    }
    return new OperationStatus(
        new LastOperation(
            OperationType.RECONCILE,
            OperationState.SUCCEEDED,
            100,
            "What the resource asks for is looked after.",
            now),
        List.of(),
        null);
  }

  private static boolean isOurs(@Nullable LastOperation operation) {
    return operation != null
        && operation.type() == OperationType.RECONCILE
        && operation.state() != OperationState.PROCESSING;
  }

  private static Conditions conditions(JsonNode list) {
    List<Condition> conditions = new ArrayList<>();
    list.forEach(each -> ConditionJson.read(each).ifPresent(conditions::add));
    return new Conditions(conditions);
  }

  /** Entries that say what they said stay as they are written, foreign fields included. */
  private static ArrayNode merged(JsonNode before, Conditions after) {
    ArrayNode merged = JSON.arrayNode();
    Set<String> placed = new HashSet<>();
    for (JsonNode entry : before) {
      String type = ConditionJson.type(entry);
      if (ConditionJson.read(entry).isEmpty()) {
        merged.add(entry); // not one of ours, and not to be lost
      } else {
        after
            .get(type)
            .filter(any -> placed.add(type))
            .ifPresent(condition ->
                merged.add(
                    ConditionJson.read(entry).filter(condition::equals).isPresent()
                        ? entry
                        : ConditionJson.write(condition)));
      }
    }
    after.list().stream()
        .filter(condition -> placed.add(condition.type()))
        .map(ConditionJson::write)
        .forEach(merged::add);
    return merged;
  }

  /** As it comes back when it is read: what is equal in JSON has to be so here. */
  private static JsonNode number(long value) {
    return value == (int) value ? JSON.numberNode((int) value) : JSON.numberNode(value);
  }

  private void write(ObjectNode status, OperationStatus done) {
    LastOperation last = done.lastOperation();
    if (done.equals(operation) || last == null) {
      return; // as somebody else wrote it
    }
    OperationJson.write(done, status);
  }
}
