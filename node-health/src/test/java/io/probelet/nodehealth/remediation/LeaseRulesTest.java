package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.LeaseRules.Access;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may work on a node, and for how long. */
class LeaseRulesTest {
  private static final String OURS = "NodeHealthCheck-nhc";
  private static final NodeFacts NODE = Scene.node("n1");
  private static final NodeHealthCheckSpec SPEC =
      check()
          .then("First", "first", Duration.ofMinutes(2))
          .then("Second", "second", Duration.ofMinutes(4))
          .spec();
  private static final RemediationStep FIRST = SPEC.steps().getFirst();
  private static final RemediationStep SECOND = SPEC.steps().getLast();
  private static final RemediationStep UNTIMED = check().spec().steps().getFirst();

  private final LeaseRules rules = new LeaseRules(SPEC, OURS);

  private static Instant second(int second) {
    return Scene.START.plusSeconds(second);
  }

  /** Acquired at second 0. */
  private static NodeLease lease(String holder, int renewed, int seconds) {
    return new NodeLease(
        "node-n1", holder, Scene.START, second(renewed), Duration.ofSeconds(seconds), 4, "7");
  }

  private static LeaseClaim claim(int acquired, int now, int seconds, int transitions) {
    return new LeaseClaim(
        "node-n1",
        OURS,
        "n1-uid",
        second(acquired),
        second(now),
        Duration.ofSeconds(seconds),
        transitions,
        "7");
  }

  @Test
  @DisplayName("R-14 without a lease one is made for the step's time and a minute")
  void first() {
    assertThat(rules.obtain(null, NODE, FIRST, false, second(5)))
        .isEqualTo(
            new Access.Claim(
                new LeaseClaim(
                    "node-n1",
                    OURS,
                    "n1-uid",
                    second(5),
                    second(5),
                    Duration.ofMinutes(3),
                    0,
                    null)));
    assertThat(rules.term(UNTIMED)).isEqualTo(Duration.ofMinutes(10));
    assertThat(claim(0, 5, 60, 0).expiry()).isEqualTo(second(65));
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "60, true", "61, false"})
  @DisplayName("R-14 another's lease is respected from its renewal to its end, and then taken over")
  void others(int second, boolean valid) {
    NodeLease lease = lease("drainer", 0, 60);
    assertThat(lease.isValidAt(second(second))).isEqualTo(valid);
    assertThat(rules.isOurs(lease)).isFalse();
    assertThat(rules.isOurs(null)).isFalse();
    assertThat(rules.obtain(lease, NODE, FIRST, false, second(second)))
        .isEqualTo(
            valid
                ? new Access.Refused("drainer", second(60))
                : new Access.Claim(claim(second, second, 180, 5)));
  }

  @ParameterizedTest
  @CsvSource({
    // expiry at 180, FIRST takes 120 s
    "60, ",
    "61, 0",
    "180, 0",
    "181, 181",
  })
  @DisplayName("R-14 ours is renewed if it would not last, and begins anew if it has run out")
  void ours(int second, Integer acquired) {
    NodeLease lease = lease(OURS, 0, 180);
    assertThat(rules.isOurs(lease)).isTrue();
    assertThat(rules.obtain(lease, NODE, FIRST, false, second(second)))
        .isEqualTo(
            acquired == null
                ? new Access.Granted()
                : new Access.Claim(claim(acquired, second, 180, 4)));
  }

  @ParameterizedTest
  @CsvSource({
    // FIRST is overdue three times 120 s after it was acquired
    "360, 0",
    "361, 361",
  })
  @DisplayName("R-14 the next step goes on with the lease unless it would count as overdue at once")
  void nextStep(int second, int acquired) {
    NodeLease lease = lease(OURS, 360, 180);
    for (RemediationStep step : SPEC.steps()) {
      int seconds = step.equals(FIRST) ? 180 : 300;
      NodeLease needsRenewal = step.equals(FIRST) ? lease(OURS, 300, 60) : lease;
      assertThat(rules.obtain(needsRenewal, NODE, step, true, second(second)))
          .isEqualTo(new Access.Claim(claim(acquired, second, seconds, 4)));
    }
    assertThat(rules.obtain(lease(OURS, 340, 300), NODE, SECOND, true, second(360)))
        .isEqualTo(new Access.Granted());
  }

  @Test
  @DisplayName("R-14 a renewal keeps the time of acquiring, and is due a minute before the end")
  void renewal() {
    NodeLease lease = lease(OURS, 0, 180);
    assertThat(rules.renewal(lease, NODE, FIRST, second(60))).isNull();
    assertThat(rules.renewal(lease, NODE, FIRST, second(61))).isEqualTo(claim(0, 61, 180, 4));
    assertThat(LeaseRules.renewAt(second(180))).isEqualTo(second(121));
  }

  @Test
  @DisplayName("R-14, R-20 overdue after three times the step's time and the times before it")
  void overdue() {
    NodeLease lease = lease(OURS, 0, 180);
    assertThat(rules.overdueAt(lease, FIRST)).isEqualTo(second(360));
    assertThat(rules.overdueAt(lease, SECOND)).isEqualTo(second(840));
    assertThat(LeaseRules.overdueAt(second(0))).isEqualTo(second(1800));
  }

  @Test
  @DisplayName("R-14 a lease's name holds the node's, in lower case")
  void names() {
    assertThat(NodeLease.nameFor("N1")).isEqualTo("node-n1");
    assertThat(NodeLease.holderFor("nhc")).isEqualTo(OURS);
    assertThat(lease(OURS, 0, 1).node()).isEqualTo("n1");
    NodeLease stranger = new NodeLease("n1", "", second(0), second(0), Duration.ZERO, 0, "1");
    assertThat(stranger.node()).isEqualTo("n1");
  }

  @Test
  @DisplayName("NHC-17, R-14 two NodeHealthChecks select one node: one remediation")
  void twoChecksOneNode() {
    Scene scene = Scene.of(check(), 3);
    scene.add(check().named("other").using(template("OtherRemediationTemplate", "o")));
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n1");
    HoldReason hold = scene.controller.lastPlan("other").orElseThrow().holdOf("n1").orElseThrow();
    assertThat(hold).isInstanceOf(HoldReason.LeaseHeld.class);
    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
  }

  @Test
  @DisplayName("R-14 the lease as it is written")
  void leaseShape() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.done(ClaimLease.class).getFirst().claim())
        .isEqualTo(
            new LeaseClaim(
                "node-n1",
                "NodeHealthCheck-nhc",
                "n1-uid",
                Scene.START.plusSeconds(301),
                Scene.START.plusSeconds(301),
                Duration.ofMinutes(11),
                0,
                null));
  }

  @Test
  @DisplayName("R-14 another's valid lease: wait and look again; expired: taken over")
  void foreignLease() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.put(
        new NodeLease(
            "node-n1", "drainer", Scene.START, Scene.START, Duration.ofMinutes(8), 4, "1"));
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.hold("n1"))
        .isEqualTo(new HoldReason.LeaseHeld("drainer", Scene.START.plus(Duration.ofMinutes(8))));
    assertThat(scene.controller.nextWakeUp()).contains(Scene.START.plus(Duration.ofMinutes(9)));
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n1");
    NodeLease lease = scene.cluster.lease("n1").orElseThrow();
    assertThat(lease.holder()).isEqualTo("NodeHealthCheck-nhc");
    assertThat(lease.transitions()).isEqualTo(5);
    assertThat(lease.acquireTime()).isAfter(Scene.START.plus(Duration.ofMinutes(8)));
  }

  @Test
  @DisplayName("R-14 someone else's lease stays when the node is healthy")
  void foreignLeaseStays() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.put(
        new NodeLease("node-n1", "drainer", Scene.START, Scene.START, Duration.ofHours(1), 0, "1"));
    scene.minutes(1);
    assertThat(scene.cluster.lease("n1")).isPresent();
  }

  @Test
  @DisplayName("R-14 ours is renewed in time, and given back when held for three times as long")
  void leaseRenewedAndOverdue() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    Instant acquired = Scene.START.plusSeconds(301);
    for (int minute = 6; minute < 35; minute++) {
      NodeLease lease = scene.cluster.lease("n1").orElseThrow();
      assertThat(lease.isValidAt(scene.cluster.now())).isTrue();
      assertThat(lease.acquireTime()).isEqualTo(acquired);
      scene.minutes(1);
    }
    scene.minutes(2);
    assertThat(scene.cluster.lease("n1")).isEmpty();
    assertThat(scene.remediation("RebootRemediation").annotations())
        .containsEntry(WireNames.TIMED_OUT, "2026-01-01T00:35:02Z");
    assertThat(scene.unhealthy("n1").remediations().getFirst().timedOut())
        .isEqualTo(Instant.parse("2026-01-01T00:35:02Z"));
    assertThat(scene.remediations()).as("it stays until the node is healthy").hasSize(1);
  }
}
