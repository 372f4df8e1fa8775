package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.NOW;
import static io.probelet.remediator.decide.Situations.NO_ORDER;
import static io.probelet.remediator.decide.Situations.UID;
import static io.probelet.remediator.decide.Situations.json;
import static io.probelet.remediator.decide.Situations.node;
import static io.probelet.remediator.decide.Situations.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.remediator.decide.ObservedHook.OfJob;
import io.probelet.remediator.decide.ObservedHook.State;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.NodeConditionStatus;
import io.probelet.remediator.resource.RebootMode;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import io.probelet.remediator.resource.UncordonSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a node takes pods again after its remediation was deleted. */
class UncordonRulesTest {
  private static final List<NodeConditionStatus> CONDITIONS =
      List.of(NodeConditionStatus.READY, new NodeConditionStatus("DiskFull", "False"));

  private static final ObjectNode JOB =
      (ObjectNode) json("{'spec': {'template': {'spec': {'containers': [{'name': 'a'}]}}}}");

  private final List<Notice> notices = new ArrayList<>();
  private RemediationProgress status =
      Situations.in(RemediationPhase.DONE).succeeded("drained", NOW);

  private static UncordonSpec spec(int stable, @Nullable ObjectNode job) {
    return new UncordonSpec(CONDITIONS, Duration.ofSeconds(stable), job, Duration.ofSeconds(60));
  }

  /**
   * A cordoned node with the conditions {@code Ready} and {@code DiskFull}; - for a missing one.
   */
  private static ObservedNode cordoned(String conditions) {
    String[] both = conditions.split(" ", -1);
    Map<String, String> statuses = new HashMap<>();
    statuses.put("Ready", both[0]);
    if (!both[1].equals("-")) {
      statuses.put("DiskFull", both[1]);
    }
    ObservedNode node = node(true, UID, true);
    return new ObservedNode(
        node.name(),
        node.uid(),
        node.resourceVersion(),
        node.bootId(),
        true,
        statuses,
        List.of(),
        Map.of(),
        node.annotations());
  }

  private Step step(
      UncordonSpec spec, String conditions, int second, Object observed, Outcome... before) {
    RemediationRequest<DrainSpec> deleted = request(status, true, true, Map.of());
    DrainSpec drain = new DrainSpec(Duration.ofMinutes(10), false, null, true, true, spec);
    RemediationRequest<DrainSpec> request =
        new RemediationRequest<>(
            RemediationKind.DRAIN,
            deleted.ref(),
            UID,
            "5",
            NOW,
            "node-1",
            drain,
            status,
            true,
            deleted.finalizers(),
            Map.of());
    Step step =
        RemediationRules.common(
                new Situation<>(
                    request,
                    cordoned(conditions),
                    NO_ORDER,
                    observed,
                    List.of(before),
                    NOW.plusSeconds(second)),
                Optional.empty())
            .orElseThrow();
    status = step.status();
    notices.addAll(step.notices());
    return step;
  }

  private static String actions(Step step) {
    return step.actions().stream()
        .map(action -> action.getClass().getSimpleName())
        .reduce((one, other) -> one + "," + other)
        .orElse("-");
  }

  @ParameterizedTest
  @CsvSource({
    // "second conditions" of each look, and what the last look decides
    "0,  '0 True False',                                                    -",
    "0,  '0 True False; 1 True False',                                      Uncordon",
    "0,  '0 False False; 30 False False; 40 True False',                    Uncordon",
    "0,  '0 True -; 30 True -',                                             -",
    "0,  '0 Unknown False; 59 Unknown False',                               -",
    "0,  '0 Unknown False; 60 Unknown False',                               KeepCordoned",
    "0,  '0 False False; 60 True False',                                    KeepCordoned",
    "30, '0 True False; 29 True False',                                     -",
    "30, '0 True False; 30 True False',                                     Uncordon",
    "30, '0 True False; 20 True True; 40 True False; 60 True False',        -",
    "30, '0 True False; 20 True True; 40 True False; 71 True False',        Uncordon",
    "30, '0 True True; 59 True True; 61 True False; 89 True False',         -",
    "30, '0 True True; 59 True True; 61 True False; 90 True False',         KeepCordoned",
  })
  void uncordonsOnlyOnceTheConditionsHeldLongEnough(int stable, String looks, String decided) {
    Step last = null;
    for (String look : looks.split("; ", -1)) {
      int space = look.indexOf(' ');
      last =
          step(
              spec(stable, null),
              look.substring(space + 1),
              Integer.parseInt(look.substring(0, space)),
              "");
    }
    assertThat(actions(last)).isEqualTo(decided);
    assertThat(last.again()).isPresent();
    assertThat(status.phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(notices.getFirst().reason()).isEqualTo("UncordonPending");
    String end = decided.equals("-") ? "UncordonPending" : decided;
    assertThat(notices.getLast().reason())
        .isEqualTo(
            Map.of(
                    "UncordonPending", "UncordonPending",
                    "Uncordon", "Uncordoned",
                    "KeepCordoned", "UncordonTimedOut")
                .get(end));
  }

  @Test
  void saysWhatTheNodeLacks() {
    step(spec(30, null), "Unknown -", 0, "");
    step(spec(30, null), "Unknown -", 5, "");
    assertThat(status.conditions().getLast().message())
        .isEqualTo("Ready is Unknown, not True, DiskFull is missing, not False");
    assertThat(actions(step(spec(30, null), "Unknown -", 90, ""))).isEqualTo("KeepCordoned");
    assertThat(notices.getLast().message())
        .isEqualTo(
            "not uncordoned within 1m30s: Ready is Unknown, not True, DiskFull is missing, not False");
    assertThat(notices.getLast().warning()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "MISSING,                   Create, -",
    "MISSING RUNNING,           -,      -",
    "MISSING RUNNING COMPLETE,  Uncordon, Uncordoned",
    "MISSING COMPLETE,          Uncordon, Uncordoned",
    "MISSING RUNNING FAILED,    KeepCordoned, UncordonJobFailed",
    "MISSING RUNNING MISSING,   KeepCordoned, UncordonJobFailed",
    "FOREIGN,                   KeepCordoned, UncordonJobFailed",
  })
  void jobMustComplete(String states, String decided, String event) {
    step(spec(0, JOB), "True False", 0, new OfJob(State.MISSING, ""));
    Step last = null;
    int second = 1;
    for (String state : states.split(" ", -1)) {
      last = step(spec(0, JOB), "True False", second++, new OfJob(State.valueOf(state), "no disk"));
    }
    assertThat(actions(last)).isEqualTo(decided);
    assertThat(notices)
        .extracting(Notice::reason)
        .endsWith(event.equals("-") ? "UncordonPending" : event);
  }

  @Test
  void jobIsNotStartedBeforeTheConditionsAreThere() {
    OfJob missing = new OfJob(State.MISSING, "");
    step(spec(0, JOB), "False False", 0, missing);
    assertThat(actions(step(spec(0, JOB), "False False", 10, missing))).isEqualTo("-");
    Step create = step(spec(0, JOB), "True False", 11, missing);
    assertThat(create.actions().toString()).contains("probelet-uncordon-uid-1", "PROBELET_NODE");
    OfJob running = new OfJob(State.RUNNING, "");
    assertThat(actions(step(spec(0, JOB), "True False", 59, running))).isEqualTo("-");
    assertThat(actions(step(spec(0, JOB), "True False", 60, running))).isEqualTo("KeepCordoned");
  }

  @Test
  void jobThatCannotBeCreatedKeepsTheNodeCordoned() {
    OfJob missing = new OfJob(State.MISSING, "");
    step(spec(0, JOB), "True False", 0, missing);
    Action create = step(spec(0, JOB), "True False", 1, missing).actions().getFirst();
    ApiResult busy = new ApiResult.Refused(429, "slow down", null);
    assertThat(actions(step(spec(0, JOB), "True False", 2, missing, new Outcome(create, busy))))
        .isEqualTo("Create");
    ApiResult refused = new ApiResult.Refused(403, "cannot create jobs", null);
    assertThat(actions(step(spec(0, JOB), "True False", 3, missing, new Outcome(create, refused))))
        .isEqualTo("KeepCordoned");
    assertThat(notices.getLast().message()).contains("the Job cannot be created: 403");
  }

  @Test
  void rebootHasTheChecksOfItsDrain() {
    UncordonSpec checks = spec(0, null);
    DrainSpec drain = new DrainSpec(Duration.ofMinutes(1), false, null, true, true, checks);
    RebootSpec reboot =
        new RebootSpec(drain, RebootMode.REBOOT, Duration.ofMinutes(1), Duration.ofMinutes(1));
    assertThat(reboot.uncordon()).contains(checks);
  }
}
