package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_ACTIVE;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_COOLDOWN_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules and the cases of one NodeHealthCheck's life, on virtual time. */
class RemediationPlannerTest {
  private static final String REBOOT_N1 = "RebootRemediation/n1";

  // --- Starting a remediation

  @Test
  @DisplayName("NHC-6, R-15 one of three nodes is unhealthy: one remediation named after it")
  void oneUnhealthyNode() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);

    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    RemediationDraft made = scene.done(CreateRemediation.class).getFirst().draft();
    assertThat(made)
        .isEqualTo(
            new RemediationDraft(
                "example.io/v1",
                "RebootRemediation",
                "remedies",
                "n1",
                null,
                Map.of("app.kubernetes.io/part-of", "node-healthcheck-controller"),
                Map.of(
                    "remediation.medik8s.io/node-name", "n1",
                    "remediation.medik8s.io/template-name", "reboot"),
                List.of(
                    new OwnerRef(
                        "remediation.medik8s.io/v1alpha1", "NodeHealthCheck", "nhc", "nhc-uid")),
                Scene.TEMPLATE_SPEC));
    assertThat(scene.status().phase()).isEqualTo(Phase.REMEDIATING);
    assertThat(scene.status().reason()).isEqualTo("NHC is remediating 1 nodes");
    assertThat(scene.status().observedNodes()).isEqualTo(3);
    assertThat(scene.status().healthyNodes()).isEqualTo(2);
    assertThat(scene.unhealthy("n1").remediations())
        .containsExactly(
            new TrackedRemediation(
                scene.remediation("RebootRemediation").ref(),
                scene.remediation("RebootRemediation").uid(),
                Scene.START.plusSeconds(301),
                null,
                "reboot"));
    assertThat(scene.events())
        .containsExactly("Enabled", "DetectedUnhealthy", "RemediationCreated");
  }

  @Test
  @DisplayName(
      "R-15, N-1 a template that allows several of its kind: a longer name, always the same")
  void generatedName() {
    Scene scene = Scene.of(check(), 3);
    scene.severalOfAKind(HealthCheckBuilder.REBOOT);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    RemediationDraft first = scene.done(CreateRemediation.class).getFirst().draft();
    assertThat(first.generateName()).isEqualTo("n1-");
    assertThat(first.name()).matches("n1-[a-z0-9]{10}");
    scene.cluster.remove(scene.remediation("RebootRemediation").uid());
    scene.minutes(1);
    assertThat(scene.done(CreateRemediation.class).getLast().draft()).isEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource({"remedies, 2", "elsewhere, 1"})
  @DisplayName("R-15 the node's machine owns the remediation too, if it is in the same namespace")
  void machineOwner(String namespace, int owners) {
    Scene scene = Scene.of(check(), 3);
    ObjectRef machine = new ObjectRef("machine.openshift.io/v1beta1", "Machine", namespace, "m1");
    NodeFacts n1 = scene.cluster.nodes().get("n1");
    scene.cluster.put(
        new NodeFacts(
            n1.name(),
            n1.uid(),
            n1.created(),
            n1.labels(),
            List.of(new NodeCondition("Ready", "Unknown", Scene.START)),
            false,
            new Machine(machine, "m1-uid")));
    scene.minutes(6);
    assertThat(scene.done(CreateRemediation.class).getFirst().draft().owners()).hasSize(owners);
  }

  @Test
  @DisplayName("NHC-7, R-10 four of seven are unhealthy: no remediation, all four are listed")
  void tooManyUnhealthy() {
    Scene scene = Scene.of(check(), 7);
    scene.ready("Unknown", "n1", "n2", "n3", "n4");
    scene.minutes(10);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes())
        .hasSize(4)
        .allMatch(node -> node.remediations().isEmpty());
    assertThat(scene.status().phase()).isEqualTo(Phase.ENABLED);
    assertThat(scene.hold("n1")).isEqualTo(new HoldReason.TooFewHealthy(3, 4));
    assertThat(scene.events()).containsOnlyOnce("RemediationSkipped");
  }

  @Test
  @DisplayName("R-10 too few are healthy: what exists stays, and does not escalate")
  void noEscalationWhileHeldBack() {
    Scene scene = Scene.of(twoSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("Unknown", "n2");
    scene.minutes(10);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations())
        .doesNotContainKey(WireNames.TIMED_OUT);
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.TooFewHealthy.class);

    scene.ready("True", "n2");
    assertThat(scene.remediations()).contains("SecondRemediation/n1");
  }

  @Test
  @DisplayName("NHC-3, R-10 maxUnhealthy beyond the number of nodes: nothing is started, and why")
  void unusableFloor() {
    Scene scene = Scene.of(check().maxUnhealthy(4), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.hold("n1").message())
        .isEqualTo("maxUnhealthy 4 is more than the 3 nodes selected");
  }

  // --- Health and its end

  @Test
  @DisplayName("R-5 exactly as long as the duration is not longer than it")
  void exactlyTheDuration() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("False", "n1");
    scene.minutes(5);
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.controller.nextWakeUp()).contains(Scene.START.plusSeconds(301));
    scene.pass(Duration.ofSeconds(1));
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
  }

  @Test
  @DisplayName("R-5, RB-4 a node without a Ready condition is unhealthy only if asked for")
  void neverReady() {
    NodeFacts silent = new NodeFacts("s", "s-uid", Scene.START, Map.of(), List.of(), false, null);
    Scene plain = Scene.of(check(), 3);
    plain.cluster.put(silent);
    plain.minutes(60);
    assertThat(plain.remediations()).isEmpty();

    Scene asked = Scene.of(check().neverReadyAfter(Duration.ofMinutes(20)), 3);
    asked.cluster.put(silent);
    asked.minutes(20);
    assertThat(asked.remediations()).isEmpty();
    asked.minutes(1);
    assertThat(asked.remediations()).containsExactly("RebootRemediation/s");
  }

  @Test
  @DisplayName("NHC-8, R-7, R-14 a healthy node: remediation, entry and lease go")
  void healthyAgain() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.cluster.lease("n1")).isPresent();
    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.status().healthyNodes()).isEqualTo(3);
    assertThat(scene.cluster.lease("n1")).isEmpty();
    assertThat(scene.status().reason()).isEqualTo("NHC is enabled, no ongoing remediation");
    assertThat(scene.events()).endsWith("RemediationRemoved");
  }

  @Test
  @DisplayName("NHC-9, R-7 a finalizer holds the remediation: the node stays listed until it goes")
  void finalizer() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.holdDeletionOf("RebootRemediation");
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    scene.minutes(3);
    assertThat(scene.unhealthy("n1").conditionsHealthyTimestamp())
        .isEqualTo(Scene.START.plus(Duration.ofMinutes(6)));
    assertThat(scene.status().healthyNodes()).isEqualTo(2);
    assertThat(scene.cluster.lease("n1")).isPresent();

    scene.cluster.remove(scene.remediation("RebootRemediation").uid());
    scene.controller.settle();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
    assertThat(scene.events()).containsOnlyOnce("RemediationRemoved");
  }

  @Test
  @DisplayName("N-1 unhealthy again while the old remediation is ending: the new one waits for it")
  void endingRemediation() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.holdDeletionOf("RebootRemediation");
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.RemediationEnding.class);
    assertThat(scene.done(CreateRemediation.class)).hasSize(1);

    scene.cluster.remove(scene.remediation("RebootRemediation").uid());
    scene.controller.settle();
    assertThat(scene.done(CreateRemediation.class)).hasSize(2);
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
  }

  @Test
  @DisplayName("NHC-10, R-6 Unknown turns False during remediation: nothing is done until it lasts")
  void soonIsLeftAlone() {
    Scene scene = Scene.of(twoSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("False", "n1");
    scene.minutes(4);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
    assertThat(scene.status().phase()).isEqualTo(Phase.REMEDIATING);
    assertThat(scene.events()).containsOnlyOnce("DetectedUnhealthy");

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
  }

  @Test
  @DisplayName("NHC-20, R-8 a healthy delay of 3 s: the remediation goes after 3 s")
  void healthyDelay() {
    Scene scene = Scene.of(check().healthyDelay(Duration.ofSeconds(3)), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    assertThat(scene.remediation("RebootRemediation").annotations())
        .containsEntry("remediation.medik8s.io/healthy-delay", "2026-01-01T00:06:00Z");
    assertThat(scene.unhealthy("n1").healthyDelayed()).isTrue();
    scene.pass(Duration.ofMillis(2999));
    assertThat(scene.remediations()).hasSize(1);
    scene.pass(Duration.ofMillis(1));
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1s", "PT10M"})
  @DisplayName("R-8 a person's confirmation ends any delay, and is removed when it has served")
  void confirmation(String delay) {
    Duration length = delay.startsWith("-") ? Duration.ofSeconds(-1) : Duration.parse(delay);
    Scene scene = Scene.of(check().healthyDelay(length), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    scene.minutes(5);
    assertThat(scene.remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").healthyDelayed()).isTrue();

    scene.cluster.put(scene.cluster.nodes().get("n1").withConfirmedHealthy(true));
    scene.controller.settle();
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.done(ClearConfirmation.class)).hasSize(1);
    assertThat(scene.cluster.nodes().get("n1").confirmedHealthy()).isFalse();
  }

  @Test
  @DisplayName("R-9 the node is gone: its remediations, entry and lease go")
  void orphan() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.cluster.removeNode("n1");
    scene.controller.settle();
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.status().observedNodes()).isEqualTo(2);
  }

  @Test
  @DisplayName("R-9 a remediator that deletes nodes may finish first")
  void orphanThatWaits() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    ObservedRemediation made = scene.remediation("RebootRemediation");
    ObservedRemediation deletesNode =
        new ObservedRemediation(
            made.ref(),
            made.uid(),
            made.created(),
            false,
            made.labels(),
            made.annotations(),
            made.owners(),
            Success.UNKNOWN,
            true);
    scene.cluster.put(deletesNode);
    scene.cluster.removeNode("n1");
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);

    scene.succeeded(deletesNode, Success.YES);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
  }

  @Test
  @DisplayName("NHC-22 a label that a selector uses changes: the node count follows")
  void selectorLabel() {
    Scene scene = Scene.of(check().selecting("pool", "a").minHealthy(0), 3);
    assertThat(scene.status().observedNodes()).isZero();
    scene.label("n1", "pool", "a");
    scene.label("n2", "pool", "a");
    assertThat(scene.status().observedNodes()).isEqualTo(2);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).hasSize(1);
    scene.label("n1", "pool", "b");
    assertThat(scene.status().observedNodes()).isEqualTo(1);
    assertThat(scene.remediations()).as("nobody else would end it").isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
  }

  // --- Reasons to wait

  @Test
  @DisplayName("NHC-14, R-12 paused: nothing starts; resumed: it does")
  void paused() {
    Scene scene = Scene.of(check().paused("upgrade", "me"), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().phase()).isEqualTo(Phase.PAUSED);
    assertThat(scene.status().reason()).isEqualTo("NHC is paused: upgrade,me");
    assertThat(scene.status().unhealthyNode("n1")).isPresent();
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.Paused.class);

    scene.add(check());
    scene.controller.settle();
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    assertThat(scene.events()).containsOnlyOnce("DetectedUnhealthy");
  }

  @Test
  @DisplayName("R-1 paused comes before the end of remediations: what runs is left as it is")
  void pausedLeavesAll() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.add(check().paused("me"));
    scene.ready("True", "n1");
    assertThat(scene.remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"true, 0, 0", "false, 1, 0", "'', 1, 1"})
  @DisplayName("NHC-19, R-12 the exclude label counts only if it is \"true\"")
  void excluded(String value, int remediations, int complaints) {
    Scene scene = Scene.of(check(), 3);
    scene.label("n1", WireNames.EXCLUDE, value);
    scene.ready("Unknown", "n1");
    scene.minutes(16);
    assertThat(scene.remediations()).hasSize(remediations);
    assertThat(scene.status().unhealthyNode("n1")).isPresent();
    assertThat(scene.events().stream().filter("InvalidNodeLabel"::equals)).hasSize(complaints);
  }

  @Test
  @DisplayName(
      "NHC-18, R-13 two control-plane nodes: one remediation; the first is healthy: the other")
  void controlPlaneOneAtATime() {
    Scene scene = Scene.of(check().minHealthy(1), 3);
    scene.controlPlane("n1", "n2");
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(8);
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    assertThat(scene.remediation("RebootRemediation").labels())
        .containsEntry("remediation.medik8s.io/isControlPlaneNode", "");
    assertThat(scene.hold("n2")).isEqualTo(new HoldReason.ControlPlaneBusy("n1"));

    scene.ready("True", "n1");
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n2");
  }

  @Test
  @DisplayName("R-13 a control-plane remediation of another NodeHealthCheck counts as well")
  void controlPlaneOfAnother() {
    Scene scene = Scene.of(check().minHealthy(0).selecting("pool", "a"), 3);
    scene.add(check().named("other").minHealthy(0).selecting("pool", "b"));
    scene.controlPlane("n1", "n2");
    scene.label("n1", "pool", "a");
    scene.label("n2", "pool", "b");
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(8);
    assertThat(scene.remediations()).hasSize(1);
  }

  @Test
  @DisplayName("R-13 OpenShift: etcd would lose its quorum")
  void etcdQuorum() {
    Scene scene = Scene.of(check(), 3);
    scene.controlPlane("n1");
    scene.ready("Unknown", "n1");
    scene.cluster.advanceTo(Scene.START.plusSeconds(400));
    Plan plan = plan(scene, new Platform(false, false, Set.of("n1")));
    assertThat(plan.holdOf("n1")).contains(new HoldReason.EtcdQuorum());
    assertThat(plan.actions()).noneMatch(CreateRemediation.class::isInstance);
    assertThat(plan.wakeUp()).isEqualTo(Scene.START.plusSeconds(460));
  }

  @Test
  @DisplayName("R-1 OpenShift: the cluster is upgrading, look again in a minute")
  void upgrading() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.cluster.advanceTo(Scene.START.plusSeconds(400));
    Plan plan = plan(scene, new Platform(false, true, Set.of()));
    assertThat(plan.holdOf("n1")).contains(new HoldReason.ClusterUpgrading());
    assertThat(plan.actions()).noneMatch(CreateRemediation.class::isInstance);
    assertThat(plan.wakeUp()).isEqualTo(Scene.START.plusSeconds(460));
    assertThat(plan.status().unhealthyNode("n1")).isPresent();
  }

  @Test
  @DisplayName("R-1 OpenShift: a MachineHealthCheck in conflict disables")
  void conflict() {
    Scene scene = Scene.of(check(), 3);
    Plan plan = plan(scene, new Platform(true, false, Set.of()));
    assertThat(plan.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(plan.status().observedNodes()).isZero();
    assertThat(plan.status().healthyNodes()).isZero();
  }

  @Test
  @DisplayName("NHC-15, R-3 a template goes: disabled, look again in 15 s; it is back: enabled")
  void templateGone() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.put(HealthCheckBuilder.REBOOT, new TemplateLookup.Missing("no such object"));
    scene.ready("Unknown", "n1");
    assertThat(scene.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(scene.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateNotFound");
    assertThat(scene.status().reason())
        .isEqualTo(
            "NHC is disabled: RemediationTemplateNotFound:"
                + " RebootRemediationTemplate remedies/reboot: no such object");
    assertThat(scene.controller.nextWakeUp()).contains(Scene.START.plusSeconds(15));
    scene.minutes(6);
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.Disabled.class);

    scene.add(check());
    scene.minutes(1);
    assertThat(scene.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("NodeHealthCheckEnabled");
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    assertThat(scene.events()).containsSubsequence("Enabled", "Disabled", "Enabled");
    assertThat(scene.events()).containsOnlyOnce("Disabled");
  }

  @Test
  @DisplayName(
      "R-3 a template without spec.template, and Metal3 outside its namespace, are invalid")
  void templateInvalid() {
    Scene empty = Scene.of(check(), 3);
    empty.cluster.put(HealthCheckBuilder.REBOOT, new Template(false, null, false));
    empty.controller.settle();
    assertThat(empty.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateInvalid");

    Scene metal3 = Scene.of(check().using(template("Metal3RemediationTemplate", "m")), 3);
    assertThat(metal3.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateInvalid");
  }

  @Test
  @DisplayName("NHC-16, R-16 someone else's resource of our name: untouched, and none of ours")
  void foreignRemediation() {
    Scene scene = Scene.of(check(), 3);
    ObservedRemediation foreign = foreign("n1", Map.of());
    scene.cluster.put(foreign);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.cluster.remediations()).containsExactly(foreign);
    assertThat(scene.hold("n1")).isEqualTo(new HoldReason.ForeignRemediation(foreign.ref()));
    scene.ready("True", "n1");
    assertThat(scene.cluster.remediations()).containsExactly(foreign);
    assertThat(scene.status().healthyNodes()).as("R-7 only ours count").isEqualTo(3);
  }

  // --- Leases

  @Test
  @DisplayName("NHC-17, R-14 two NodeHealthChecks select one node: one remediation")
  void twoChecksOneNode() {
    Scene scene = Scene.of(check(), 3);
    scene.add(check().named("other").using(template("OtherRemediationTemplate", "o")));
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
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
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
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

  // --- Storms

  @Test
  @DisplayName("R-11 a storm, its cooldown, and a new storm that starts over")
  void storm() {
    Scene scene = Scene.of(check().stormCooldown(Duration.ofMinutes(10)), 5);
    scene.ready("Unknown", "n1", "n2", "n3");
    scene.minutes(6);
    assertThat(scene.status().isActive(STORM_ACTIVE)).isTrue();
    assertThat(scene.remediations()).isEmpty();

    scene.ready("True", "n1");
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isTrue();
    assertThat(scene.hold("n2")).isInstanceOf(HoldReason.StormCooldown.class);
    scene.minutes(2);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
    assertThat(scene.status().isActive(STORM_ACTIVE)).isTrue();

    scene.ready("True", "n1");
    scene.minutes(9);
    assertThat(scene.remediations()).isEmpty();
    scene.minutes(1);
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
    assertThat(scene.status().isActive(STORM_ACTIVE)).isFalse();
    assertThat(scene.remediations())
        .containsExactly("RebootRemediation/n2", "RebootRemediation/n3");
  }

  @Test
  @DisplayName("R-11 all nodes healthy again: the cooldown runs off without any unhealthy node")
  void stormEndsQuietly() {
    Scene scene = Scene.of(check().stormCooldown(Duration.ofMinutes(10)), 3);
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(6);
    scene.ready("True", "n1", "n2");
    scene.minutes(10);
    assertThat(scene.status().isActive(STORM_ACTIVE)).isFalse();
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
  }

  // --- Escalation

  @Test
  @DisplayName("NHC-11, R-18 three steps, one after another; then no template is left")
  void escalation() {
    Scene scene = Scene.of(threeSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    scene.minutes(2);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1", "SecondRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations())
        .containsEntry("remediation.medik8s.io/nhc-timed-out", "2026-01-01T00:07:01Z");
    scene.minutes(3);
    assertThat(scene.remediations()).hasSize(3);
    scene.minutes(10);
    assertThat(scene.unhealthy("n1").remediations())
        .extracting(entry -> entry.resource().kind())
        .containsExactly("FirstRemediation", "SecondRemediation", "ThirdRemediation");
    assertThat(scene.unhealthy("n1").remediations()).allMatch(entry -> entry.timedOut() != null);
    assertThat(scene.events()).containsOnlyOnce("NoTemplateLeft");
    assertThat(scene.hold("n1")).isEqualTo(new HoldReason.NoTemplateLeft(3));
    assertThat(scene.remediations()).as("all stay until the node is healthy").hasSize(3);

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
  }

  @Test
  @DisplayName("NHC-12, R-18 the remediator says it failed: the next step at once")
  void failedStep() {
    Scene scene = Scene.of(threeSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(310));
    scene.succeeded(scene.remediation("FirstRemediation"), Success.NO);
    assertThat(scene.remediations()).contains("SecondRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations())
        .containsKey(WireNames.TIMED_OUT);
  }

  @Test
  @DisplayName("NHC-13, R-18 one that succeeded is not annotated, but the next step follows")
  void succeededStepTimesOut() {
    Scene scene = Scene.of(threeSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.succeeded(scene.remediation("FirstRemediation"), Success.YES);
    scene.minutes(2);
    assertThat(scene.remediation("FirstRemediation").annotations())
        .doesNotContainKey(WireNames.TIMED_OUT);
    assertThat(scene.unhealthy("n1").remediations().getFirst().timedOut()).isNotNull();
    assertThat(scene.remediations()).contains("SecondRemediation/n1");
  }

  @Test
  @DisplayName("R-18 a step that was given up and then deleted by someone does not come back")
  void givenUpStaysGivenUp() {
    Scene scene = Scene.of(threeSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    scene.cluster.remove(scene.remediation("FirstRemediation").uid());
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly("SecondRemediation/n1");
  }

  @Test
  @DisplayName("R-16, R-17 two templates of one kind: one entry each, started one after another")
  void twoTemplatesOfOneKind() {
    HealthCheckBuilder check =
        check()
            .then("SameRemediation", "soft", Duration.ofMinutes(2))
            .then("SameRemediation", "hard", Duration.ofMinutes(2));
    Scene scene = Scene.of(check, 3);
    scene.severalOfAKind(template("SameRemediationTemplate", "soft"));
    scene.severalOfAKind(template("SameRemediationTemplate", "hard"));
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.unhealthy("n1").remediations())
        .extracting(TrackedRemediation::templateName)
        .containsExactly("soft", "hard");
  }

  @Test
  @DisplayName("R-16, NHC-23 a new leader adopts what is there and repairs the status from it")
  void adoption() {
    Scene scene = Scene.of(twoSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    var before = scene.status();
    scene.cluster.writeStatus("nhc", Scene.of(twoSteps(), 3).status());
    scene.restartController();
    scene.controller.settle();
    assertThat(scene.done(CreateRemediation.class)).hasSize(1);
    assertThat(scene.status().unhealthyNodes()).isEqualTo(before.unhealthyNodes());
  }

  @Test
  @DisplayName("R-19 a remediation older than two days is flagged once")
  void oldRemediation() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofDays(2).plusSeconds(301));
    assertThat(scene.done(FlagOld.class)).isEmpty();
    assertThat(scene.controller.nextWakeUp())
        .contains(Scene.START.plus(Duration.ofDays(2)).plusSeconds(302));
    scene.pass(Duration.ofDays(2));
    assertThat(scene.done(FlagOld.class)).hasSize(1);
    assertThat(scene.remediation("RebootRemediation").annotations())
        .containsEntry("nodehealthcheck.medik8s.io/old-remediation-cr-flag", "flagon");
  }

  // --- Around it

  @Test
  @DisplayName(
      "R-2, RB-2 nothing changed: the status is the same, its time too, and nothing is done")
  void nothingToDo() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    Plan again =
        RemediationPlanner.plan(
            scene.cluster.view("nhc"), scene.controller.lastPlan("nhc").orElseThrow().memory());
    assertThat(again.actions()).isEmpty();
    assertThat(again.status()).isSameAs(scene.status());
  }

  @Test
  @DisplayName("N-2 nothing is decided about a node until our own write has come back")
  void unseenWrite() {
    Scene scene = Scene.of(check().minHealthy(0), 3);
    scene.controlPlane("n2", "n3");
    scene.ready("Unknown", "n1", "n2");
    scene.cluster.advanceTo(Scene.START.plusSeconds(400));
    ClusterView view = scene.cluster.view("nhc");
    Plan plan =
        RemediationPlanner.plan(
            withUnseen(view, new UnseenWrites(Set.of("n1", "n3"), Set.of("n3"), false)),
            PlannerMemory.restoredFrom(scene.status()));
    assertThat(plan.actions()).noneMatch(CreateRemediation.class::isInstance);
    assertThat(plan.holdOf("n1")).contains(new HoldReason.AwaitingOwnWrite());
    assertThat(plan.holdOf("n2"))
        .as("R-13 a control-plane remediation not seen yet counts")
        .contains(new HoldReason.ControlPlaneBusy("n3"));
    assertThat(plan.status().unhealthyNode("n1")).isPresent();
  }

  @Test
  @DisplayName("a resource that is not valid is disabled, and nothing is touched")
  void refused() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    Plan plan =
        RemediationPlanner.refuse(
            "nhc",
            scene.status(),
            "spec.selector: missing",
            PlannerMemory.restoredFrom(scene.status()),
            scene.cluster.now());
    assertThat(plan.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(plan.status().reason())
        .isEqualTo("NHC is disabled: InvalidSpec: spec.selector: missing");
    assertThat(plan.status().unhealthyNodes()).isEqualTo(scene.status().unhealthyNodes());
    assertThat(plan.actions()).allMatch(RemediationAction.EmitEvent.class::isInstance);
  }

  private static HealthCheckBuilder twoSteps() {
    return check()
        .then("FirstRemediation", "first", Duration.ofMinutes(4))
        .then("SecondRemediation", "second", Duration.ofMinutes(10));
  }

  private static HealthCheckBuilder threeSteps() {
    return check()
        .then("FirstRemediation", "first", Duration.ofMinutes(2))
        .then("SecondRemediation", "second", Duration.ofMinutes(3))
        .then("ThirdRemediation", "third", Duration.ofMinutes(4));
  }

  private static ObservedRemediation foreign(String name, Map<String, String> annotations) {
    return new ObservedRemediation(
        new ObjectRef("example.io/v1", "RebootRemediation", "remedies", name),
        "foreign-uid",
        Scene.START,
        false,
        Map.of(),
        annotations,
        List.of(),
        Success.UNKNOWN,
        false);
  }

  private static Plan plan(Scene scene, Platform platform) {
    ClusterView view = scene.cluster.view("nhc");
    return RemediationPlanner.plan(
        new ClusterView(
            view.nhc(),
            view.census(),
            view.remediations(),
            view.templates(),
            view.leases(),
            platform,
            view.unseen()),
        PlannerMemory.restoredFrom(scene.status()));
  }

  private static ClusterView withUnseen(ClusterView view, UnseenWrites unseen) {
    return new ClusterView(
        view.nhc(),
        view.census(),
        view.remediations(),
        view.templates(),
        view.leases(),
        view.platform(),
        unseen);
  }
}
