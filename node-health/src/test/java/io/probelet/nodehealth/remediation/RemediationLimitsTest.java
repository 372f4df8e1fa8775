package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.Policies;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RemediationPolicies as the planner asks them; all nodes of a scene are unhealthy together. */
class RemediationLimitsTest {
  private static final String REBOOT = "RebootRemediation";
  private static final LocalDate DAY = LocalDate.ofInstant(Scene.START, ZoneOffset.UTC);

  /** Four nodes, of which none needs to be healthy, and a policy. */
  private static Scene scene(String spec) {
    Scene scene = Scene.of(HealthCheckBuilder.check().minHealthy(0), 4);
    scene.cluster.put(Policies.policy("limits", spec));
    return scene;
  }

  private static Scene unhealthy(String spec, String... nodes) {
    Scene scene = scene(spec);
    scene.ready("False", nodes);
    scene.minutes(6);
    return scene;
  }

  private static String hold(Scene scene, String node) {
    HoldReason hold = scene.hold(node);
    return hold == null ? "none" : hold.label();
  }

  @Test
  @DisplayName("ACT-70 without a policy that selects its node, a remediation is as it always was")
  void noPolicy() {
    Scene without = Scene.of(HealthCheckBuilder.check().minHealthy(0), 4);
    without.ready("False", "n1", "n2");
    without.minutes(6);
    Scene other = unhealthy("{selector: {matchLabels: {pool: x}}, paused: true}", "n1", "n2");
    assertThat(other.done).isEqualTo(without.done);
    assertThat(other.remediations()).hasSize(2);
  }

  @Test
  @DisplayName("ACT-79 counted first, then the lease, then created, with what it was counted as")
  void order() {
    Scene scene = unhealthy("{maxPerHour: 1}", "n1");
    List<String> actions = new ArrayList<>();
    scene.done.stream()
        .filter(action -> "n1".equals(action.node()))
        .forEach(action -> actions.add(action.getClass().getSimpleName()));
    assertThat(actions)
        .containsExactly(
            "EmitEvent", "CountRemediation", "ClaimLease", "CreateRemediation", "EmitEvent");
    PastRemediation entry = scene.done(CountRemediation.class).getFirst().entry();
    assertThat(entry).returns("n1", PastRemediation::node).returns(REBOOT, PastRemediation::kind);
    assertThat(scene.done(CreateRemediation.class).getFirst().draft().annotations())
        .containsEntry(RemediationPolicy.COUNTED, entry.time().toString());
    assertThat(scene.cluster.policy("limits").orElseThrow().history()).containsExactly(entry);
  }

  @Test
  @DisplayName("ACT-78 so many nodes at once; the next one when one is healthy again")
  void maxNodes() {
    Scene scene = unhealthy("{maxNodes: 50%}", "n1", "n2", "n3");
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n1", REBOOT + "/n2");
    assertThat(hold(scene, "n3")).isEqualTo("PolicyNodeLimit");
    scene.ready("True", "n1");
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n2", REBOOT + "/n3");
    assertThat(hold(scene, "n3")).isEqualTo("none");
  }

  @Test
  @DisplayName("ACT-78 nodes of other NodeHealthChecks count, too")
  void acrossChecks() {
    Scene scene = scene("{maxNodes: 1}");
    scene.add(
        HealthCheckBuilder.check()
            .named("other")
            .selecting("pool", "b")
            .minHealthy(0)
            .then("OtherRemediation", "o", Duration.ofMinutes(5)));
    scene.add(HealthCheckBuilder.check().selecting("pool", "a").minHealthy(0));
    scene.label("n1", "pool", "a");
    scene.label("n2", "pool", "b");
    scene.ready("False", "n1", "n2");
    scene.minutes(6);
    assertThat(scene.remediations()).hasSize(1);
  }

  @Test
  @DisplayName("ACT-77 each template of an escalation is a remediation; a new leader counts on")
  void escalationAndRestart() {
    Scene scene = Scene.of(HealthCheckBuilder.twoSteps(10, 10).minHealthy(0), 4);
    scene.cluster.put(Policies.policy("limits", "{maxPerHour: 1}"));
    scene.ready("False", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    scene.restartController();
    scene.minutes(20);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    assertThat(hold(scene, "n1")).isEqualTo("PolicyHourlyLimit");
    scene.minutes(45);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1", "SecondRemediation/n1");
  }

  @Test
  @DisplayName("ACT-75 a node that comes back again and again is given up, and said once")
  void backstop() {
    Scene scene = scene("{backstop: {times: 2, within: 2h}}");
    for (int i = 0; i < 3; i++) {
      scene.ready("False", "n1");
      scene.minutes(6);
      scene.ready("True", "n1");
      scene.minutes(1);
    }
    scene.ready("False", "n1");
    scene.minutes(30);
    assertThat(scene.remediations()).isEmpty();
    assertThat(hold(scene, "n1")).isEqualTo("PolicyGivenUp");
    assertThat(scene.events()).filteredOn("RemediationGivenUp"::equals).hasSize(2);
    scene.minutes(90);
    assertThat(scene.remediations()).as("forgotten").containsExactly(REBOOT + "/n1");
  }

  @Test
  @DisplayName("ACT-75, ACT-76 a human's approval is for this node and kind, and used up")
  void approval() {
    Scene scene = unhealthy("{approval: [RebootRemediation]}", "n1", "n2");
    assertThat(scene.remediations()).isEmpty();
    assertThat(hold(scene, "n1")).isEqualTo("PolicyAwaitingApproval");
    assertThat(scene.events()).filteredOn("RemediationAwaitsApproval"::equals).hasSize(2);

    approve(scene, "n1", "FenceRemediation, RebootRemediation");
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n1");
    assertThat(scene.cluster.nodes().get("n1").approved()).isEqualTo("FenceRemediation");
    assertThat(scene.done(TakeApproval.class)).hasSize(1);
    assertThat(hold(scene, "n2")).isEqualTo("PolicyAwaitingApproval");

    scene.ready("True", "n1");
    scene.ready("False", "n1");
    scene.minutes(6);
    assertThat(hold(scene, "n1")).isEqualTo("PolicyAwaitingApproval");
    approve(scene, "n2", REBOOT);
    assertThat(scene.cluster.nodes().get("n2").approved()).isNull();
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n2");
  }

  private static void approve(Scene scene, String node, String kinds) {
    scene.cluster.put(scene.cluster.nodes().get(node).withApproved(kinds));
    scene.controller.settle();
  }

  @Test
  @DisplayName("ACT-74 a window lets in what has waited for it, at its first moment")
  void window() {
    Scene scene = unhealthy("{windows: [{schedule: 0 1 * * *, duration: 10m}]}", "n1");
    assertThat(hold(scene, "n1")).isEqualTo("PolicyOutsideWindows");
    scene.minutes(53);
    assertThat(scene.remediations()).isEmpty();
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n1");
    scene.minutes(11);
    scene.ready("False", "n2");
    scene.minutes(6);
    assertThat(scene.remediations()).as("what has begun goes on").containsExactly(REBOOT + "/n1");
    assertThat(hold(scene, "n2")).isEqualTo("PolicyOutsideWindows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {paused: true}                                       | 00:07
          {windows: [{schedule: 0 1 * * *, duration: 10m}]}    | 01:00
          """)
  @DisplayName("ACT-74 what waits is asked for again when its hold ends, or in a minute")
  void asksAgain(String spec, LocalTime next) {
    Plan plan = unhealthy(spec, "n1").plan(PendingWrites.NONE);
    assertThat(plan.wakeUp()).isEqualTo(next.atDate(DAY).toInstant(ZoneOffset.UTC));
  }

  @Test
  @DisplayName("ACT-81 an expression holds its nodes back until it is false")
  void expression() {
    Scene scene = unhealthy("{holdWhen: \"'busy' in labels && labels.busy == 'yes'\"}", "n1", "n2");
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n1", REBOOT + "/n2");

    scene = unhealthy("{holdWhen: \"labels.busy == 'yes'\"}", "n1", "n2");
    assertThat(scene.remediations()).isEmpty();
    assertThat(hold(scene, "n1")).isEqualTo("PolicyUndecided");
    label(scene, "n1", "yes");
    label(scene, "n2", "no");
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n2");
    assertThat(hold(scene, "n1")).isEqualTo("PolicyByExpression");
    label(scene, "n1", "no");
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n1", REBOOT + "/n2");
  }

  private static void label(Scene scene, String node, String busy) {
    scene.cluster.put(scene.cluster.nodes().get(node).withLabel("busy", busy));
    scene.controller.settle();
  }

  @Test
  @DisplayName("ACT-81 what waits for an age starts one second after it")
  void expressionOfAge() {
    Scene scene =
        unhealthy(
            "{holdWhen: \"conditions.Ready.status == 'False' && conditions.Ready.age <= duration('30m')\"}",
            "n1");
    assertThat(hold(scene, "n1")).isEqualTo("PolicyByExpression");
    scene.minutes(23);
    assertThat(scene.remediations()).isEmpty();
    scene.minutes(2);
    assertThat(scene.remediations()).containsExactly(REBOOT + "/n1");
  }

  @Test
  @DisplayName("ACT-71, ACT-72 paused or unreadable: nothing begins, said once for all nodes")
  void saidOnce() {
    for (String spec : List.of("{paused: true}", "{maxNode: 1}")) {
      Scene scene = unhealthy(spec, "n1", "n2", "n3");
      scene.minutes(30);
      assertThat(scene.remediations()).isEmpty();
      assertThat(scene.done(EmitEvent.class))
          .filteredOn(event -> event.message().contains("RemediationPolicy limits"))
          .hasSize(1)
          .first()
          .returns(null, EmitEvent::node)
          .returns("RemediationSkipped", EmitEvent::reason);
      scene.cluster.put(Policies.policy("limits", "{}"));
      scene.minutes(1);
      assertThat(scene.remediations()).hasSize(3);
    }
  }

  @Test
  @DisplayName(
      "ACT-80 a dry run says what it would do, once, within the other limits, and does not")
  void dryRun() {
    Scene scene = unhealthy("{dryRun: true, maxNodes: 2}", "n1", "n2", "n3");
    scene.minutes(30);
    assertThat(scene.remediations()).isEmpty();
    assertThat(hold(scene, "n2")).isEqualTo("PolicyDryRun");
    assertThat(hold(scene, "n3")).isEqualTo("PolicyNodeLimit");
    assertThat(scene.done(EmitEvent.class))
        .filteredOn(event -> event.reason().equals("RemediationDryRun"))
        .extracting(EmitEvent::message)
        .containsExactly(
            "RemediationPolicy limits: dry run: would create RebootRemediation for node n1",
            "RemediationPolicy limits: dry run: would create RebootRemediation for node n2");
    assertThat(scene.done(CountRemediation.class)).isEmpty();
  }

  @Test
  @DisplayName("ACT-79 a creation that failed is counted once, however often it is tried")
  void sameTry() {
    Scene scene = scene("{maxPerHour: 1, approval: ['*'], backstop: {times: 1, within: 1h}}");
    scene.ready("False", "n1");
    approve(scene, "n1", REBOOT);
    scene.cluster.advanceTo(Scene.START.plus(Duration.ofMinutes(6)));
    Plan first = scene.plan(PendingWrites.NONE);
    CountRemediation count =
        first.actions().stream()
            .filter(CountRemediation.class::isInstance)
            .map(CountRemediation.class::cast)
            .findFirst()
            .orElseThrow();
    PendingWrites failed =
        new PendingWrites(
            java.util.Set.of(), java.util.Set.of(), false, Map.of("n1", count.entry()));
    scene.cluster.advanceTo(scene.cluster.now().plusSeconds(5));
    assertThat(scene.plan(failed).actions())
        .as("it may not have been written: the same entry again")
        .contains(count);
    scene.cluster.write(count);
    approve(scene, "n1", null);
    assertThat(scene.plan(failed).actions())
        .as("it was: neither counted again nor approved again")
        .anyMatch(CreateRemediation.class::isInstance)
        .noneMatch(CountRemediation.class::isInstance)
        .noneMatch(TakeApproval.class::isInstance);
    assertThat(scene.plan(PendingWrites.NONE).actions())
        .noneMatch(CreateRemediation.class::isInstance);
    scene.cluster.advanceTo(scene.cluster.now().plus(Duration.ofMinutes(11)));
    assertThat(scene.plan(failed).actions())
        .as("later it is another try")
        .noneMatch(CreateRemediation.class::isInstance);
  }

  @Test
  @DisplayName("ACT-71 policies that may not be read hold all")
  void unknown() {
    Scene scene = unhealthy("{paused: true}", "n1");
    ClusterView view = scene.cluster.view("nhc");
    Plan plan =
        RemediationPlanner.plan(
            new ClusterView(
                view.nhc(),
                view.census(),
                view.remediations(),
                view.templates(),
                view.leases(),
                view.unseen(),
                PolicyFacts.unknown("the controller may not list remediationpolicies")),
            PlannerMemory.restoredFrom(view.nhc().status()));
    assertThat(plan.holdOf("n1"))
        .map(HoldReason::message)
        .contains(
            "the RemediationPolicies could not be read: the controller may not list"
                + " remediationpolicies");
    assertThat(plan.actions()).noneMatch(CreateRemediation.class::isInstance);
  }
}
