package io.probelet.checks.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.probelet.checks.result.CheckResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds without a rule (CH-41). */
class StandardConditionsTest {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.ALLOW_SINGLE_QUOTES)
          .enable(JsonParser.Feature.ALLOW_UNQUOTED_FIELD_NAMES);

  @ParameterizedTest
  @DisplayName("CH-41 what objects report, and what it rests on")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | NONE reports no health | nothing: the object reports no health",
        "{status: {observedGeneration: 1, url: 'x'}}"
            + "| NONE reports no health | observedGeneration",
        "{metadata: {generation: 3}, status: {observedGeneration: 2}}"
            + "| BAD observed generation outdated (2/3) | observedGeneration",
        "{metadata: {generation: 3}, status: {conditions: [{type: 'Ready', status: 'True',"
            + " observedGeneration: 2}]}}"
            + "| BAD observed generation outdated (2/3) | condition Ready",
        "{status: {conditions: [{type: 'Ready', status: 'True'}]}} | GOOD | condition Ready",
        "{status: {conditions: [{type: 'Ready', status: 'True'}, {type: 'Stalled', status: 'True',"
            + " reason: 'R', message: 'm'}]}}"
            + "| BAD condition \"Stalled\" has invalid status True (expected False) due to R: m"
            + "| condition Ready, condition Stalled",
        "{status: {conditions: [{type: 'Ready', status: 'False', message: 'm'}]}}"
            + "| BAD condition \"Ready\" has invalid status False (expected True): m"
            + "| condition Ready",
        "{status: {conditions: [{type: 'Ready', status: 'Unknown', reason: 'R'}]}}"
            + "| CHANGING Ready is Unknown due to R | condition Ready",
        "{status: {conditions: [{type: 'Ready', status: 'True'}, {type: 'Reconciling', status:"
            + " 'True'}]}} | CHANGING Reconciling is True | condition Ready, condition Reconciling",
        "{status: {conditions: [{type: 'Available', status: 'True'}, {type: 'Progressing', status:"
            + " 'False'}, {type: 'Degraded', status: 'False'}]}}"
            + "| GOOD | condition Available, condition Degraded",
        "{status: {conditions: [{type: 'Progressing', status: 'False', reason:"
            + " 'ProgressDeadlineExceeded'}]}}"
            + "| BAD condition \"Progressing\" has invalid status False (expected True) due to"
            + " ProgressDeadlineExceeded | nothing: the object reports no health",
        "{status: {conditions: [{type: 'Stalled', status: 'False'}]}} | GOOD | condition Stalled",
        "{status: {conditions: [{type: 'Synced', status: 'False'}]}}"
            + "| BAD condition \"Synced\" has invalid status False (expected True)"
            + "| condition Synced",
        "{status: {conditions: [{type: 'Ready', status: 'True'}, {type: 'WebhookReady', status:"
            + " 'False'}]}} | GOOD | condition Ready, condition WebhookReady",
        "{status: {conditions: [{type: 'WebhookReady', status: 'False'}]}}"
            + "| BAD condition \"WebhookReady\" has invalid status False (expected True)"
            + "| condition WebhookReady",
        "{status: {parents: [{conditions: [{type: 'Accepted', status: 'True'}]}, {conditions:"
            + " [{type: 'Accepted', status: 'False'}]}]}}"
            + "| BAD condition \"Accepted\" has invalid status False (expected True)"
            + "| condition Accepted",
        "{status: {conditions: [{type: 'Scheduled', status: 'True'}]}}"
            + "| NONE reports no health | nothing: the object reports no health",
        "{status: {phase: 'Failed'}} | BAD status.phase is \"Failed\" | status.phase",
        "{status: {phase: 'Running'}} | GOOD | status.phase",
        "{status: {state: 'SCALING_UP', ready: true}} | GOOD | status.ready",
        "{status: {state: 'in-progress'}} | CHANGING status.state is \"in-progress\""
            + " | status.state",
        "{status: {health: {status: 'Unknown'}}}"
            + "| UNKNOWN status.health.status is \"Unknown\" | status.health.status",
        "{status: {phase: 'Blue'}} | NONE reports no health"
            + " | nothing: the object reports no health",
        "{status: {ready: false}} | BAD status.ready is false | status.ready",
        "{spec: {replicas: 3}, status: {readyReplicas: 1}}"
            + "| BAD not enough ready replicas (1/3) | status.readyReplicas",
        "{status: {failureReason: 'NoQuota', phase: 'Running'}}"
            + "| BAD status.failureReason is \"NoQuota\" | status.phase, status.failureReason",
        "{metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}, status: {phase: 'Ready'}}"
            + "| CHANGING it is being deleted | status.phase",
      })
  void reports(String object, String expected, String basis) throws JsonProcessingException {
    GenericKubernetesResource thing = thing(object);
    assertThat(said(ObjectHealth.check(thing))).isEqualTo(expected);
    assertThat(ObjectHealth.basis(thing)).isEqualTo(basis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NotReady",
        "Failed",
        "FetchFailed",
        "ReplicaFailure",
        "Invalid",
        "Degraded",
        "ErrorOccurred",
        "example.org/sync-error",
        "CatalogSourcesUnhealthy",
        "DiskPressure",
        "PartiallyReady",
      })
  @DisplayName("CH-41 condition types that are True when something is wrong")
  void bad(String type) {
    assertThat(Polarity.of(type)).isEqualTo(Polarity.BAD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NoErrors",
        "Progressing",
        "OnFailurePostBackupExecHooksRunCompleted",
        "Scheduled",
        "Paused",
        "",
        "-/-",
      })
  @DisplayName("CH-41 condition types that say nothing")
  void nothing(String type) {
    assertThat(Polarity.of(type)).isEqualTo(Polarity.UNKNOWN);
  }

  @Test
  @DisplayName("CH-41 names are split into words, and what is too long is cut")
  void words() {
    assertThat(Words.of("EKSControlPlaneReady"))
        .containsExactly("eks", "control", "plane", "ready");
    assertThat(Words.of("IN_PROGRESS")).containsExactly("in", "progress");
    assertThat(Words.of("x".repeat(10_000))).containsExactly("x".repeat(256));
    assertThat(said(ObjectHealth.check(withPhase("Failed " + "x".repeat(10_000)))))
        .hasSizeLessThan(150);
  }

  @Test
  @DisplayName("CH-24 a second check is asked where the first has no opinion")
  void joined() {
    ObjectCheck<String> silent = text -> CheckResult.noOpinion("none of " + text);
    assertThat(silent.and(text -> CheckResult.healthy()).check("a"))
        .isEqualTo(CheckResult.healthy());
    assertThat(silent.and(text -> CheckResult.noOpinion("b")).check("a"))
        .isEqualTo(CheckResult.noOpinion("none of a"));
    assertThat(silent.and(text -> CheckResult.unhealthy("b")).check("a"))
        .isEqualTo(CheckResult.unhealthy("b"));
  }

  private static GenericKubernetesResource withPhase(String phase) {
    GenericKubernetesResource thing = new GenericKubernetesResource();
    thing.setApiVersion("example.org/v1");
    thing.setKind("Thing");
    thing.setMetadata(new ObjectMeta());
    thing.setAdditionalProperty("status", Map.of("phase", phase, "list", List.of()));
    return thing;
  }

  private static GenericKubernetesResource thing(String object) throws JsonProcessingException {
    GenericKubernetesResource thing = JSON.readValue(object, GenericKubernetesResource.class);
    thing.setApiVersion("example.org/v1");
    thing.setKind("Thing");
    if (thing.getMetadata() == null) {
      thing.setMetadata(new ObjectMeta());
    }
    return thing;
  }

  private static String said(CheckResult result) {
    return switch (result) {
      case CheckResult.Healthy() -> "GOOD";
      case CheckResult.Unhealthy unhealthy -> "BAD " + unhealthy.detail();
      case CheckResult.Progressing progressing -> "CHANGING " + progressing.detail();
      case CheckResult.NotExecuted(String detail) -> "UNKNOWN " + detail;
      case CheckResult.NoOpinion(String detail) -> "NONE " + detail;
    };
  }
}
