package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.HoldReason.LeaseHeld;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where NHC, given the same events, did what we did not: on virtual time. */
class OriginalsRulesTest {
  private static final ObjectRef SOFT = template("SameRemediationTemplate", "soft");
  private static final ObjectRef HARD = template("SameRemediationTemplate", "hard");

  // --- Two templates of one kind

  @Test
  @DisplayName("NHC-5, R-3 a template loses the annotation that two of a kind need, and regains it")
  void annotationLostAndRegained() {
    Scene scene = Scene.of(twoOfOneKind(), 3);
    scene.severalOfAKind(SOFT);
    scene.severalOfAKind(HARD);
    scene.controller.settle();
    assertThat(scene.status().phase()).isEqualTo(Phase.ENABLED);

    scene.cluster.put(HARD, found(false));
    scene.controller.settle();
    assertThat(scene.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(scene.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateInvalid");
    assertThat(scene.status().condition(DISABLED).orElseThrow().message())
        .contains("SameRemediationTemplate remedies/hard", WireNames.MULTIPLE_TEMPLATES);

    scene.severalOfAKind(HARD);
    scene.controller.settle();
    assertThat(scene.status().phase()).isEqualTo(Phase.ENABLED);
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.remediations()).hasSize(2);
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

  // --- Held by a finalizer

  @ParameterizedTest
  @CsvSource({"UNKNOWN", "NO", "YES"})
  @DisplayName("R-18 one held by a finalizer times out or fails as any other, and the next follows")
  void endingRemediationIsGivenUp(Success success) {
    Scene scene = Scene.of(twoSteps(), 3);
    scene.cluster.holdDeletionOf("FirstRemediation");
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(301));
    scene.ready("True", "n1");
    assertThat(scene.remediation("FirstRemediation").deleting()).isTrue();
    scene.succeeded(scene.remediation("FirstRemediation"), success);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(301));

    scene.pass(Duration.ofSeconds(1));
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1", "SecondRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations().containsKey(WireNames.TIMED_OUT))
        .isEqualTo(success != Success.YES);
  }

  // --- Strangers

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

  // --- Nodes that have not reported

  @Test
  @DisplayName("R-4, R-9 made anew without conditions: the remediation stays until Ready is known")
  void madeAnew() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    ObservedRemediation made = scene.remediation("RebootRemediation");
    scene.cluster.put(
        new ObservedRemediation(
            made.ref(),
            made.uid(),
            made.created(),
            false,
            made.labels(),
            made.annotations(),
            made.owners(),
            Success.UNKNOWN,
            true));
    scene.cluster.removeNode("n1");
    scene.controller.settle();
    assertThat(scene.remediations()).hasSize(1);

    scene.cluster.put(
        new NodeFacts("n1", "n1-new-uid", scene.cluster.now(), Map.of(), List.of(), false, null));
    scene.minutes(10);
    assertThat(scene.remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").conditionsHealthyTimestamp()).isNull();
    assertThat(scene.status().observedNodes()).isEqualTo(3);
    assertThat(scene.status().healthyNodes()).isEqualTo(2);

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
  }

  // --- Times

  @Test
  @DisplayName("R-18 a step of 60 s times out 60 s after its remediation was created")
  void timesOutOnTime() {
    HealthCheckBuilder check =
        check()
            .then("FirstRemediation", "first", Duration.ofSeconds(60))
            .then("SecondRemediation", "second", Duration.ofSeconds(60));
    Scene scene = Scene.of(check, 3);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(301));
    assertThat(scene.remediations()).hasSize(1);
    scene.pass(Duration.ofMillis(59_999));
    assertThat(scene.remediations()).hasSize(1);
    scene.pass(Duration.ofMillis(1));
    assertThat(scene.remediation("FirstRemediation").annotations())
        .containsEntry(WireNames.TIMED_OUT, "2026-01-01T00:06:01Z");
    assertThat(scene.remediations()).hasSize(2);
  }

  // --- What is told

  @Test
  @DisplayName("R-18 that no template is left is told once, whatever else is written meanwhile")
  void noTemplateLeftOnce() {
    Scene scene = Scene.of(twoSteps(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(12);
    assertThat(scene.events()).containsOnlyOnce("NoTemplateLeft");

    ClusterView view = scene.cluster.view("nhc");
    Plan busy =
        RemediationPlanner.plan(
            new ClusterView(
                view.nhc(),
                view.census(),
                view.remediations(),
                view.templates(),
                view.leases(),
                view.platform(),
                new UnseenWrites(java.util.Set.of("n1"), java.util.Set.of(), false)),
            scene.controller.lastPlan("nhc").orElseThrow().memory());
    Plan free = RemediationPlanner.plan(scene.cluster.view("nhc"), busy.memory());
    assertThat(free.holdOf("n1")).contains(new HoldReason.NoTemplateLeft(2));
    assertThat(free.actions()).noneMatch(EmitEvent.class::isInstance);

    scene.restartController();
    scene.minutes(90);
    assertThat(scene.events()).containsOnlyOnce("NoTemplateLeft");
  }

  @Test
  @DisplayName("R-21 events for which NHC has a text have that text, and its type")
  void eventTexts() {
    assertThat(EventTexts.disabled("RemediationTemplateNotFound", "why"))
        .isEqualTo("Disabling NHC. Reason: RemediationTemplateNotFound, Message: why");
    Scene scene = Scene.of(twoSteps().minHealthy(1).stormCooldown(Duration.ofMinutes(1)), 3);
    scene.controlPlane("n1", "n2");
    scene.label("n3", WireNames.EXCLUDE, "true");
    scene.ready("Unknown", "n1", "n2", "n3");
    scene.minutes(6);
    scene.ready("True", "n3");
    scene.label("n1", WireNames.EXCLUDE, "");
    scene.minutes(10);
    scene.label("n1", WireNames.EXCLUDE, null);
    scene.add(twoSteps().minHealthy(1).paused("me"));
    scene.minutes(1);
    scene.add(twoSteps().minHealthy(1));
    scene.label("n3", WireNames.EXCLUDE, "true");
    scene.ready("True", "n1", "n2");
    scene.ready("Unknown", "n3");
    scene.minutes(6);
    assertThat(scene.done(EmitEvent.class).stream().map(OriginalsRulesTest::line).toList())
        .containsExactly(
            "Normal Enabled No issues found, NodeHealthCheck is enabled.",
            detected("n1"),
            detected("n2"),
            detected("n3"),
            "Warning RemediationSkipped Skipped remediation because the number of healthy nodes"
                + " selected by the selector is 0 and should equal or exceed 1",
            "Warning StormRecoveryStarted Storm recovery mode activated - delaying remediation"
                + " until threshold is reached",
            "Warning RemediationSkipped Storm recovery active: skipping creation of new"
                + " remediations",
            "Warning StormRecoveryCooldownStarted Storm recovery mode will exit after cooldown"
                + " delay",
            "Warning InvalidNodeLabel Node n1 has exclude-from-remediation label with empty value,"
                + " label will be ignored. Set value to 'true' to exclude node from remediation",
            "Normal StormRecoveryEnded Storm recovery mode deactivated - normal remediation"
                + " resumed",
            "Normal RemediationCreated Created remediation object for node n1",
            "Warning RemediationSkipped Skipping remediation of n2 for preventing control plane /"
                + " etcd quorum loss, going to retry in a minute",
            "Normal RemediationCreated Created remediation object for node n1",
            "Warning NoTemplateLeft Remediation timed out, and no template left to try. didn't find"
                + " a template to use for NHC nhc and node n1",
            "Normal RemediationSkipped Postponing potential remediations because of pause requests",
            "Normal RemediationRemoved Deleted remediation CR of kind FirstRemediation with name"
                + " n1",
            "Normal RemediationRemoved Deleted remediation CR of kind SecondRemediation with name"
                + " n1",
            detected("n3"),
            "Warning RemediationSkipped Remediation skipped on node n3: node has Exclude from"
                + " Remediation label");
  }

  @Test
  @DisplayName("R-21 the text for a lease of another's, an upgrade and a MachineHealthCheck")
  void moreEventTexts() {
    assertThat(line(EventTexts.waits("nhc", "n1", new LeaseHeld("x", Scene.START))))
        .isEqualTo(
            "Warning RemediationSkipped Skipped remediation of node: n1, because node lease is"
                + " already taken");
    assertThat(line(EventTexts.waits("nhc", null, new HoldReason.ClusterUpgrading())))
        .isEqualTo(
            "Normal RemediationSkipped Postponing potential remediations because of ongoing"
                + " cluster upgrade");
    assertThat(EventTexts.MACHINE_HEALTH_CHECK)
        .isEqualTo(
            "Custom MachineHealthCheck(s) detected, disabling NodeHealthCheck to avoid conflicts");
  }

  // --- What is frozen

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

  private static String detected(String node) {
    return "Normal DetectedUnhealthy Node matches unhealthy condition. Node \"%s\", condition type"
            .formatted(node)
        + " \"Ready\", condition status \"Unknown\"";
  }

  private static String line(EmitEvent event) {
    return (event.warning() ? "Warning " : "Normal ") + event.reason() + " " + event.message();
  }

  private static HealthCheckBuilder twoOfOneKind() {
    return check()
        .then("SameRemediation", "soft", Duration.ofMinutes(2))
        .then("SameRemediation", "hard", Duration.ofMinutes(2));
  }

  private static HealthCheckBuilder twoSteps() {
    return check()
        .then("FirstRemediation", "first", Duration.ofMinutes(2))
        .then("SecondRemediation", "second", Duration.ofMinutes(3));
  }

  private static TemplateLookup found(boolean severalOfItsKind) {
    return new Template(true, Scene.TEMPLATE_SPEC, severalOfItsKind);
  }
}
