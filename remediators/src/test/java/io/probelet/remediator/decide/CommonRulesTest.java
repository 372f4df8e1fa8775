package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.DRAINING;
import static io.probelet.remediator.decide.Situations.EVIDENCE;
import static io.probelet.remediator.decide.Situations.NOW;
import static io.probelet.remediator.decide.Situations.NO_ORDER;
import static io.probelet.remediator.decide.Situations.UID;
import static io.probelet.remediator.decide.Situations.node;
import static io.probelet.remediator.decide.Situations.order;
import static io.probelet.remediator.decide.Situations.request;
import static io.probelet.remediator.decide.Situations.situation;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.params.provider.EnumSource;

final class CommonRulesTest {
  private static final ObservedNode NODE = node(false, null, true);
  private static final ObservedNode CORDONED = node(true, UID, true);

  private static Step step(RemediationRequest<?> request, ObservedNode node, JsonNode order) {
    return step(request, node, order, Duration.ZERO);
  }

  private static Step step(
      RemediationRequest<?> request, ObservedNode node, JsonNode order, Duration later) {
    return RemediationRules.common(situation(request, node, order, later), Optional.empty())
        .orElseThrow();
  }

  @Test
  @DisplayName("ACT-4: what holds a remediation is said, once, and nothing is done")
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
    assertThat(digest(silent)).hasValue("no evidence: no agent has claimed the order within 15 s");
    assertThat(silent.actions()).containsExactly(new WithdrawOrder("node-1", "order-1"));
    JsonNode collecting = order("Diagnose", "{'phase': 'Started', 'bootID': 'boot-1'}");
    assertThat(digest(step(request(EVIDENCE), NODE, collecting, late.minusSeconds(1)))).isEmpty();
    assertThat(digest(step(request(EVIDENCE), NODE, collecting, late)))
        .hasValue("no evidence: the agent did not answer within 45 s");
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
        .hasValue("no evidence: the agent kept nothing: done");
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
  @DisplayName("ACT-6: a cordon that is not ours is nobody's to undo")
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
}
