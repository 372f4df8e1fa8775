package io.probelet.checks.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.error.ErrorCode;
import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OperationRecorderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final OperationRecorder recorder =
      new OperationRecorder(OperationRecorder.DEFAULT_RETRY_DURATION, clock);

  @Test
  @DisplayName("CH-38 an operation begins with Processing and 0, goes on, and succeeds with 100")
  void success() {
    OperationStatus begun = begin(OperationStatus.NONE, 1);
    assertThat(begun.lastOperation())
        .isEqualTo(
            new LastOperation(
                OperationType.CREATE, OperationState.PROCESSING, 0, "Begun.", clock.wallTime()));

    clock.advance(Duration.ofMinutes(1));
    OperationStatus half = recorder.progress(begun, 50, "Half done.");
    assertThat(half.lastOperation().progress()).isEqualTo(50);
    assertThat(half.lastOperation().lastUpdateTime()).isEqualTo(clock.wallTime());

    OperationStatus failed = recorder.fail(half, "Broke.", List.of(error("a")));
    OperationStatus done = recorder.succeed(begin(failed, 1), "Done.");
    assertThat(done.lastOperation().state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(done.lastOperation().progress()).isEqualTo(100);
    assertThat(done.lastErrors()).isEmpty();
    assertThat(done.retryCycle()).isNull();
  }

  @ParameterizedTest
  @DisplayName("CH-38 an error is retried for 12 hours, then it has failed")
  @CsvSource({"0, ERROR", "11, ERROR", "12, FAILED", "13, FAILED"})
  void retryDuration(int hours, OperationState state) {
    OperationStatus begun = begin(OperationStatus.NONE, 1);
    clock.advance(Duration.ofHours(hours));

    OperationStatus failed = recorder.fail(begin(begun, 1), "It broke.", List.of(error("network")));

    assertThat(failed.lastOperation().state()).isEqualTo(state);
    assertThat(failed.lastOperation().description())
        .isEqualTo(
            state == OperationState.ERROR ? "It broke. Operation will be retried." : "It broke.");
    assertThat(failed.lastErrors()).containsExactly(error("network"));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("CH-38 an error that stays is not retried")
  void hopeless(ErrorCode code) {
    LastError error = new LastError("no", null, List.of(code), clock.wallTime());

    OperationStatus failed =
        recorder.fail(begin(OperationStatus.NONE, 1), "It broke.", List.of(error));

    assertThat(failed.lastOperation().state())
        .isEqualTo(code.isRetryable() ? OperationState.ERROR : OperationState.FAILED);
  }

  @Test
  @DisplayName("CH-38 a failed operation is retried on request, for its whole duration again")
  void retriesOnRequest() {
    LastError hopeless =
        new LastError("no", null, List.of(ErrorCode.ERR_CONFIGURATION_PROBLEM), clock.wallTime());
    OperationStatus failed =
        recorder.fail(begin(OperationStatus.NONE, 1), "It broke.", List.of(hopeless));
    assertThat(begin(failed, 1)).isEqualTo(failed);
    clock.advance(Duration.ofHours(13));

    OperationStatus retried = recorder.retry(failed, 1, "Retried.");

    assertThat(retried.lastOperation())
        .isEqualTo(
            new LastOperation(
                OperationType.CREATE, OperationState.PROCESSING, 0, "Retried.", clock.wallTime()));
    assertThat(retried.lastErrors()).containsExactly(hopeless);
    clock.advance(Duration.ofHours(11));
    OperationStatus again =
        recorder.fail(begin(retried, 1), "It broke.", List.of(error("network")));
    assertThat(again.lastOperation().state()).isEqualTo(OperationState.ERROR);
    assertThat(recorder.retry(again, 1, "Retried.")).as("not failed").isEqualTo(again);
    assertThatThrownBy(() -> recorder.retry(OperationStatus.NONE, 1, "Retried."))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("CH-38 a new generation or another operation begins a new cycle of retries")
  void newCycle() {
    OperationStatus first = begin(OperationStatus.NONE, 1);
    clock.advance(Duration.ofHours(12));

    assertThat(recorder.fail(begin(first, 2), "x", List.of()).lastOperation().state())
        .isEqualTo(OperationState.ERROR);
    OperationStatus deleting = recorder.begin(first, OperationType.DELETE, 1, "Going.");
    assertThat(recorder.fail(deleting, "x", List.of()).lastOperation().state())
        .isEqualTo(OperationState.ERROR);
  }

  @Test
  @DisplayName("CH-38 a task that succeeds takes its error away and leaves those of others")
  void taskErrors() {
    OperationStatus failed =
        recorder.fail(begin(OperationStatus.NONE, 1), "x", List.of(error("network"), error("dns")));

    assertThat(recorder.taskSucceeded(failed, "dns").lastErrors())
        .containsExactly(error("network"));
  }

  @Test
  @DisplayName("CH-38 progress does not overwrite what is newer")
  void newer() {
    OperationStatus begun = begin(OperationStatus.NONE, 1);
    clock.stepWallClock(Duration.ofMinutes(-5));

    assertThat(recorder.progress(begun, 10, "late news")).isSameAs(begun);
  }

  @Test
  @DisplayName("CH-38 Pending only before the first operation")
  void pending() {
    OperationStatus pending =
        recorder.pend(OperationStatus.NONE, OperationType.CREATE, "Waits for a node.");

    assertThat(pending.lastOperation().state()).isEqualTo(OperationState.PENDING);
    OperationStatus begun = begin(OperationStatus.NONE, 1);
    assertThat(recorder.pend(begun, OperationType.CREATE, "Waits.")).isSameAs(begun);
  }

  @Test
  @DisplayName("CH-38 an operation can be called off and stays at its progress")
  void aborted() {
    OperationStatus half = recorder.progress(begin(OperationStatus.NONE, 1), 50, "Half.");

    LastOperation last = recorder.abort(half, "Called off.").lastOperation();

    assertThat(last.state()).isEqualTo(OperationState.ABORTED);
    assertThat(last.progress()).isEqualTo(50);
  }

  @Test
  @DisplayName("CH-38 what has failed stays so until something else is wanted, after a restart too")
  void givenUp() throws Exception {
    OperationStatus begun = begin(OperationStatus.NONE, 7);
    clock.advance(Duration.ofHours(12));
    OperationStatus failed = readBack(recorder.fail(begun, "It broke.", List.of(error("net"))));

    assertThat(failed.lastOperation().state()).isEqualTo(OperationState.FAILED);
    assertThat(begin(failed, 7)).isSameAs(failed);
    assertThat(recorder.progress(failed, 50, "Half.")).isSameAs(failed);
    OperationStatus again = recorder.fail(failed, "Again.", List.of());
    assertThat(again.lastOperation().state()).isEqualTo(OperationState.FAILED);
    assertThat(begin(failed, 8).lastOperation().state()).isEqualTo(OperationState.PROCESSING);
    assertThat(recorder.begin(failed, OperationType.DELETE, 7, "Going.").lastOperation().state())
        .isEqualTo(OperationState.PROCESSING);
  }

  @Test
  @DisplayName("CH-38 the retries of before a restart count")
  void survivesRestart() throws Exception {
    LastError error =
        new LastError("no disk", "store", List.of(ErrorCode.ERR_INFRA_DEPENDENCIES), Instant.EPOCH);
    OperationStatus broken =
        recorder.fail(begin(OperationStatus.NONE, 1), "x", List.of(error("network")));
    assertThat(readBack(broken)).isEqualTo(broken);
    clock.advance(Duration.ofHours(12));
    OperationStatus retried = recorder.fail(begin(readBack(broken), 1), "x", List.of(error));
    assertThat(retried.lastOperation().state()).isEqualTo(OperationState.FAILED);
    assertThat(readBack(retried)).isEqualTo(retried);
    assertThat(readBack(OperationStatus.NONE)).isEqualTo(OperationStatus.NONE);
  }

  /** As another program reads what this one has written, beside what others wrote. */
  private static OperationStatus readBack(OperationStatus status) throws Exception {
    ObjectNode json = (ObjectNode) JSON.readTree("{\"lastErrors\": [{}], \"theirs\": 1}");
    OperationJson.write(status, json);
    assertThat(json.path("theirs").asInt()).isEqualTo(1);
    return OperationJson.read(JSON.readTree(json.toString()));
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> recorder.succeed(OperationStatus.NONE, "x"))
        .hasMessage("no operation was started on this object");
    assertThatThrownBy(() -> recorder.progress(begin(OperationStatus.NONE, 1), 101, "x"))
        .hasMessage("progress is 101; it is 0 to 100 percent");
    assertThatThrownBy(() -> new OperationRecorder(Duration.ofSeconds(-1), clock))
        .hasMessage("retryDuration is PT-1S; use 0 or more");
  }

  private OperationStatus begin(OperationStatus status, long generation) {
    return recorder.begin(status, OperationType.CREATE, generation, "Begun.");
  }

  @Test
  void keepsMissingTimesMissing() throws Exception {
    String json =
        """
        {"lastOperation": {"type": "Reconcile", "state": "Error", "progress": 5, "description": ""},
         "lastErrors": [{"description": "a"}, {"description": "b", "lastUpdateTime": "soon"}]}
        """;
    ObjectNode status = (ObjectNode) JSON.readTree(json);
    OperationStatus read = OperationJson.read(status);
    assertThat(read.lastErrors()).extracting(LastError::lastUpdateTime).containsOnlyNulls();
    assertThat(read.lastOperation().lastUpdateTime()).isNull();
    OperationJson.write(read, status);
    assertThat(status.toString()).doesNotContain("1970", "lastUpdateTime");
    status.putObject("retryCycle").put("type", "Reconcile").put("generation", 1);
    assertThat(OperationJson.read(status).retryCycle()).isNull();
  }

  private static LastError error(String task) {
    return new LastError("broke", task, List.of(), Instant.EPOCH);
  }
}
