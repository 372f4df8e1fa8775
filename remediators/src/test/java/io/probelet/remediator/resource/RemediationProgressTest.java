package io.probelet.remediator.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemediationProgressTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final RemediationProgress BEGUN =
      RemediationProgress.NONE.begun(RemediationPhase.EVIDENCE, "node-1", "boot-1", "asked", NOW);

  @Test
  @DisplayName("ACT-1: what remediators of medik8s say when they begin")
  void begins() {
    assertThat(BEGUN.status(RemediationCondition.PROCESSING)).hasValue("True");
    assertThat(BEGUN.status(RemediationCondition.SUCCEEDED)).hasValue("Unknown");
    assertThat(BEGUN.status(RemediationCondition.PERMANENT_NODE_DELETION_EXPECTED))
        .hasValue("False");
  }

  @Test
  @DisplayName("ACT-1: and when it is over")
  void ends() {
    Instant later = NOW.plusSeconds(60);
    RemediationProgress done =
        BEGUN.in(RemediationPhase.DRAINING, "x", later).succeeded("drained", later);
    assertThat(done.phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(done.status(RemediationCondition.PROCESSING)).hasValue("False");
    assertThat(done.status(RemediationCondition.SUCCEEDED)).hasValue("True");
    RemediationProgress failed = BEGUN.failed("DrainTimedOut", "3 pods are left", later);
    assertThat(failed.status(RemediationCondition.SUCCEEDED)).hasValue("False");
    assertThat(failed.conditions())
        .filteredOn(condition -> condition.type().equals(RemediationCondition.SUCCEEDED))
        .extracting(RemediationCondition::lastTransitionTime)
        .containsExactly(later);
    assertThat(
            BEGUN
                .expectingNodeDeletion("its machine goes", later)
                .succeeded("gone", later)
                .status(RemediationCondition.PERMANENT_NODE_DELETION_EXPECTED))
        .as("said once, it stays")
        .hasValue("True");
  }

  @Test
  void aPhaseThatDoesNotChangeKeepsItsTime() {
    RemediationProgress draining =
        BEGUN.in(RemediationPhase.DRAINING, "3 pods", NOW.plusSeconds(5));
    assertThat(draining.in(RemediationPhase.DRAINING, "2 pods", NOW.plusSeconds(9)).phaseTime())
        .isEqualTo(NOW.plusSeconds(5));
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    RemediationProgress status =
        BEGUN.with(new KeptEvidence("bundle-1.tar.gz", "abc", 12, List.of("OOM", "disk")));
    assertThat(read(RemediationProgressJson.write(status))).isEqualTo(status);
    assertThat(read(RemediationProgressJson.write(BEGUN))).isEqualTo(BEGUN);
    assertThat(RemediationProgressJson.read(MissingNode.getInstance()))
        .isEqualTo(RemediationProgress.NONE);
  }

  private static RemediationProgress read(JsonNode status) throws Exception {
    return RemediationProgressJson.read(JSON.readTree(status.toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Held | NodeBusy: node n1 is remediated | None | 0 | NodeBusy",
        "Ordered | ordered; the node may begin | OrderPlaced | 0 | ''",
        "Ordered | the node is given its order | None | 0 | ''",
        "Ordered | ordered; waiting for the agent to claim the order | OrderPlaced | 0 | ''",
        "Ordered | creating the order for the node | None | 0 | ''",
        "Waiting | creating the Job | None | 0 | ''",
        "Waiting | call 3 to bmc.example:8443: responded 503; next call in 20s | Called | 3 | ''",
        "Waiting | the Job is running | JobStarted | 0 | ''",
        "Waiting | the Job is created | None | 0 | ''",
        "Waiting | call 3 to bmc.example:8443 | Calling | 3 | ''",
        "Waiting | call 3 to [2001:db8::1] | Calling | 3 | ''",
        "Waiting | call 3 to [::1]:8443 | Calling | 3 | ''",
        "Waiting | call 3 to [::1]:8443: it answered 503; the next in 20s | Called | 3 | ''",
        "Waiting | call 3 to bmc.example:8443: it answered 503; the next in 20s | Called | 3 | ''",
        "Waiting | the node is off; the taint is being set | TaintSet | 0 | ''",
        "Done | the node is off; the taint is set | TaintSet | 0 | ''",
        "Done | the Job is running | None | 0 | ''",
        "Waiting | x | None | 0 | ''"
      })
  @DisplayName("A status of before there was a milestone is read by its message, once")
  void oldStatus(String phase, String message, String reached, int calls, String hold)
      throws Exception {
    ObjectNode old = JSON.createObjectNode().put("phase", phase).put("message", message);
    RemediationProgress status = read(old);
    assertThat(status.milestone().reached().label()).isEqualTo(reached);
    assertThat(status.milestone().calls()).isEqualTo(calls);
    assertThat(status.milestone().holdReason()).isEqualTo(hold);
    ObjectNode now = RemediationProgressJson.write(status).put("message", "in other words");
    assertThat(read(now).milestone()).isEqualTo(status.milestone());
    ObjectNode none = RemediationProgressJson.write(status.with(Milestone.NONE));
    assertThat(read(none.put("message", message)).milestone()).isEqualTo(Milestone.NONE);
  }

  @Test
  void hostileMilestones() throws Exception {
    RemediationProgress status =
        RemediationProgressJson.read(
            JSON.readTree(
                """
                {"phase": "Waiting", "progress":
                  {"reached": "Melted", "calls": 99999999999, "holdReason": "<script>"}}
                """));
    assertThat(status.milestone()).isEqualTo(new Milestone(Milestone.Reached.NONE, 999_999, ""));
  }

  @Test
  @DisplayName("ACT-2: a phase of a later version is over: what it means is not known")
  void unknownPhase() throws Exception {
    assertThat(RemediationProgressJson.read(JSON.readTree("{\"phase\": \"Melting\"}")).phase())
        .isEqualTo(RemediationPhase.FAILED);
    assertThat(RemediationProgressJson.read(JSON.readTree("{\"message\": \"x\"}")).phase())
        .isEqualTo(RemediationPhase.PENDING);
  }

  @Test
  void whatIsTooLongIsCut() throws Exception {
    assertThat(BEGUN.in(RemediationPhase.HELD, "x".repeat(5000), NOW).message())
        .hasSize(RemediationProgress.MAX_MESSAGE);
    KeptEvidence evidence =
        new KeptEvidence("n".repeat(999), "s", 1, Collections.nCopies(99, "y".repeat(999)));
    assertThat(evidence.name()).isEmpty();
    assertThat(evidence.sha256()).isEmpty();
    assertThat(evidence.digest())
        .hasSize(KeptEvidence.MAX_LINES)
        .allSatisfy(line -> assertThat(line).hasSize(KeptEvidence.MAX_CHARS));
    JsonNode many =
        JSON.createObjectNode()
            .put("phase", "Done")
            .set("conditions", JSON.valueToTree(Collections.nCopies(500, "{}")));
    assertThat(RemediationProgressJson.read(many).conditions()).hasSize(16);
  }
}
