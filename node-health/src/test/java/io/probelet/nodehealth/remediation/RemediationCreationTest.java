package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made for an unhealthy node, under which name, and what is in its way. */
class RemediationCreationTest {
  private static final String REBOOT_N1 = "RebootRemediation/n1";

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

  @Test
  @DisplayName("R-15 a generated name is no longer than the 63 that a label may have")
  void generatedNameFits() {
    String longName = "n".repeat(200) + ".example.org";
    Scene scene = Scene.of(check(), 3);
    scene.cluster.put(Scene.node(longName));
    scene.severalOfAKind(HealthCheckBuilder.REBOOT);
    scene.ready("Unknown", longName);
    scene.minutes(6);
    String name = scene.done(CreateRemediation.class).getFirst().draft().name();
    assertThat(name).hasSize(63).matches("n{53}[a-z0-9]{10}");
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

  @ParameterizedTest
  @CsvSource({"n1,, true", "n1, other, false", "x, reboot, true"})
  @DisplayName(
      "R-16 a stranger's in another namespace is in the way if it is for node and template")
  void strangerElsewhere(String name, String templateName, boolean blocks) {
    Scene scene = Scene.of(check(), 3);
    ObservedRemediation stranger =
        new ObservedRemediation(
            new ObjectRef("example.io/v1", "RebootRemediation", "elsewhere", name),
            "stranger-uid",
            Scene.START,
            false,
            Map.of(),
            templateName == null
                ? Map.of()
                : Map.of(WireNames.NODE_NAME, "n1", WireNames.TEMPLATE_NAME, templateName),
            List.of(),
            Success.UNKNOWN,
            false);
    scene.cluster.put(stranger);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.done(CreateRemediation.class)).hasSize(blocks ? 0 : 1);
    assertThat(scene.hold("n1"))
        .isEqualTo(blocks ? new HoldReason.ForeignRemediation(stranger.ref()) : null);
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
  @DisplayName("R-16, NHC-23 a new leader adopts what is there and repairs the status from it")
  void adoption() {
    Scene scene = Scene.of(twoSteps(4, 10), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    var before = scene.status();
    scene.cluster.writeStatus("nhc", Scene.of(twoSteps(4, 10), 3).status());
    scene.restartController();
    scene.controller.settle();
    assertThat(scene.done(CreateRemediation.class)).hasSize(1);
    assertThat(scene.status().unhealthyNodes()).isEqualTo(before.unhealthyNodes());
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
}
