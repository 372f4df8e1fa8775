package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.HoldReason.LeaseHeld;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The texts of events, which are those of NHC where it has one. */
class EventTextsTest {
  @Test
  @DisplayName("R-21 events for which NHC has a text have that text, and its type")
  void eventTexts() {
    assertThat(EventTexts.disabled("RemediationTemplateNotFound", "why"))
        .isEqualTo("Disabling NHC. Reason: RemediationTemplateNotFound, Message: why");
    Scene scene = Scene.of(twoSteps(2, 3).minHealthy(1).stormCooldown(Duration.ofMinutes(1)), 3);
    scene.controlPlane("n1", "n2");
    scene.label("n3", WireNames.EXCLUDE, "true");
    scene.ready("Unknown", "n1", "n2", "n3");
    scene.minutes(6);
    scene.ready("True", "n3");
    scene.label("n1", WireNames.EXCLUDE, "");
    scene.minutes(10);
    scene.label("n1", WireNames.EXCLUDE, null);
    scene.add(twoSteps(2, 3).minHealthy(1).paused("me"));
    scene.minutes(1);
    scene.add(twoSteps(2, 3).minHealthy(1));
    scene.label("n3", WireNames.EXCLUDE, "true");
    scene.ready("True", "n1", "n2");
    scene.ready("Unknown", "n3");
    scene.minutes(6);
    assertThat(scene.done(EmitEvent.class).stream().map(EventTextsTest::line).toList())
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
  @DisplayName("R-21 the text for a lease of another's")
  void moreEventTexts() {
    assertThat(line(EventTexts.waits("nhc", "n1", new LeaseHeld("x", Scene.START))))
        .isEqualTo(
            "Warning RemediationSkipped Skipped remediation of node: n1, because node lease is"
                + " already taken");
  }

  private static String detected(String node) {
    return "Normal DetectedUnhealthy Node matches unhealthy condition. Node \"%s\", condition type"
            .formatted(node)
        + " \"Ready\", condition status \"Unknown\"";
  }

  private static String line(EmitEvent event) {
    return (event.warning() ? "Warning " : "Normal ") + event.reason() + " " + event.message();
  }
}
