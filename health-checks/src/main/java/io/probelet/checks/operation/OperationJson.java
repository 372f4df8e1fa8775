package io.probelet.checks.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.operation.OperationStatus.RetryCycle;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last operation as it stands in an object's status: {@code lastOperation}, {@code lastErrors}
 * and, while it is retried, {@code retryCycle}. After a restart, read it back to continue.
 */
public final class OperationJson {
  private static final String LAST_OPERATION = "lastOperation";
  private static final String LAST_ERRORS = "lastErrors";
  private static final String RETRY_CYCLE = "retryCycle";

  private OperationJson() {}

  /**
   * {@return the operation, {@link OperationStatus#NONE}'s where there is none}. A state without a
   * type counts as a reconciliation, because scripts write it so. A time that is missing or
   * malformed is unknown, and stays missing when written again. Unknown codes are omitted.
   *
   * @param status an object's status
   */
  public static OperationStatus read(JsonNode status) {
    List<LastError> errors = new ArrayList<>();
    for (JsonNode error : status.path(LAST_ERRORS)) {
      List<String> codes = new ArrayList<>();
      error.path("codes").forEach(code -> codes.add(code.asText()));
      errors.add(
          new LastError(
              error.path("description").asText(),
              error.path("taskID").isTextual() ? error.path("taskID").asText() : null,
              ErrorCode.known(codes),
              time(error.path("lastUpdateTime"))));
    }
    JsonNode last = status.path(LAST_OPERATION);
    LastOperation operation =
        type(last.path("type"))
            .flatMap(type ->
                state(last.path("state"))
                    .map(state ->
                        new LastOperation(
                            type,
                            state,
                            Math.clamp(last.path("progress").asInt(), 0, 100),
                            last.path("description").asText(),
                            time(last.path("lastUpdateTime")))))
            .orElse(null);
    return new OperationStatus(operation, errors, cycle(status.path(RETRY_CYCLE)));
  }

  /**
   * Replaces the operation in the status; other fields stay.
   *
   * @param operation the operation to write
   * @param status an object's status
   */
  public static void write(OperationStatus operation, ObjectNode status) {
    status.remove(List.of(LAST_OPERATION, LAST_ERRORS, RETRY_CYCLE));
    LastOperation last = operation.lastOperation();
    if (last != null) {
      status
          .putObject(LAST_OPERATION)
          .put("type", last.type().toString())
          .put("state", last.state().toString())
          .put("progress", last.progress())
          .put("description", last.description());
      put(last.lastUpdateTime(), status.withObjectProperty(LAST_OPERATION));
    }
    for (LastError error : operation.lastErrors()) {
      ObjectNode entry =
          status.withArray(LAST_ERRORS).addObject().put("description", error.description());
      if (error.taskId() != null) {
        entry.put("taskID", error.taskId());
      }
      put(error.lastUpdateTime(), entry);
      error.codes().forEach(code -> entry.withArray("codes").add(code.name()));
    }
    RetryCycle cycle = operation.retryCycle();
    if (cycle != null) {
      status
          .putObject(RETRY_CYCLE)
          .put("type", cycle.type().toString())
          .put("generation", cycle.generation())
          .put("startTime", cycle.start().toString());
    }
  }

  private static void put(@Nullable Instant lastUpdate, ObjectNode entry) {
    if (lastUpdate != null) {
      entry.put("lastUpdateTime", lastUpdate.toString());
    }
  }

  private static @Nullable RetryCycle cycle(JsonNode cycle) {
    Instant start = time(cycle.path("startTime"));
    return start == null
        ? null
        : type(cycle.path("type"))
            .map(type -> new RetryCycle(type, cycle.path("generation").asLong(), start))
            .orElse(null);
  }

  private static Optional<OperationType> type(JsonNode type) {
    String text = type.asText(OperationType.RECONCILE.toString());
    return Arrays.stream(OperationType.values())
        .filter(known -> known.toString().equals(text))
        .findFirst();
  }

  private static Optional<OperationState> state(JsonNode state) {
    return Arrays.stream(OperationState.values())
        .filter(known -> known.toString().equals(state.asText()))
        .findFirst();
  }

  private static @Nullable Instant time(JsonNode text) {
    try {
      return Instant.parse(text.asText());
    } catch (DateTimeException none) {
      return null;
    }
  }
}
