package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an unhealthy node is planned again, and until when an earlier remediation is endured. */
class UnhealthyNodeRulesTest {
  private static final String OURS = "NodeHealthCheck-nhc";

  private static Instant second(int second) {
    return Scene.START.plusSeconds(second);
  }

  /** A remediation since second 301, and another template since second 360. */
  private static Scene templateChanged() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.add(check().using(template("OtherRemediationTemplate", "other")));
    return scene;
  }

  @ParameterizedTest
  @CsvSource({
    // without a lease three times ten minutes from the remediation's creation, and a second
    ", 0, 2102, 0",
    "drainer, 961, 2102, 0",
    // ours counts from its acquiring at 100, and is renewed a minute before its end
    "NodeHealthCheck-nhc, 961, 902, 0",
    "NodeHealthCheck-nhc, 959, 961, 1",
  })
  @DisplayName("R-20, R-14 an earlier remediation is watched until its lease is overdue")
  void endured(String holder, int expiry, int wakeUp, int renewals) {
    Scene scene = templateChanged();
    scene.cluster.write(new ReleaseLease("n1", scene.cluster.lease("n1").orElseThrow()));
    if (holder != null) {
      scene.cluster.put(
          new NodeLease(
              "node-n1",
              holder,
              second(100),
              second(301),
              Duration.ofSeconds(expiry - 301),
              0,
              "x"));
    }
    int before = scene.done(ClaimLease.class).size();
    scene.controller.settle();
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.EarlierRemediation.class);
    assertThat(scene.controller.nextWakeUp()).contains(second(wakeUp));
    assertThat(scene.done(ClaimLease.class)).hasSize(before + renewals);
  }

  @Test
  @DisplayName("R-20, R-14 one whose lease was acquired earlier than it was created ends with that")
  void endsWithLease() {
    Scene scene = templateChanged();
    scene.cluster.put(
        new NodeLease("node-n1", OURS, second(100), second(1800), Duration.ofMinutes(11), 0, "x"));
    scene.cluster.advanceTo(second(1900));
    scene.controller.settle();
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n1");
    assertThat(scene.controller.nextWakeUp()).contains(second(1901));
    scene.pass(Duration.ofSeconds(1));
    assertThat(scene.remediations()).containsExactly("OtherRemediation/n1", "RebootRemediation/n1");
  }

  @Test
  @DisplayName("R-20 one that was annotated as given up is, whatever the annotation says")
  void annotatedByHand() {
    Scene scene = templateChanged();
    scene.cluster.put(
        scene.remediation("RebootRemediation").withAnnotation(WireNames.TIMED_OUT, "by hand"));
    scene.controller.settle();
    assertThat(scene.remediations()).containsExactly("OtherRemediation/n1", "RebootRemediation/n1");
  }

  @Test
  @DisplayName("R-20 one that succeeded is given up in the status alone, and the other follows")
  void succeeded() {
    Scene scene = templateChanged();
    scene.succeeded(scene.remediation("RebootRemediation"), Success.YES);
    scene.minutes(36);
    assertThat(scene.remediation("RebootRemediation").annotations())
        .doesNotContainKey(WireNames.TIMED_OUT);
    assertThat(scene.remediations()).containsExactly("OtherRemediation/n1", "RebootRemediation/n1");
  }

  @Test
  @DisplayName("R-4, R-14 a lease is renewed a minute before it ends")
  void wakesToRenew() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.controller.nextWakeUp()).contains(second(902));
  }

  @Test
  @DisplayName("R-18 what was given up is gone on from a second later")
  void givenUp() {
    Scene scene = Scene.of(twoSteps(4, 10), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.cluster.advanceTo(second(541));
    Plan plan =
        RemediationPlanner.plan(
            scene.cluster.view("nhc"), scene.controller.lastPlan("nhc").orElseThrow().memory());
    assertThat(plan.actions()).hasAtLeastOneElementOfType(MarkTimedOut.class);
    assertThat(plan.wakeUp()).isEqualTo(second(542));
  }

  @Test
  @DisplayName("R-14, R-15 one plan claims the lease first, then creates the remediation")
  void claimsAndCreates() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.cluster.advanceTo(second(301));
    assertThat(scene.plan(PendingWrites.NONE).actions())
        .extracting(action -> action.getClass().getSimpleName())
        .containsExactly("EmitEvent", "ClaimLease", "CreateRemediation", "EmitEvent");
  }

  @ParameterizedTest
  @CsvSource({"true, 301", "false, 541"})
  @DisplayName("R-14 an expired lease of ours goes on with the next step, and else begins anew")
  void expiredLease(boolean firstStays, int acquired) {
    Scene scene = Scene.of(twoSteps(4, 10), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    if (!firstStays) {
      scene.cluster.remove(scene.remediation("FirstRemediation").uid());
    }
    scene.cluster.put(
        new NodeLease("node-n1", OURS, second(301), second(301), Duration.ofMinutes(1), 0, "x"));
    scene.cluster.advanceTo(second(541));
    scene.controller.settle();
    scene.pass(Duration.ofSeconds(1));
    assertThat(scene.done(CreateRemediation.class)).hasSize(2);
    assertThat(scene.cluster.lease("n1").orElseThrow().acquireTime()).isEqualTo(second(acquired));
  }

  @Test
  @DisplayName("R-12 what held a node back is news again once it was decided about meanwhile")
  void heldBackAgain() {
    Scene scene = Scene.of(check(), 3);
    scene.label("n1", WireNames.EXCLUDE, "true");
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.events()).containsOnlyOnce("RemediationSkipped");
    scene.label("n1", WireNames.EXCLUDE, null);
    scene.cluster.remove(scene.remediation("RebootRemediation").uid());
    scene.label("n1", WireNames.EXCLUDE, "true");
    assertThat(scene.events().stream().filter("RemediationSkipped"::equals)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "2341, both, false, 0", // just not overdue
    "2342, both, false, 1",
    "2342, first, false, 0", // the status does not say yet which remediation it was
    "2342, none, false, 0",
    "2342, both, true, 0", // the API server has not confirmed that status
  })
  @DisplayName("R-14 with no template left, the lease goes when overdue and recorded as given up")
  void overdueWithoutTemplate(int at, String recorded, boolean statusUnseen, int releases) {
    Scene scene = Scene.of(twoSteps(4, 10), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(30);
    assertThat(scene.hold("n1")).isEqualTo(new HoldReason.NoTemplateLeft(2));
    assertThat(scene.controller.nextWakeUp()).contains(second(2342));
    List<TrackedRemediation> all = scene.unhealthy("n1").remediations();
    int count = recorded.equals("both") ? 2 : recorded.equals("first") ? 1 : 0;
    NodeHealthCheckStatus status = scene.status();
    scene.cluster.writeStatus(
        "nhc",
        new NodeHealthCheckStatus(
            status.observedNodes(),
            status.healthyNodes(),
            List.of(new UnhealthyNode("n1", all.subList(0, count), null, false)),
            status.conditions(),
            status.phase(),
            status.reason(),
            status.lastUpdateTime()));
    scene.cluster.advanceTo(second(at));
    Plan plan = scene.plan(new PendingWrites(Set.of(), Set.of(), statusUnseen));
    assertThat(plan.actions().stream().filter(ReleaseLease.class::isInstance)).hasSize(releases);
  }

  @Test
  @DisplayName("R-20 the template was changed while a remediation runs: no second one beside it")
  void frozen() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    ObjectRef other = template("OtherRemediationTemplate", "other");
    scene.add(check().using(other));
    scene.minutes(5);
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n1");
    assertThat(scene.hold("n1"))
        .isEqualTo(
            new HoldReason.EarlierRemediation(
                new ObjectRef("example.io/v1", "RebootRemediation", "remedies", "n1")));
    assertThat(scene.status().phase()).isEqualTo(Phase.REMEDIATING);

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
  }

  @Test
  @DisplayName(
      "R-20 a step was put before that of a remediation that runs: no second one beside it")
  void preceded() {
    Scene scene = Scene.of(check().using(template("SecondRemediationTemplate", "second")), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).containsExactly("SecondRemediation/n1");
    scene.add(twoSteps(2, 3));
    scene.minutes(5);
    assertThat(scene.remediations()).containsExactly("SecondRemediation/n1");
  }

  @ParameterizedTest
  @CsvSource({"NO, PT0S", "UNKNOWN, PT35M"})
  @DisplayName("R-20 an earlier one that failed, or held its lease for too long, is given up")
  void frozenNotForEver(Success success, Duration wait) {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.add(check().using(template("OtherRemediationTemplate", "other")));
    scene.succeeded(scene.remediation("RebootRemediation"), success);
    scene.pass(wait);
    assertThat(scene.remediation("RebootRemediation").annotations())
        .containsKey(WireNames.TIMED_OUT);
    assertThat(scene.remediations()).containsExactly("OtherRemediation/n1", "RebootRemediation/n1");
    Instant started = scene.unhealthy("n1").remediations().getLast().started();
    assertThat(started).isBeforeOrEqualTo(scene.cluster.now());
  }
}
