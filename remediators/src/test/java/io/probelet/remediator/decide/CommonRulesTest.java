package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.DRAINING;
import static io.probelet.remediator.decide.Situations.EVIDENCE;
import static io.probelet.remediator.decide.Situations.NOW;
import static io.probelet.remediator.decide.Situations.NO_ORDER;
import static io.probelet.remediator.decide.Situations.UID;
import static io.probelet.remediator.decide.Situations.json;
import static io.probelet.remediator.decide.Situations.node;
import static io.probelet.remediator.decide.Situations.order;
import static io.probelet.remediator.decide.Situations.request;
import static io.probelet.remediator.decide.Situations.situation;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.remediator.decide.Action.AddFinalizer;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.PutOrder;
import io.probelet.remediator.decide.Action.RemoveFinalizer;
import io.probelet.remediator.decide.Action.Uncordon;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommonRulesTest {
  private static final ObservedNode NODE = node(false, null, true);
  private static final ObservedNode CORDONED = node(true, UID, true);
  private static final Duration SOON = Duration.ofMillis(200);

  private static Step step(RemediationRequest<?> request, ObservedNode node, JsonNode order) {
    return step(request, node, order, Duration.ZERO);
  }

  private static Step step(
      RemediationRequest<?> request, ObservedNode node, JsonNode order, Duration later) {
    return RemediationRules.common(situation(request, node, order, later), Optional.empty())
        .orElseThrow();
  }

  @Test
  @DisplayName("ACT-4: reports a hold once and does nothing")
  void held() {
    RemediationRequest<DrainSpec> pending =
        request(RemediationProgress.NONE, false, false, Map.of());
    ActionHold hold = new ActionHold("Blackout", "until Monday");
    Step first =
        RemediationRules.common(
                situation(pending, NODE, NO_ORDER, Duration.ZERO), Optional.of(hold))
            .orElseThrow();
    assertThat(first.status().phase()).isEqualTo(RemediationPhase.HELD);
    assertThat(first.status().message()).isEqualTo("Blackout: until Monday");
    assertThat(first.actions()).isEmpty();
    assertThat(first.notices()).hasSize(1);
    Step again =
        RemediationRules.common(
                situation(pending.with(first.status()), NODE, NO_ORDER, Duration.ofMinutes(1)),
                Optional.of(new ActionHold("Blackout", "until Tuesday")))
            .orElseThrow();
    assertThat(again.status().message()).isEqualTo("Blackout: until Tuesday");
    assertThat(again.notices()).isEmpty();
    assertThat(again.status().phaseTime()).isEqualTo(first.status().phaseTime());
  }

  @Test
  @DisplayName("ACT-6: the finalizer comes before anything is written down as begun")
  void begins() {
    Step first = step(request(RemediationProgress.NONE, false, false, Map.of()), NODE, NO_ORDER);
    assertThat(first.status()).isEqualTo(RemediationProgress.NONE);
    assertThat(first.actions()).containsExactly(new AddFinalizer());
    Step second = step(request(RemediationProgress.NONE), NODE, NO_ORDER);
    assertThat(second.status().phase()).isEqualTo(RemediationPhase.EVIDENCE);
    assertThat(second.status().bootId()).isEqualTo("boot-1");
    assertThat(second.actions()).isEmpty();
  }

  @Test
  @DisplayName("ACT-10: evidence is ordered, granted, kept, and the order withdrawn")
  void evidence() {
    Step put = step(request(EVIDENCE), NODE, NO_ORDER);
    assertThat(put.actions())
        .singleElement()
        .isInstanceOfSatisfying(
            PutOrder.class,
            it -> assertThat(it.spec().path("action").asText()).isEqualTo("Diagnose"));
    Step claimed =
        step(
            request(EVIDENCE), NODE, order("Diagnose", "{'phase': 'Claimed', 'bootID': 'boot-1'}"));
    assertThat(claimed.actions()).containsExactly(new GrantOrder("node-1", "order-1", "9"));
    Step other =
        step(
            request(EVIDENCE), NODE, order("Diagnose", "{'phase': 'Claimed', 'bootID': 'boot-2'}"));
    assertThat(other.actions()).as("it has rebooted since").isEmpty();
    Step done =
        step(
            request(EVIDENCE),
            NODE,
            order(
                "Diagnose",
                "{'phase': 'Done', 'evidence': {'name': 'a.tgz', 'sha256': 'ff', 'bytes': 7,"
                    + " 'digest': ['OOM']}}"));
    assertThat(done.status().evidence())
        .isEqualTo(new KeptEvidence("a.tgz", "ff", 7, List.of("OOM")));
    assertThat(done.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    assertThat(
            RemediationRules.common(
                situation(request(done.status()), NODE, NO_ORDER, Duration.ZERO), Optional.empty()))
        .as("the kind's rules go on")
        .isEmpty();
  }

  @Test
  @DisplayName(
      "ACT-10: after 15 s without an agent, or 45 s in all, it goes on without, and says so")
  void noEvidence() {
    Duration unclaimed = EvidenceRules.CLAIM_TIMEOUT;
    Duration late = EvidenceRules.TIMEOUT;
    assertThat(
            digest(
                step(request(EVIDENCE), NODE, order("Diagnose", "{}"), unclaimed.minusSeconds(1))))
        .isEmpty();
    Step silent = step(request(EVIDENCE), NODE, order("Diagnose", "{}"), unclaimed);
    assertThat(digest(silent)).hasValue("no evidence: no agent claimed the order within 15 s");
    assertThat(silent.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    JsonNode collecting = order("Diagnose", "{'phase': 'Started', 'bootID': 'boot-1'}");
    assertThat(digest(step(request(EVIDENCE), NODE, collecting, late.minusSeconds(1)))).isEmpty();
    assertThat(digest(step(request(EVIDENCE), NODE, collecting, late)))
        .hasValue("no evidence: the agent did not respond within 45 s");
    Step claimed =
        step(
            request(EVIDENCE),
            NODE,
            order("Diagnose", "{'phase': 'Claimed', 'bootID': 'boot-1'}"),
            late);
    assertThat(claimed.actions()).noneMatch(GrantOrder.class::isInstance);
    Situation<DrainSpec, String> refused =
        new Situation<>(
            request(EVIDENCE),
            NODE,
            NO_ORDER,
            "",
            List.of(
                new Outcome(
                    new PutOrder("node-1", NO_ORDER),
                    new ApiResult.Refused(404, "not found", null))),
            NOW);
    assertThat(digest(RemediationRules.common(refused, Optional.empty()).orElseThrow()))
        .hasValue("no evidence: the order was refused: 404 not found");
    assertThat(
            digest(
                step(
                    request(EVIDENCE),
                    NODE,
                    order("Diagnose", "{'phase': 'Failed', 'message': 'disk full'}"))))
        .hasValue("no evidence: the agent failed: disk full");
    String nameless =
        "{'phase': 'Done', 'message': 'done', 'evidence': {'name': '', 'digest': []}}";
    assertThat(digest(step(request(EVIDENCE), NODE, order("Diagnose", nameless))))
        .as("an agent that says that it has kept something without a name")
        .hasValue("no evidence: the agent saved nothing: done");
  }

  private static Optional<String> digest(Step step) {
    return Optional.ofNullable(step.status().evidence()).map(kept -> kept.digest().getFirst());
  }

  @ParameterizedTest
  @DisplayName("ACT-2: what is over stays so, whatever happens")
  @EnumSource(
      value = RemediationPhase.class,
      names = {"DONE", "FAILED"})
  void terminal(RemediationPhase phase) {
    RemediationProgress over =
        phase == RemediationPhase.DONE
            ? DRAINING.succeeded("drained", NOW)
            : DRAINING.failed("DrainFailed", "3 pods", NOW);
    Map<String, String> timedOut = Map.of(WireNames.TIMED_OUT, "2026-03-01T12:00:00Z");
    Step step = step(request(over, false, true, timedOut), CORDONED, order("Reboot", "{}"));
    assertThat(step.status()).isEqualTo(over);
    assertThat(step.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
  }

  @Test
  @DisplayName("ACT-5: given up by the NodeHealthCheck's controller, nothing more is begun")
  void givenUp() {
    Map<String, String> timedOut = Map.of(WireNames.TIMED_OUT, "2026-03-01T12:00:00Z");
    for (RemediationProgress status : List.of(RemediationProgress.NONE, EVIDENCE, DRAINING)) {
      Step step = step(request(status, false, true, timedOut), CORDONED, NO_ORDER);
      assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
      assertThat(step.actions()).isEmpty();
    }
  }

  @Test
  @DisplayName("ACT-6: order, cordon, finalizer go in this order, each once it is seen to be there")
  void undoes() {
    RemediationRequest<DrainSpec> deleted = request(DRAINING, true, true, Map.of());
    assertThat(step(deleted, CORDONED, order("Reboot", "{}")).actions())
        .containsExactly(new WithdrawOrder("node-1", "order-1"));
    assertThat(step(deleted, CORDONED, NO_ORDER).actions()).containsExactly(new Uncordon(CORDONED));
    Situation<DrainSpec, String> last = situation(deleted, NODE, NO_ORDER, Duration.ZERO);
    assertThat(RemediationRules.common(last, Optional.empty())).isEmpty();
    assertThat(RemediationRules.release(last).actions()).containsExactly(new RemoveFinalizer());
  }

  @Test
  @DisplayName("ACT-6: keeps a cordon without our mark")
  void foreignCordon() {
    RemediationRequest<DrainSpec> deleted = request(DRAINING, true, true, Map.of());
    for (ObservedNode cordoned : List.of(node(true, null, true), node(true, "uid-2", true))) {
      assertThat(
              RemediationRules.common(
                  situation(deleted, cordoned, NO_ORDER, Duration.ZERO), Optional.empty()))
          .isEmpty();
    }
    assertThat(step(request(DRAINING, true, false, Map.of()), CORDONED, NO_ORDER).actions())
        .as("without our finalizer nothing was begun")
        .isEmpty();
  }

  @Test
  @DisplayName("ACT-18: without its node a remediation has failed, unless that was expected")
  void nodeGone() {
    Step gone = RemediationRules.withoutNode(request(DRAINING), NO_ORDER, NOW);
    assertThat(gone.status().phase()).isEqualTo(RemediationPhase.FAILED);
    RemediationProgress expected = DRAINING.expectingNodeDeletion("its machine goes", NOW);
    assertThat(RemediationRules.withoutNode(request(expected), NO_ORDER, NOW).status().phase())
        .isEqualTo(RemediationPhase.DONE);
    assertThat(
            RemediationRules.withoutNode(request(DRAINING, true, true, Map.of()), NO_ORDER, NOW)
                .actions())
        .containsExactly(new RemoveFinalizer());
    assertThat(
            RemediationRules.withoutNode(
                    request(DRAINING, true, true, Map.of()), order("Reboot", "{}"), NOW)
                .actions())
        .containsExactly(new WithdrawOrder("node-1", "order-1"));
  }

  @Test
  @DisplayName(
      "ACT-19: a spec that cannot be carried out has failed, so that the next may be tried")
  void refused() {
    Situation<?, ?> pending =
        situation(
            request(RemediationProgress.NONE, false, false, Map.of()),
            NODE,
            NO_ORDER,
            Duration.ZERO);
    Step step = RemediationRules.refused(pending, "spec.timeout: Invalid value");
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(step.status().message()).isEqualTo("spec.timeout: Invalid value");
    Situation<?, ?> deleted =
        situation(request(DRAINING, true, true, Map.of()), CORDONED, NO_ORDER, Duration.ZERO);
    assertThat(RemediationRules.refused(deleted, "x").actions())
        .containsExactly(new Uncordon(CORDONED));
    assertThat(Objects.toString(step.notices())).contains("InvalidSpec");
  }

  @Test
  @DisplayName("ACT-4: reports each new hold reason in one Event")
  void heldByAnother() {
    RemediationRequest<DrainSpec> pending =
        request(RemediationProgress.NONE, false, false, Map.of());
    Step first = held(pending, "Blackout");
    assertThat(first.notices())
        .containsExactly(new Notice(false, "RemediationHeld", "Blackout: until Monday"));
    assertThat(first.again()).contains(Duration.ofSeconds(30));
    RemediationRequest<DrainSpec> held = pending.with(first.status());
    assertThat(held(held, "Blackout").notices()).isEmpty();
    assertThat(held(held, "Blackouts").notices()).hasSize(1);
    assertThat(held(held, "TooMany").notices())
        .containsExactly(new Notice(false, "RemediationHeld", "TooMany: until Monday"));
    assertThat(
            held(
                    pending.with(
                        RemediationProgress.NONE.in(
                            RemediationPhase.PENDING, "Blackout: before", NOW)),
                    "Blackout")
                .notices())
        .as("a message of another phase holds nothing")
        .hasSize(1);
  }

  private static Step held(RemediationRequest<DrainSpec> request, String reason) {
    return RemediationRules.common(
            situation(request, NODE, NO_ORDER, Duration.ZERO),
            Optional.of(new ActionHold(reason, "until Monday")))
        .orElseThrow();
  }

  @Test
  @DisplayName("ACT-6: a begin is followed at once by what comes next, and an Event says so")
  void beginIsSaid() {
    Step first = step(request(RemediationProgress.NONE, false, false, Map.of()), NODE, NO_ORDER);
    assertThat(first.again()).contains(SOON);
    assertThat(first.notices()).isEmpty();
    Step second = step(request(RemediationProgress.NONE), NODE, NO_ORDER);
    assertThat(second.again()).contains(SOON);
    assertThat(second.status().message())
        .isEqualTo("started; asking the node's agent for evidence");
    assertThat(second.status().node()).isEqualTo("node-1");
    assertThat(second.notices())
        .containsExactly(
            new Notice(false, "RemediationStarted", "DrainRemediation of node node-1 started"));
  }

  @Test
  @DisplayName("ACT-10: the order for evidence says which boot it is for, and is seen again soon")
  void evidenceOrder() {
    Step put = step(request(EVIDENCE), NODE, NO_ORDER);
    assertThat(put.again()).contains(Duration.ofSeconds(5));
    assertThat(put.actions())
        .containsExactly(
            new PutOrder(
                "node-1",
                json(
                    "{'action': 'Diagnose', 'bootID': 'boot-1', 'timeoutSeconds': 30, 'reason':"
                        + " '%s', 'granted': false}".formatted(request(EVIDENCE).ref()))));
  }

  @ParameterizedTest
  @DisplayName("ACT-10: waits for the agent and orders evidence only once")
  @ValueSource(
      strings = {
        "{}",
        "{'phase': 'Started', 'bootID': 'boot-1'}",
        "{'phase': 'Claimed', 'bootID': 'boot-1'}",
        "{'phase': 'Claimed', 'bootID': 'boot-2'}"
      })
  void evidenceAwaited(String status) {
    JsonNode granted = order("Diagnose", status);
    ((ObjectNode) granted.get("spec")).put("granted", true);
    Step step = step(request(EVIDENCE), NODE, granted);
    assertThat(step.status()).isEqualTo(EVIDENCE);
    assertThat(step.actions()).isEmpty();
    assertThat(step.again()).contains(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("ACT-10: an agent that has claimed its order and is late is not let begin")
  void claimedLate() {
    JsonNode claimed = order("Diagnose", "{'phase': 'Claimed', 'bootID': 'boot-1'}");
    Step before = step(request(EVIDENCE), NODE, claimed, EvidenceRules.TIMEOUT.minusSeconds(1));
    assertThat(before.actions()).containsExactly(new GrantOrder("node-1", "order-1", "9"));
    assertThat(before.again()).contains(Duration.ofSeconds(5));
    Step late = step(request(EVIDENCE), NODE, claimed, EvidenceRules.TIMEOUT);
    assertThat(digest(late)).hasValue("no evidence: the agent did not respond within 45 s");
    assertThat(late.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
  }

  @Test
  @DisplayName("ACT-10: reports the evidence, or its absence, in an Event")
  void evidenceIsSaid() {
    Step kept =
        step(
            request(EVIDENCE),
            NODE,
            order(
                "Diagnose",
                "{'phase': 'Done', 'evidence': {'name': 'a.tgz', 'sha256': 'ff', 'bytes': 7,"
                    + " 'digest': ['OOM', 'disk']}}"));
    String text = "evidence saved on the node as a.tgz (7 bytes, SHA-256 ff)";
    assertThat(kept.status().message()).isEqualTo(text);
    assertThat(kept.status().phase()).isEqualTo(RemediationPhase.EVIDENCE);
    assertThat(kept.notices())
        .containsExactly(new Notice(false, "EvidenceKept", text + ": OOM | disk"));
    assertThat(kept.again()).contains(SOON);
    Step none =
        step(
            request(EVIDENCE),
            NODE,
            order("Diagnose", "{'phase': 'Failed', 'message': 'disk full'}"));
    assertThat(none.status().message()).isEqualTo("no evidence: the agent failed: disk full");
    assertThat(none.notices())
        .containsExactly(
            new Notice(true, "NoEvidence", "no evidence: the agent failed: disk full"));
    assertThat(
            digest(
                step(
                    request(EVIDENCE),
                    NODE,
                    order("Diagnose", "{'phase': 'Done', 'message': 'done'}"))))
        .hasValue("no evidence: the agent saved nothing: done");
  }

  @Test
  @DisplayName("ACT-10: the order for evidence is withdrawn even after a crash between the two")
  void evidenceWithdrawnLater() {
    RemediationProgress kept = EVIDENCE.with(new KeptEvidence("a.tgz", "ff", 7, List.of("OOM")));
    Step step = step(request(kept), NODE, order("Diagnose", "{'phase': 'Done'}"));
    assertThat(step.status()).isEqualTo(kept);
    assertThat(step.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    assertThat(step.again()).contains(SOON);
  }

  @Test
  @DisplayName("ACT-10: where the node has an order of another, there is no evidence, and it stays")
  void evidenceOfAnother() {
    JsonNode foreign = order("Reboot", "{}");
    ((ObjectNode) foreign.at("/spec/remediation")).put("uid", "uid-2");
    Step step = step(request(EVIDENCE), NODE, foreign);
    assertThat(digest(step)).hasValue("no evidence: the node already has another order");
    assertThat(step.actions()).isEmpty();
    assertThat(step.again()).contains(SOON);
  }

  @ParameterizedTest
  @DisplayName("ACT-10: an order that the API server may yet take is given again, for 45 s")
  @ValueSource(ints = {0, 44})
  void orderAgain(int seconds) {
    List<Outcome> passing =
        List.of(
            new Outcome(new PutOrder("node-1", NO_ORDER), new ApiResult.Unanswered("away")),
            new Outcome(new PutOrder("node-1", NO_ORDER), new ApiResult.Done(NO_ORDER)),
            new Outcome(new AddFinalizer(), new ApiResult.Refused(404, "not found", null)));
    for (Outcome outcome : passing) {
      Step step = afterOutcome(outcome, Duration.ofSeconds(seconds));
      assertThat(step.actions()).singleElement().isInstanceOf(PutOrder.class);
      assertThat(step.status()).isEqualTo(EVIDENCE);
      assertThat(digest(afterOutcome(outcome, EvidenceRules.TIMEOUT)))
          .hasValue("no evidence: the order could not be created within 45 s");
    }
  }

  private static Step afterOutcome(Outcome outcome, Duration later) {
    return RemediationRules.common(
            new Situation<>(
                request(EVIDENCE), NODE, NO_ORDER, "", List.of(outcome), NOW.plus(later)),
            Optional.empty())
        .orElseThrow();
  }

  @ParameterizedTest
  @DisplayName("ACT-5: a timed-out remediation reports whether it had started")
  @CsvSource({
    "PENDING, not started",
    "HELD, not started",
    "EVIDENCE, stopped",
    "DRAINING, stopped",
    "ORDERED, stopped",
    "WAITING, stopped"
  })
  void givenUpSaysHowFar(RemediationPhase phase, String how) {
    Map<String, String> timedOut = Map.of(WireNames.TIMED_OUT, "2026-03-01T12:00:00Z");
    Step step =
        step(request(Situations.in(phase), false, true, timedOut), NODE, order("Reboot", "{}"));
    String text = how + ": the NodeHealthCheck controller reported a timeout";
    assertThat(step.status().message()).isEqualTo(text);
    assertThat(step.notices()).containsExactly(new Notice(true, "RemediationStopped", text));
    assertThat(step.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    assertThat(step.again()).contains(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("ACT-6: what is undone is seen again after a second, and a cordon's end is an Event")
  void undoneIsSeenAgain() {
    RemediationRequest<DrainSpec> deleted = request(DRAINING, true, true, Map.of());
    Step withdrawn = step(deleted, CORDONED, order("Reboot", "{}"));
    assertThat(withdrawn.again()).contains(Duration.ofSeconds(1));
    assertThat(withdrawn.notices()).isEmpty();
    Step uncordoned = step(deleted, CORDONED, NO_ORDER);
    assertThat(uncordoned.again()).contains(Duration.ofSeconds(1));
    assertThat(uncordoned.notices())
        .containsExactly(new Notice(false, "Uncordoned", "the node accepts pods again"));
  }

  @Test
  @DisplayName("ACT-18: what is over stays so without its node, and its order goes, too")
  void nodeGoneLater() {
    RemediationProgress over = DRAINING.succeeded("drained", NOW);
    Step step = RemediationRules.withoutNode(request(over), order("Reboot", "{}"), NOW);
    assertThat(step.status()).isEqualTo(over);
    assertThat(step.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    assertThat(step.again()).contains(Duration.ofSeconds(1));
    Step gone = RemediationRules.withoutNode(request(DRAINING), NO_ORDER, NOW);
    assertThat(gone.status().message()).isEqualTo("node node-1 does not exist");
    assertThat(gone.actions()).as("it is not deleted").isEmpty();
    assertThat(
            RemediationRules.withoutNode(request(DRAINING, true, false, Map.of()), NO_ORDER, NOW)
                .actions())
        .as("without our finalizer there is none to remove")
        .isEmpty();
    assertThat(
            RemediationRules.withoutNode(request(DRAINING, true, true, Map.of()), NO_ORDER, NOW)
                .status())
        .as("deleted, it does not fail")
        .isEqualTo(DRAINING);
  }

  @Test
  @DisplayName("ACT-19: a spec that cannot be carried out any more changes nothing of what is over")
  void refusedLater() {
    RemediationProgress over = DRAINING.succeeded("drained", NOW);
    Step step =
        RemediationRules.refused(
            situation(request(over), NODE, order("Reboot", "{}"), Duration.ZERO), "x");
    assertThat(step.status()).isEqualTo(over);
    assertThat(step.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    assertThat(step.notices()).isEmpty();
    assertThat(
            RemediationRules.refused(
                    situation(
                        request(DRAINING, true, true, Map.of()), NODE, NO_ORDER, Duration.ZERO),
                    "x")
                .actions())
        .containsExactly(new RemoveFinalizer());
    Step pending =
        RemediationRules.refused(
            situation(request(DRAINING), NODE, NO_ORDER, Duration.ZERO), "spec.timeout");
    assertThat(pending.notices()).containsExactly(new Notice(true, "InvalidSpec", "spec.timeout"));
  }
}
