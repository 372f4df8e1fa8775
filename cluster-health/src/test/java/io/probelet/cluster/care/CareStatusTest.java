package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.cluster.constraint.Constraint;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a status after a round, without a cluster. */
class CareStatusTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TYPE = "SystemComponentsHealthy";
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final ThresholdPolicy MINUTE =
      new ThresholdPolicy(Map.of(TYPE, Duration.ofMinutes(1)));
  private static final ConditionFinding WELL = new ConditionFinding.Healthy("Fine", "All is fine.");
  private static final ConditionFinding BAD =
      new ConditionFinding.Unhealthy("DeploymentUnhealthy", "It is broken.");

  private final AppliedStatus applied = new AppliedStatus();
  private CareStatus status = CareStatus.NONE;
  private Instant now = START;

  @Test
  @DisplayName("CH-28 True → Progressing → False over its threshold, back to True at once")
  void threshold() {
    round(WELL);
    assertThat(said()).isEqualTo(ConditionStatus.TRUE);
    assertThat(status.health()).isEqualTo("healthy");
    now = now.plus(Duration.ofMinutes(10));
    round(BAD);
    assertThat(said()).isEqualTo(ConditionStatus.PROGRESSING);
    assertThat(status.health()).isEqualTo("progressing");
    now = now.plusSeconds(60);
    round(BAD);
    assertThat(said()).isEqualTo(ConditionStatus.PROGRESSING);
    now = now.plusSeconds(1);
    round(BAD);
    assertThat(said()).isEqualTo(ConditionStatus.FALSE);
    assertThat(applied.json().path("health").asText()).isEqualTo("unhealthy");
    round(WELL);
    assertThat(said()).isEqualTo(ConditionStatus.TRUE);
  }

  @Test
  @DisplayName("CH-24 a rollout is Progressing from True until its threshold is over")
  void rollout() {
    round(WELL);
    ConditionFinding rolling =
        new ConditionFinding.Progressing(
            "DeploymentProgressing", "1 of 3", List.of(), Duration.ofMinutes(10));
    round(rolling);
    assertThat(said()).isEqualTo(ConditionStatus.PROGRESSING);
    now = now.plus(Duration.ofMinutes(10)).plusSeconds(1);
    round(rolling);
    assertThat(said()).isEqualTo(ConditionStatus.FALSE);
  }

  @Test
  @DisplayName("CH-26 what a contributor calls Progressing stays so for as long as he says")
  void contributed() {
    ConditionFinding rolling =
        new ConditionFinding.Progressing("ShopProgressing", "opening", List.of(), null);
    round(rolling);
    now = now.plus(Duration.ofHours(1));
    round(rolling);
    assertThat(said()).isEqualTo(ConditionStatus.PROGRESSING);
  }

  @Test
  @DisplayName("CH-37 what cannot be checked is Unknown at once")
  void unchecked() {
    round(WELL);
    round(new ConditionFinding.Unknown("Deployments cannot be listed: forbidden"));
    assertThat(said()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(condition().reason()).isEqualTo("ConditionCheckError");
  }

  @Test
  @DisplayName("Issue 7: a round that finds nothing new leaves the status as it is")
  void nothingNew() {
    round(WELL);
    CareStatus before = status;
    JsonNode written = applied.json();
    now = now.plus(Duration.ofMinutes(1));
    round(WELL);
    assertThat(status).isEqualTo(before);
    assertThat(applied.json()).isEqualTo(written);
  }

  @Test
  @DisplayName("CC-12 the conditions and fields of others stay where they are")
  void others() throws IOException {
    stands(
        (ObjectNode)
            JSON.readTree(
                """
                {"theirs": 1, "conditions": [
                  {"type": "Theirs", "status": "True", "extra": 7},
                  {"type": "AlsoTheirs", "status": "False", "reason": "R", "message": "m",
                   "lastTransitionTime": "2026-01-01T00:00:00Z",
                   "lastUpdateTime": "2026-01-01T00:00:00Z", "extra": 8}]}
                """));
    round(WELL);
    assertThat(applied.json().path("theirs").asInt()).isEqualTo(1);
    JsonNode conditions = applied.json().path("conditions");
    assertThat(conditions.findValuesAsText("type")).containsExactly("Theirs", "AlsoTheirs", TYPE);
    assertThat(conditions.get(0).path("extra").asInt()).isEqualTo(7);
    assertThat(conditions.get(1).path("extra").asInt()).isEqualTo(8);
  }

  @Test
  @DisplayName("CC-12 only what is ours is applied: not the conditions of others, not an upgrade")
  void ours() throws IOException {
    stands(
        (ObjectNode)
            JSON.readTree(
                """
                {"theirs": 1, "lastOperation": {"type": "Reconcile", "state": "Processing"},
                 "conditions": [{"type": "Theirs", "status": "True"}],
                 "constraints": [{"type": "TheirConstraint", "status": "True"}]}
                """));
    round(WELL, constraint(ConditionStatus.FALSE));
    JsonNode ours = applied.last();
    assertThat(ours.path("conditions").findValuesAsText("type")).containsExactly(TYPE);
    assertThat(ours.path("constraints").findValuesAsText("type"))
        .containsExactly(Constraint.CA_CERTIFICATE_VALIDITIES_ACCEPTABLE);
    assertThat(ours.has("theirs")).isFalse();
    assertThat(ours.path("lastOperation").toString()).isEqualTo("{\"type\":\"Reconcile\"}");
    assertThat(ours.path("health").asText()).isEqualTo("healthy");

    applied.apply(status.refused(2, "spec.syncPeriod is 10ms; use 1s or more", now));
    JsonNode refused = applied.last();
    assertThat(refused.at("/lastErrors/0/description").asText()).contains("syncPeriod");
    assertThat(refused.path("conditions").findValuesAsText("type")).containsExactly(TYPE);
  }

  @Test
  @DisplayName("CH-2 a condition nobody asks for any more goes")
  void noMoreAskedFor() {
    status = status.after(found(Map.of(TYPE, WELL, "Other", WELL)), MINUTE, now);
    round(WELL);
    assertThat(status.conditions().list()).extracting(Condition::type).containsExactly(TYPE);
  }

  @Test
  @DisplayName("CH-35 CH-36 some constraints are shown only while they do not hold")
  void constraints() {
    round(WELL, constraint(ConditionStatus.FALSE));
    assertThat(status.constraints().list())
        .extracting(Condition::type)
        .containsExactly(Constraint.CA_CERTIFICATE_VALIDITIES_ACCEPTABLE);
    round(WELL, constraint(ConditionStatus.TRUE));
    assertThat(applied.json().path("constraints")).isEmpty();
  }

  @Test
  @DisplayName("CH-29 while somebody upgrades the cluster, False is shown as Progressing")
  void upgrade() {
    round(WELL);
    ObjectNode upgrading = applied.json();
    upgrading.putObject("lastOperation").put("type", "Reconcile").put("state", "Processing");
    stands(upgrading);
    status = applied.apply(status.after(found(Map.of("EveryNodeReady", BAD)), MINUTE, now));
    assertThat(status.conditions().list())
        .singleElement()
        .extracting(Condition::status)
        .isEqualTo(ConditionStatus.PROGRESSING);
    assertThat(applied.json().at("/lastOperation/state").asText()).isEqualTo("Processing");
  }

  @Test
  @DisplayName("CH-29 a script that only says Processing takes our operation over, and keeps it")
  void script() throws IOException {
    round(WELL);
    // what is left when a merge patch has set the state and our next apply has let go of the rest
    ObjectNode upgrading = applied.json();
    upgrading.putObject("lastOperation").put("state", "Processing");
    stands(upgrading);

    round(BAD);
    now = now.plus(Duration.ofMinutes(10));
    round(BAD);

    assertThat(said()).isEqualTo(ConditionStatus.PROGRESSING);
    assertThat(applied.json().path("lastOperation").toString())
        .isEqualTo("{\"state\":\"Processing\"}");
    assertThat(applied.last().has("lastOperation")).isFalse();
  }

  @Test
  @DisplayName("CH-29 a rollout past its threshold is tolerated as any failure")
  void rolloutPardoned() throws IOException {
    round(WELL);
    ObjectNode upgrading = applied.json();
    upgrading.withObject("/lastOperation").put("state", "Processing");
    stands(upgrading);
    ConditionFinding rolling =
        new ConditionFinding.Progressing(
            "DeploymentProgressing", "1 of 3", List.of(), Duration.ofMinutes(10));
    round(rolling);
    Instant since = condition().lastTransitionTime();
    now = now.plus(Duration.ofMinutes(10)).plusSeconds(1);
    round(rolling);
    assertThat(said()).isEqualTo(ConditionStatus.PROGRESSING);
    assertThat(condition().lastTransitionTime()).isEqualTo(since);
    ObjectNode done = applied.json();
    done.withObject("/lastOperation").put("state", "Error");
    stands(done);
    round(rolling);
    assertThat(said()).isEqualTo(ConditionStatus.FALSE);
  }

  @Test
  @DisplayName("CH-47 an API server that does not answer is shown, with its threshold, unwritten")
  void apiServer() {
    round(WELL);
    ThresholdPolicy patience =
        new ThresholdPolicy(Map.of("APIServerAvailable", Duration.ofSeconds(30)));
    status =
        applied.apply(
            status.after(found(Map.of("APIServerAvailable", WELL, TYPE, WELL)), patience, now));
    ConditionFinding gone = new ConditionFinding.Unhealthy("HealthzRequestFailed", "not reached");
    CareStatus first = status.withApiServer(gone, patience, now.plusSeconds(1));
    assertThat(first.conditions().get("APIServerAvailable").orElseThrow().status())
        .isEqualTo(ConditionStatus.PROGRESSING);
    CareStatus later = first.withApiServer(gone, patience, now.plusSeconds(32));
    assertThat(later.conditions().get("APIServerAvailable").orElseThrow().status())
        .isEqualTo(ConditionStatus.FALSE);
    assertThat(later.conditions().get(TYPE)).isEqualTo(status.conditions().get(TYPE));
  }

  @Test
  @DisplayName("CH-38 a wish that cannot be carried out is an operation with an error")
  void refused() {
    round(WELL);
    CareStatus refused =
        applied.apply(status.refused(2, "spec.syncPeriod is 10ms; use 1s or more", now));
    assertThat(applied.json().at("/lastOperation/state").asText()).isEqualTo("Error");
    assertThat(applied.json().at("/lastErrors/0/description").asText()).contains("syncPeriod");
    assertThat(applied.json().at("/lastErrors/0/codes/0").asText())
        .isEqualTo("ERR_CONFIGURATION_PROBLEM");
    assertThat(refused.health()).isEqualTo("unhealthy");
    assertThat(refused.refused(2, "the same", now.plusSeconds(60))).isEqualTo(refused);
    applied.apply(
        refused.after(new CareStatus.Round(3, Map.of(TYPE, WELL), List.of()), MINUTE, now));
    assertThat(applied.json().at("/lastOperation/state").asText()).isEqualTo("Succeeded");
    assertThat(applied.json().has("lastErrors")).isFalse();
  }

  private static Constraint constraint(ConditionStatus status) {
    return new Constraint(
        Constraint.CA_CERTIFICATE_VALIDITIES_ACCEPTABLE, status, "Reason", "message", List.of());
  }

  private void round(ConditionFinding finding, Constraint... constraints) {
    CareStatus.Round round = new CareStatus.Round(1, Map.of(TYPE, finding), List.of(constraints));
    status = applied.apply(status.after(round, MINUTE, now));
  }

  /** Somebody else has written. */
  private void stands(ObjectNode json) {
    status = applied.put(json);
  }

  private static CareStatus.Round found(Map<String, ConditionFinding> findings) {
    return new CareStatus.Round(1, findings, List.of());
  }

  private Condition condition() {
    return status.conditions().get(TYPE).orElseThrow();
  }

  private ConditionStatus said() {
    return condition().status();
  }
}
