package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.remediation.HoldReason.AwaitingOwnWrite;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
import io.probelet.nodehealth.remediation.HoldReason.ControlPlaneBusy;
import io.probelet.nodehealth.remediation.HoldReason.Disabled;
import io.probelet.nodehealth.remediation.HoldReason.EarlierRemediation;
import io.probelet.nodehealth.remediation.HoldReason.Excluded;
import io.probelet.nodehealth.remediation.HoldReason.FloorUnusable;
import io.probelet.nodehealth.remediation.HoldReason.ForeignRemediation;
import io.probelet.nodehealth.remediation.HoldReason.LeaseHeld;
import io.probelet.nodehealth.remediation.HoldReason.NoTemplateLeft;
import io.probelet.nodehealth.remediation.HoldReason.Paused;
import io.probelet.nodehealth.remediation.HoldReason.RemediationEnding;
import io.probelet.nodehealth.remediation.HoldReason.StormCooldown;
import io.probelet.nodehealth.remediation.HoldReason.TooFewHealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor.MaxUnhealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Nodes;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user reads of why a node waits (RB-5). */
class HoldReasonTest {
  private static final ObjectRef REF =
      new ObjectRef("example.io/v1", "RebootRemediation", "remedies", "n1");

  static Stream<Arguments> reasons() {
    return Stream.of(
        Arguments.of(
            new Disabled("InvalidSpec", "why"),
            "Disabled",
            "the NodeHealthCheck is disabled: InvalidSpec: why"),
        Arguments.of(new Paused(List.of("me", "you")), "Paused", "paused: me,you"),
        Arguments.of(new TooFewHealthy(1, 2), "TooFewHealthy", "1 of 2 required nodes are healthy"),
        Arguments.of(
            new FloorUnusable(new MaxUnhealthy(new Nodes(4)), 3),
            "FloorUnusable",
            "maxUnhealthy 4 is more than the 3 nodes selected"),
        Arguments.of(
            new StormCooldown(Scene.START),
            "StormCooldown",
            "storm recovery: cooldown until 2026-01-01T00:00:00Z"),
        Arguments.of(
            new Excluded(),
            "Excluded",
            "excluded by its label remediation.medik8s.io/exclude-from-remediation=true"),
        Arguments.of(
            new ControlPlaneBusy("n2"),
            "ControlPlaneBusy",
            "control-plane node n2 is being remediated, one at a time"),
        Arguments.of(
            new LeaseHeld("drainer", Scene.START),
            "LeaseHeld",
            "the node's lease is held by drainer until 2026-01-01T00:00:00Z"),
        Arguments.of(
            new ForeignRemediation(REF),
            "ForeignRemediation",
            "RebootRemediation remedies/n1 exists and was not created by this NodeHealthCheck"),
        Arguments.of(
            new RemediationEnding(REF),
            "RemediationEnding",
            "the previous RebootRemediation remedies/n1 is still being deleted"),
        Arguments.of(
            new EarlierRemediation(REF),
            "EarlierRemediation",
            "RebootRemediation remedies/n1 still exists, but the NodeHealthCheck no longer names"
                + " its template, or names it after the next one"),
        Arguments.of(
            new NoTemplateLeft(3),
            "NoTemplateLeft",
            "all remediation templates have been tried: 3"),
        Arguments.of(
            new ByPolicy(new PolicyHold.HourlyLimit("p", 2, 2, Scene.START)),
            "PolicyHourlyLimit",
            "RemediationPolicy p: 2 started within the last hour, limit 2; the next may start at"
                + " 2026-01-01T00:00:00Z"),
        Arguments.of(
            new ByPolicy(new PolicyHold.ZoneLimit("p", "", 2, 1)),
            "PolicyZoneLimit",
            "RemediationPolicy p: 2 in no zone being remediated, limit 1"),
        Arguments.of(
            new ByPolicy(new PolicyHold.OutsideWindows("p", null)),
            "PolicyOutsideWindows",
            "RemediationPolicy p: no window is open and none opens in the coming years"),
        Arguments.of(
            new ByPolicy(new PolicyHold.HistoryFull("p", Scene.START)),
            "PolicyHistoryFull",
            "RemediationPolicy p: its history is full (1000 remediations) until"
                + " 2026-01-01T00:00:00Z"),
        Arguments.of(
            new ByPolicy(new PolicyHold.AwaitingApproval("p", "n1", "RebootRemediation")),
            "PolicyAwaitingApproval",
            "RemediationPolicy p: RebootRemediation of node n1 needs approval: annotate"
                + " the node with probelet.io/approved=RebootRemediation"),
        Arguments.of(
            new HoldReason.Settling(), "Settling", "nodes are still failing or recovering"),
        Arguments.of(
            new AwaitingOwnWrite(),
            "AwaitingOwnWrite",
            "the API server has not confirmed the last write yet"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  @DisplayName("RB-5 each reason has a sentence for users and a word for metrics")
  void texts(HoldReason reason, String label, String message) {
    assertThat(reason.label()).isEqualTo(label);
    assertThat(reason.message()).isEqualTo(message);
  }

  @Test
  @DisplayName("R-10 other figures of the same reason are no news, another reason is")
  void news() {
    assertThat(new TooFewHealthy(1, 2).isSameNewsAs(new TooFewHealthy(0, 2))).isTrue();
    assertThat(new TooFewHealthy(1, 2).isSameNewsAs(new ControlPlaneBusy("n2"))).isFalse();
    HoldReason paused = new ByPolicy(new PolicyHold.Paused("p"));
    assertThat(paused.isSameNewsAs(new ByPolicy(new PolicyHold.Paused("p")))).isTrue();
    assertThat(paused.isSameNewsAs(new ByPolicy(new PolicyHold.Paused("q")))).isFalse();
    assertThat(paused.isSameNewsAs(new ByPolicy(new PolicyHold.Unreadable("p", "x")))).isFalse();
    assertThat(paused.isSameNewsAs(new ControlPlaneBusy("n2"))).isFalse();
  }

  @Test
  @DisplayName("R-21 where NHC has no event, the reason is told in our words, with the node's name")
  void ownTexts() {
    assertThat(EventTexts.waits("nhc", "n1", new ForeignRemediation(REF)).message())
        .isEqualTo(
            "node n1: RebootRemediation remedies/n1 exists and was not created by this"
                + " NodeHealthCheck");
    assertThat(
            EventTexts.waits("nhc", null, new FloorUnusable(new MaxUnhealthy(new Nodes(4)), 3))
                .message())
        .isEqualTo("no remediation is started: maxUnhealthy 4 is more than the 3 nodes selected");
    assertThat(EventTexts.waits("nhc", "n1", new ControlPlaneBusy("n2")).message())
        .isEqualTo(
            "Skipping remediation of n1 for preventing control plane / etcd quorum loss, going to"
                + " retry in a minute");
  }
}
