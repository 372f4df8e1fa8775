package io.probelet.nodehealth.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.policy.PolicyHold.AwaitingApproval;
import io.probelet.nodehealth.policy.PolicyHold.DryRun;
import io.probelet.nodehealth.policy.PolicyHold.GivenUp;
import io.probelet.nodehealth.policy.PolicyHold.HistoryFull;
import io.probelet.nodehealth.policy.PolicyHold.HourlyLimit;
import io.probelet.nodehealth.policy.PolicyHold.InBlackout;
import io.probelet.nodehealth.policy.PolicyHold.NodeLimit;
import io.probelet.nodehealth.policy.PolicyHold.OutsideWindows;
import io.probelet.nodehealth.policy.PolicyHold.Paused;
import io.probelet.nodehealth.policy.PolicyHold.Unknown;
import io.probelet.nodehealth.policy.PolicyHold.Unreadable;
import io.probelet.nodehealth.policy.PolicyHold.ZoneLimit;
import io.probelet.nodehealth.policy.PolicyLimits.Backstop;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Percent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a user reads of why a policy lets nothing begin. */
class PolicyHoldTest {
  private static final String KIND = "RebootRemediation";
  private static final Instant UNTIL = Instant.parse("2026-01-01T00:00:00Z");

  /** What is said of a hold, in the order in which one of several is said. */
  record Said(PolicyHold hold, String policy, String label, boolean ofOneNode, String message) {}

  static final List<Said> ALL =
      List.of(
          new Said(
              new Unknown("no right to list"),
              "",
              "PolicyUnknown",
              false,
              "the RemediationPolicies could not be read: no right to list"),
          new Said(
              new Unreadable("p", "spec.x: unknown field"),
              "p",
              "PolicyUnreadable",
              false,
              "RemediationPolicy p: invalid spec, no remediation starts: spec.x: unknown field"),
          new Said(new Paused("p"), "p", "PolicyPaused", false, "RemediationPolicy p: paused"),
          new Said(
              new InBlackout("p", UNTIL),
              "p",
              "PolicyInBlackout",
              false,
              "RemediationPolicy p: blackout until 2026-01-01T00:00:00Z"),
          new Said(
              new OutsideWindows("p", UNTIL),
              "p",
              "PolicyOutsideWindows",
              false,
              "RemediationPolicy p: no window is open; the next one opens 2026-01-01T00:00:00Z"),
          new Said(
              new GivenUp("p", "n1", KIND, new Backstop(3, Duration.ofMinutes(90)), UNTIL),
              "p",
              "PolicyGivenUp",
              true,
              "RemediationPolicy p: node n1 was remediated 3 times within 1h30m; gave up until"
                  + " 2026-01-01T00:00:00Z, or until you annotate the node with"
                  + " probelet.io/approved=RebootRemediation"),
          new Said(
              new AwaitingApproval("p", "n1", KIND),
              "p",
              "PolicyAwaitingApproval",
              true,
              "RemediationPolicy p: RebootRemediation of node n1 needs approval: annotate"
                  + " the node with probelet.io/approved=RebootRemediation"),
          new Said(
              new HistoryFull("p", UNTIL),
              "p",
              "PolicyHistoryFull",
              false,
              "RemediationPolicy p: its history is full (1000 remediations) until"
                  + " 2026-01-01T00:00:00Z"),
          new Said(
              new HourlyLimit("p", 2, 1, UNTIL),
              "p",
              "PolicyHourlyLimit",
              false,
              "RemediationPolicy p: 2 started within the last hour, limit 1; the next may start at"
                  + " 2026-01-01T00:00:00Z"),
          new Said(
              new NodeLimit("p", 2, 1, new Percent(10)),
              "p",
              "PolicyNodeLimit",
              false,
              "RemediationPolicy p: 2 being remediated, limit 1 (maxNodes 10%)"),
          new Said(
              new ZoneLimit("p", "a", 2, 1),
              "p",
              "PolicyZoneLimit",
              false,
              "RemediationPolicy p: 2 in zone a being remediated, limit 1"),
          new Said(
              new DryRun("p", "n1", KIND),
              "p",
              "PolicyDryRun",
              true,
              "RemediationPolicy p: dry run: would create RebootRemediation for node n1"));

  @ParameterizedTest
  @FieldSource("ALL")
  @DisplayName("each has a sentence for users, a word for metrics, and is of one node or of all")
  void texts(Said said) {
    PolicyHold hold = said.hold();
    assertThat(hold.policy()).isEqualTo(said.policy());
    assertThat(hold.label()).isEqualTo(said.label());
    assertThat(hold.isOfOneNode()).isEqualTo(said.ofOneNode());
    assertThat(hold.reason()).isNotEmpty();
    assertThat(hold.message()).isEqualTo(said.message()).endsWith(hold.reason());
  }

  @Test
  @DisplayName("what has no moment, no number or no zone is said without")
  void otherTexts() {
    assertThat(new OutsideWindows("p", null).reason())
        .isEqualTo("no window is open and none opens in the coming years");
    assertThat(new HourlyLimit("p", 2, 0, null).reason())
        .isEqualTo("2 started within the last hour, limit 0");
    assertThat(new ZoneLimit("p", "", 2, 1).reason())
        .isEqualTo("2 in no zone being remediated, limit 1");
  }

  @Test
  @DisplayName("ACT-70 of two the stricter is said, of equals the one that was there")
  void worse() {
    for (int i = 0; i < ALL.size(); i++) {
      PolicyHold worse = ALL.get(i).hold();
      assertThat(PolicyHold.worse(null, worse)).isSameAs(worse);
      for (Said said : ALL.subList(i + 1, ALL.size())) {
        assertThat(PolicyHold.worse(worse, said.hold())).isSameAs(worse);
        assertThat(PolicyHold.worse(said.hold(), worse)).isSameAs(worse);
      }
    }
    PolicyHold first = new Paused("a");
    assertThat(PolicyHold.worse(first, new Paused("b"))).isSameAs(first);
  }
}
