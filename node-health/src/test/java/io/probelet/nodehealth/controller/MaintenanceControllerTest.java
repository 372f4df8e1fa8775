package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.request;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import io.probelet.kube.MaintenanceNote;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.policy.RemediationPolicy;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Maintenances of an API server: in force for all NodeHealthChecks, shown on nodes, reported. */
@Timeout(300)
class MaintenanceControllerTest {
  private static final String REBOOT = "RebootRemediation";
  private static final String PATH = "/apis/probelet.io/v1alpha1/maintenances/";

  private ControllerRun run;
  private RemediationCluster cluster;

  @BeforeEach
  void begin() throws IOException {
    run = new ControllerRun();
    cluster = run.cluster;
    run.api.serve("example.io/v1", REBOOT, REBOOT + "Template");
    run.api.serve("probelet.io/v1alpha1", RemediationPolicy.KIND, Maintenance.KIND);
    cluster.template(REBOOT + "Template", "reboot");
    cluster.addNode("n1", "rack");
    cluster.addNode("n2");
    cluster.addNode("n3");
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
  }

  @AfterEach
  void end() {
    run.close();
  }

  /** Begins so many minutes from now. */
  private void maintenance(String name, int start, String duration, String selector) {
    run.api.put(
        """
        apiVersion: probelet.io/v1alpha1
        kind: Maintenance
        metadata: {name: %s}
        spec: {start: "%s", duration: %s, nodeSelector: %s, reason: "CHG-1"}
        """
            .formatted(
                name,
                run.time
                    .clock()
                    .wallTime()
                    .plus(Duration.ofMinutes(start))
                    .truncatedTo(ChronoUnit.SECONDS),
                duration,
                selector));
  }

  private void rack(int start, String duration) {
    maintenance("rack-7", start, duration, "{matchLabels: {rack: ''}}");
  }

  private void fail(String... nodes) {
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    for (String node : nodes) {
      cluster.ready(node, "False");
    }
    cluster.pass(Duration.ofSeconds(62));
  }

  private void awaitHold(String node, String reason) {
    cluster.await().until(() -> run.hold("nhc", node), reason::equals);
  }

  private String active(String name) {
    return run.api.get(PATH + name).at("/status/conditions/0/reason").asText();
  }

  private String note(String node) {
    return run.api
        .get(RemediationCluster.node(node))
        .path("metadata")
        .path("annotations")
        .path(MaintenanceNote.ANNOTATION)
        .asText();
  }

  @Test
  @DisplayName(
      "MW-2, MW-8, MW-9 a window begins and ends in time: hold, annotation of the node, status")
  void window() {
    rack(10, "30m");
    run.start();
    cluster.await().until(() -> active("rack-7"), "Scheduled"::equals);
    assertThat(run.api.get(PATH + "rack-7").at("/status/nodes").asInt()).isEqualTo(1);
    assertThat(note("n1")).isEmpty();

    cluster.pass(Duration.ofMinutes(10));
    cluster.await().until(() -> active("rack-7"), "InProgress"::equals);
    cluster.await().until(() -> note("n1").endsWith("Z rack-7"));
    fail("n1", "n2");
    awaitHold("n1", "InMaintenance");
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    assertThat(cluster.remediation(REBOOT, "n1").isMissingNode()).isTrue();
    assertThat(note("n2")).isEmpty();

    cluster.ready("n2", "True");
    cluster.pass(Duration.ofMinutes(30));
    cluster.await().until(() -> active("rack-7"), "Over"::equals);
    cluster.await().until(() -> note("n1").isEmpty());
    cluster.pass(Duration.ofMinutes(3));
    cluster.await().until(() -> !cluster.remediation(REBOOT, "n1").isMissingNode());
  }

  @Test
  @DisplayName("MW-8 an annotation that another client wrote is no maintenance, and is removed")
  void forgedAnnotation() {
    cluster.annotateNode("n2", MaintenanceNote.ANNOTATION, "2099-01-01T00:00:00Z forged");
    run.start();
    cluster.await().until(() -> note("n2").isEmpty());
    fail("n2");
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  /** Attack: a kubelet rewrites the annotation of its Node all the time. */
  @Test
  @DisplayName("MW-8 an annotation that another client keeps changing is written every 30 s")
  void rewrittenAnnotation() {
    rack(0, "10h");
    run.start();
    cluster.await().until(() -> note("n1").endsWith("rack-7"));
    int before = run.api.writesDone("/nodes/n1").size();
    for (int i = 0; i < 20; i++) {
      cluster.annotateNode("n1", MaintenanceNote.ANNOTATION, "forged-" + i);
      cluster.pass(Duration.ofSeconds(1));
    }
    assertThat(run.api.writesDone("/nodes/n1").size() - before).isLessThanOrEqualTo(1);
    cluster.pass(Duration.ofSeconds(31));
    cluster.await().until(() -> note("n1").endsWith("rack-7"));
    assertThat(run.api.writesDone("/nodes/n1").size() - before).isLessThanOrEqualTo(2);
  }

  @Test
  @DisplayName("MW-4 a deleted Maintenance ends at once")
  void deleted() {
    rack(0, "10h");
    run.start();
    cluster.await().until(() -> note("n1").endsWith("rack-7"));
    fail("n1");
    awaitHold("n1", "InMaintenance");
    run.api.delete(PATH + "rack-7");
    cluster.pass(Duration.ofSeconds(31));
    cluster.await().until(() -> note("n1").isEmpty());
    assertThat(cluster.remediations(REBOOT)).isEmpty();
    cluster.pass(Duration.ofMinutes(2));
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("MW-3 a new leader counts from the end of a window that is over")
  void newLeader() {
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofMinutes(10));
    rack(-9, "9m");
    run.start();
    cluster.await().until(() -> active("rack-7"), "Over"::equals);
    awaitHold("n1", "InMaintenance");
    assertThat(cluster.remediations(REBOOT)).isEmpty();
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("MW-5 an invalid Maintenance holds its nodes, and says why")
  void invalid() {
    maintenance("bad", 0, "3s", "{matchLabels: {rack: ''}}");
    run.start();
    fail("n1", "n2");
    awaitHold("n1", "MaintenanceUnknown");
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    cluster.await().until(() -> active("bad"), "InvalidSpec"::equals);
    assertThat(note("n1")).isEmpty();
    assertThat(run.api.get(PATH + "bad").at("/status/conditions/0/message").asText())
        .contains("must be from 1m to 168h");
  }

  @Test
  @DisplayName("MW-6 if Maintenances cannot be listed no remediation starts, until they can be")
  void forbidden() {
    StubMapping denied =
        run.front.stubFor(
            request("GET", urlPathMatching(".*/maintenances"))
                .atPriority(1)
                .willReturn(
                    aResponse()
                        .withStatus(403)
                        .withBody(
                            "{\"kind\": \"Status\", \"code\": 403, \"message\": \"it is forbidden:"
                                + " User \\\"x\\\" cannot do this\"}")));
    StubMapping review = allowed(false);
    run.start();
    fail("n1", "n2");
    awaitHold("n1", "MaintenanceUnknown");
    awaitHold("n2", "MaintenanceUnknown");
    assertThat(cluster.remediations(REBOOT)).isEmpty();
    cluster.await().until(() -> cluster.events().contains("RemediationSkipped"));

    run.front.removeStub(denied);
    run.front.removeStub(review);
    allowed(true);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 2);
  }

  private StubMapping allowed(boolean allowed) {
    return run.front.stubFor(
        request("POST", urlPathMatching(".*/selfsubjectaccessreviews"))
            .atPriority(1)
            .willReturn(okJson("{\"status\": {\"allowed\": " + allowed + "}}").withStatus(201)));
  }

  @Test
  @DisplayName("MW-6 without the kind nothing changes")
  void notInstalled() {
    run.api.serve("probelet.io/v1alpha1", RemediationPolicy.KIND);
    run.start();
    fail("n1");
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("MW-1 two windows of a node are one")
  void overlapping() {
    rack(0, "5m");
    maintenance("later", 4, "10m", "{}");
    run.start();
    cluster.await().until(() -> note("n1").endsWith("rack-7") || note("n1").endsWith("later"));
    fail("n1");
    cluster.pass(Duration.ofMinutes(5));
    cluster.await().until(() -> List.of("n1", "n2", "n3").stream().allMatch(this::isLater));
    awaitHold("n1", "InMaintenance");
    JsonNode status = run.api.get(PATH + "later").path("status");
    assertThat(status.path("nodes").asInt()).isEqualTo(3);
  }

  private boolean isLater(String node) {
    return note(node).endsWith(" later");
  }
}
