package io.probelet.remediator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.remediator.decide.HookAnswer.Answered;
import io.probelet.remediator.decide.HookAnswer.NotAnswered;
import io.probelet.remediator.decide.HookAnswer.NotAsked;
import io.probelet.remediator.decide.ObservedHook.OfEndpoint;
import io.probelet.remediator.decide.ObservedHook.OfJob;
import io.probelet.remediator.decide.ObservedHook.State;
import io.probelet.remediator.resource.HookSpec;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.RemediationPhase;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HookDeciderTest {
  private static final HttpsHook HTTPS =
      new HttpsHook(
          URI.create("https://bmc.example:8443/secret/path?token=t"),
          List.of(),
          null,
          Duration.ofSeconds(10),
          Duration.ofMinutes(5));
  private static final ObservedHook NOT_ASKED = new OfEndpoint(new NotAsked());

  private final DeciderCase<HookSpec, ObservedHook> endpoint =
      new DeciderCase<>(
          new HookDecider(),
          new HookSpec(new HookSpec.Target.Endpoint(HTTPS), Duration.ofMinutes(30)));
  private final DeciderCase<HookSpec, ObservedHook> job =
      new DeciderCase<>(
          new HookDecider(),
          new HookSpec(
              new HookSpec.Target.Job(
                  (ObjectNode)
                      json(
                          """
                          {"metadata": {"name": "theirs", "labels": {"a": "b"}},
                           "spec": {"ttlSecondsAfterFinished": 0, "template": {"spec": {"containers": [
                             {"name": "c", "env": [{"name": "A", "value": "$(PROBELET_NODE)"},
                               {"name": "PROBELET_NODE", "value": "forged"}]}]}}}}
                          """)),
              Duration.ofMinutes(30)));

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static ObservedHook answered(int code, @Nullable String body) {
    return new OfEndpoint(
        new Answered(code, body == null ? MissingNode.getInstance() : json(body)));
  }

  private void called() {
    Step first = endpoint.next(NOT_ASKED);
    assertThat(first.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(first.status().message()).isEqualTo("call 1 to bmc.example:8443");
    assertThat(HookCourse.isDue(first.status())).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"200|", "204|", "200|{}", "200|{\"done\": true}", "200|\"text\"", "202|"})
  @DisplayName("ACT-55, ACT-56: a 2xx response without done: false is success")
  void done(int code, @Nullable String body) {
    called();
    assertThat(endpoint.next(answered(code, body)).status().phase())
        .isEqualTo(RemediationPhase.DONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"no\"", "null", "[]", "{}", "0", "\"\""})
  @DisplayName("ACT-56 done that is neither true nor false is a failed call, not the end")
  void unclearDone(String value) {
    called();
    Step step = endpoint.next(answered(200, "{\"done\": %s}".formatted(value)));
    assertThat(step.status().message())
        .isEqualTo(
            "call 1 to bmc.example:8443: responded 200, but done is neither true nor false;"
                + " next call in 5s");
    assertThat(endpoint.later(Duration.ofMinutes(5)).next(NOT_ASKED).status().phase())
        .isEqualTo(RemediationPhase.WAITING);
    step = endpoint.next(answered(200, "{\"done\": %s}".formatted(value)));
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
  }

  @Test
  @DisplayName("ACT-56 an endpoint that has not finished is called again until it has")
  void notDone() {
    called();
    Step step = endpoint.next(answered(200, "{\"done\": false}"));
    assertThat(step.status().message())
        .isEqualTo("call 1 to bmc.example:8443: not finished yet; next call in 5s");
    assertThat(HookCourse.isDue(step.status())).isFalse();
    assertThat(endpoint.later(Duration.ofSeconds(4)).next(NOT_ASKED).again())
        .as("what happens to the node meanwhile calls nobody")
        .contains(Duration.ofSeconds(1));
    assertThat(endpoint.later(Duration.ofSeconds(1)).next(NOT_ASKED).status().message())
        .isEqualTo("call 2 to bmc.example:8443");
    assertThat(endpoint.next(answered(200, "{\"done\": true}")).status().phase())
        .isEqualTo(RemediationPhase.DONE);
  }

  @Test
  @DisplayName("ACT-56 what is not done within its time has failed, retried or not")
  void tooLate() {
    called();
    endpoint.next(answered(200, "{\"done\": false}"));
    Step late = endpoint.later(Duration.ofMinutes(30)).next(NOT_ASKED);
    assertThat(late.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(late.status().message())
        .startsWith("not done within 30m0s; last status: call 1 to bmc");
  }

  @Test
  @DisplayName("ACT-55 failures are repeated, the pause doubling up to a minute, until retryFor")
  void retried() {
    called();
    List<Long> pauses = new ArrayList<>();
    Step step = endpoint.next(answered(503, null));
    while (step.status().phase() == RemediationPhase.WAITING) {
      Duration pause = step.again().orElseThrow();
      pauses.add(pause.toSeconds());
      endpoint.later(pause).next(NOT_ASKED);
      step = endpoint.next(new OfEndpoint(new NotAnswered("refused")));
    }
    assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 60L, 60L, 60L);
    assertThat(step.status().message())
        .isEqualTo("call 8 to bmc.example:8443: refused; gave up after 5m0s");
    assertThat(step.status().status("Succeeded")).contains("False");
  }

  @ParameterizedTest
  @CsvSource({
    "301, WAITING, false", "400, WAITING, false", "403, WAITING, false", "404, WAITING, false",
    "408, WAITING, true", "425, WAITING, true", "429, WAITING, true", "500, WAITING, true",
    "503, WAITING, true"
  })
  @DisplayName("ACT-55 what a client did wrong is not repeated; redirects are not followed")
  void codes(int code, RemediationPhase before, boolean again) {
    called();
    assertThat(endpoint.status().phase()).isEqualTo(before);
    Step step = endpoint.next(answered(code, null));
    assertThat(step.status().phase() == RemediationPhase.WAITING).isEqualTo(again);
    assertThat(step.status().message()).doesNotContain("secret", "token");
  }

  @Test
  @DisplayName("ACT-55 a crash after a call was written down makes it, under its number")
  void crash() {
    called();
    assertThat(endpoint.next(NOT_ASKED).status().message()).isEqualTo("call 1 to bmc.example:8443");
  }

  @Test
  @DisplayName("ACT-57 a Job is made with the node, the reason and an owner, and its name is fixed")
  void create() {
    job.node =
        new ObservedNode(
            "worker-1",
            "u",
            "5",
            "b",
            false,
            Map.of("Ready", "Unknown", "DiskFull", "True", "KernelDeadlock", "False"),
            List.of(),
            Map.of(),
            Map.of());
    Step step = job.next(new OfJob(State.MISSING, ""));
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.WAITING);
    Action.Create create = (Action.Create) step.actions().getFirst();
    assertThat(create.path()).isEqualTo("/apis/batch/v1/namespaces/fencing/jobs");
    assertThat(create.object())
        .isEqualTo(
            json(
                """
                {"apiVersion": "batch/v1", "kind": "Job",
                 "metadata": {"name": "probelet-hook-uid-r", "namespace": "fencing",
                   "labels": {"a": "b"}, "ownerReferences": [
                     {"apiVersion": "probelet.io/v1alpha1", "kind": "HookRemediation",
                      "name": "worker-1", "uid": "uid-r", "controller": true}]},
                 "spec": {"ttlSecondsAfterFinished": 600, "template": {"spec": {"containers": [
                   {"name": "c", "env": [
                     {"name": "PROBELET_NODE", "value": "worker-1"},
                     {"name": "PROBELET_REASON", "value": "DiskFull=True,Ready=Unknown"},
                     {"name": "PROBELET_REMEDIATION", "value": "fencing/worker-1"},
                     {"name": "A", "value": "$(PROBELET_NODE)"}]}]}}}}
                """));
  }

  @Test
  @DisplayName("ACT-57 created, running, complete")
  void completes() {
    job.next(new OfJob(State.MISSING, ""));
    assertThat(job.next(new OfJob(State.MISSING, "")).actions())
        .as("a crash before it was created")
        .hasSize(1);
    assertThat(job.next(new OfJob(State.RUNNING, "")).actions()).isEmpty();
    assertThat(job.next(new OfJob(State.COMPLETE, "")).status().phase())
        .isEqualTo(RemediationPhase.DONE);
  }

  @ParameterizedTest
  @CsvSource({
    "FAILED, the Job failed: why",
    "FOREIGN, Job probelet-hook-uid-r already exists and belongs to another owner",
    "MISSING, the Job was deleted before it completed or failed"
  })
  @DisplayName("ACT-57 a Job that fails, is deleted, or is another's, has failed the remediation")
  void fails(State state, String message) {
    job.next(new OfJob(State.MISSING, ""));
    job.next(new OfJob(State.RUNNING, ""));
    Step step = job.next(new OfJob(state, "why"));
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(step.status().message()).isEqualTo(message);
    assertThat(step.actions()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 422})
  @DisplayName("ACT-57 fails immediately if the Job is forbidden or invalid")
  void refused(int code) {
    Step created = job.next(new OfJob(State.MISSING, ""));
    job.outcomes =
        List.of(new Outcome(created.actions().getFirst(), new ApiResult.Refused(code, "no", null)));
    Step step = job.next(new OfJob(State.MISSING, ""));
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(step.status().message()).startsWith("the Job cannot be created: ");
  }

  @Test
  @DisplayName("ACT-57 retries when the API server is busy; fails when the Job hangs")
  void slow() {
    Step created = job.next(new OfJob(State.MISSING, ""));
    job.outcomes =
        List.of(new Outcome(created.actions().getFirst(), new ApiResult.Refused(429, "no", null)));
    assertThat(job.next(new OfJob(State.MISSING, "")).actions()).hasSize(1);
    job.next(new OfJob(State.RUNNING, ""));
    assertThat(
            job.later(Duration.ofMinutes(30)).next(new OfJob(State.RUNNING, "")).status().message())
        .isEqualTo("not done within 30m0s; last status: the Job is running");
  }

  @Test
  void jobs() {
    String owned = "{\"metadata\": {\"ownerReferences\": [{\"uid\": \"u\"}]}, \"status\": %s}";
    assertThat(ObservedHook.read(json(owned.formatted("{}")), "u").state())
        .isEqualTo(State.RUNNING);
    assertThat(ObservedHook.read(json(owned.formatted("{}")), "v").state())
        .isEqualTo(State.FOREIGN);
    String failed =
        "{\"conditions\": [{\"type\": \"FailureTarget\", \"status\": \"True\"}, {\"type\":"
            + " \"Failed\", \"status\": \"True\", \"reason\": \"BackoffLimitExceeded\","
            + " \"message\": \"m\"}]}";
    assertThat(ObservedHook.read(json(owned.formatted(failed)), "u"))
        .isEqualTo(new OfJob(State.FAILED, "BackoffLimitExceeded m"));
  }

  @ParameterizedTest
  @CsvSource({
    "199, 'bmc.example:8443 responded 199; redirects are not followed'",
    "300, 'bmc.example:8443 responded 300; redirects are not followed'",
    "399, 'bmc.example:8443 responded 399; redirects are not followed'",
    "400, bmc.example:8443 responded 400",
    "499, bmc.example:8443 responded 499"
  })
  @DisplayName("ACT-55 a failure names the response code")
  void refusals(int code, String message) {
    called();
    Step step = endpoint.next(answered(code, null));
    assertThat(step.status().message()).isEqualTo(message);
  }

  @Test
  @DisplayName("ACT-55 a call that falls on the end of retryFor is still made")
  void lastCall() {
    called();
    Duration last = HTTPS.retryFor().minusSeconds(5);
    assertThat(endpoint.later(last).next(answered(503, null)).status().phase())
        .isEqualTo(RemediationPhase.WAITING);
  }

  @Test
  @DisplayName("ACT-56 an endpoint that has finished when it is called last has not failed")
  void doneAtLast() {
    called();
    endpoint.next(answered(200, "{\"done\": false}"));
    endpoint.later(Duration.ofSeconds(5)).next(NOT_ASKED);
    Step late = endpoint.later(Duration.ofMinutes(30)).next(answered(200, "{\"done\": true}"));
    assertThat(late.status().phase()).isEqualTo(RemediationPhase.DONE);
  }

  @Test
  @DisplayName("ACT-56 a call that was not finished in time was the last")
  void notDoneAtLast() {
    called();
    Step late = endpoint.later(Duration.ofMinutes(30)).next(answered(200, "{\"done\": false}"));
    assertThat(late.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(late.again()).isEmpty();
  }

  @Test
  @DisplayName("ACT-55 a begin that is still to come, after the clock was set back, is no time")
  void clockSetBack() {
    called();
    assertThat(HookCourse.elapsed(endpoint.later(Duration.ofSeconds(7)).situation(NOT_ASKED)))
        .isEqualTo(Duration.ofSeconds(7));
    assertThat(HookCourse.elapsed(endpoint.later(Duration.ofHours(-1)).situation(NOT_ASKED)))
        .isEqualTo(Duration.ZERO);
  }

  @Test
  @DisplayName("ACT-57 what is refused besides the Job does not fail it")
  void otherRefused() {
    job.next(new OfJob(State.MISSING, ""));
    job.outcomes =
        List.of(new Outcome(new Action.AddFinalizer(), new ApiResult.Refused(404, "no", null)));
    assertThat(job.next(new OfJob(State.MISSING, "")).actions()).hasSize(1);
  }
}
