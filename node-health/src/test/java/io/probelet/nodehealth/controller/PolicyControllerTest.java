package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.request;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import io.probelet.nodehealth.policy.RemediationPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RemediationPolicies of an API server: in force for all NodeHealthChecks, and reported. */
@Timeout(300)
class PolicyControllerTest {
  private static final String REBOOT = "RebootRemediation";
  private static final String PATH = "/apis/probelet.io/v1alpha1/remediationpolicies/limits";

  private ControllerRun run;
  private RemediationCluster cluster;

  @BeforeEach
  void begin() throws IOException {
    begin(new ControllerRun());
  }

  private void begin(ControllerRun with) {
    run = with;
    cluster = run.cluster;
    run.api.serve("example.io/v1", REBOOT, REBOOT + "Template");
    run.api.serve("probelet.io/v1alpha1", RemediationPolicy.KIND);
    cluster.template(REBOOT + "Template", "reboot");
    for (String node : List.of("n1", "n2", "n3")) {
      cluster.addNode(node);
    }
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
  }

  @AfterEach
  void end() {
    run.close();
  }

  private void policy(String spec) {
    run.api.put(
        """
        apiVersion: probelet.io/v1alpha1
        kind: RemediationPolicy
        metadata: {name: limits}
        spec: %s
        """
            .formatted(spec));
  }

  private JsonNode status(String field) {
    return run.api.get(PATH).path("status").path(field);
  }

  private void unhealthy(String... nodes) {
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    for (String node : nodes) {
      cluster.ready(node, "False");
    }
    cluster.pass(Duration.ofSeconds(62));
  }

  private void awaitHold(String node, String reason) {
    cluster.await().until(() -> run.hold("nhc", node), reason::equals);
  }

  @Test
  @DisplayName("ACT-77, ACT-78, ACT-79 limits hold over a restart, and the status says what counts")
  void limits() {
    policy("{maxNodes: 2, maxPerHour: 3}");
    run.start();
    unhealthy("n1", "n2", "n3");
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 2);
    awaitHold("n3", "PolicyNodeLimit");
    cluster
        .await()
        .untilAsserted(() -> {
          assertThat(status("nodes").asInt()).isEqualTo(3);
          assertThat(status("remediating").asInt()).isEqualTo(2);
          assertThat(status("held").asInt()).isEqualTo(1);
          assertThat(status("lastHour").asInt()).isEqualTo(2);
          assertThat(status("recent")).hasSize(2);
        });
    assertThat(cluster.remediation(REBOOT, "n1").at("/metadata/annotations").toString())
        .contains(RemediationPolicy.COUNTED);

    cluster.ready("n1", "True");
    cluster.await().until(() -> !cluster.remediation(REBOOT, "n3").isMissingNode());
    cluster.await().until(() -> status("lastHour").asInt() == 3);

    run.start(); // a new leader, which knows what the API server has
    cluster.ready("n1", "False");
    cluster.ready("n2", "True");
    cluster.pass(Duration.ofSeconds(62));
    awaitHold("n1", "PolicyHourlyLimit");
    cluster.await().until(() -> cluster.events().contains("RemediationSkipped"));
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);

    cluster.pass(Duration.ofMinutes(61));
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 2);
    cluster
        .await()
        .untilAsserted(() -> {
          assertThat(status("lastHour").asInt()).isEqualTo(1);
          assertThat(status("recent")).as("what no limit asks for is forgotten").hasSize(1);
        });
  }

  @Test
  @DisplayName(
      "ACT-78 a new leader counts the remediations of another NodeHealthCheck's kinds first")
  void kindsOfOthers() {
    String fence = "FenceRemediation";
    run.api.serve("example.io/v1", REBOOT, REBOOT + "Template", fence, fence + "Template");
    cluster.template(fence + "Template", "reboot");
    policy("{maxNodes: 1}");
    run.start();
    unhealthy("n1");
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    run.stop();

    cluster.check("fencing", RemediationCluster.template(fence + "Template"));
    cluster.ready("n2", "False");
    cluster.pass(Duration.ofSeconds(62));
    String list = ".*/rebootremediations";
    StubMapping slow =
        run.front.stubFor(
            request("GET", urlPathMatching(list))
                .atPriority(1)
                .willReturn(aResponse().withStatus(500).withBody("{\"message\": \"no\"}")));
    run.start();
    cluster.await().until(() -> run.api.get(PATH).at("/status/nodes").asInt() == 3);
    cluster
        .await()
        .until(
            () -> run.report("fencing").map(CheckReport::reason).orElse(""),
            reason -> reason.contains("every " + REBOOT));
    assertThat(cluster.remediations(fence)).isEmpty();

    run.front.removeStub(slow);
    cluster.await().until(() -> run.hold("fencing", "n2"), "PolicyNodeLimit"::equals);
    assertThat(cluster.remediations(fence)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, .*/rebootremediations, 500, false",
    "POST, .*/leases, 409, false",
    "PATCH, .*/remediationpolicies/limits/status, 500, false",
    "PATCH, .*/remediationpolicies/limits/status, 0, true",
    "PATCH, .*/nodes/n1, 0, true"
  })
  @DisplayName("ACT-76, ACT-79 a write that fails, or is not answered, is counted and allowed once")
  void failedOnce(String method, String path, int code, boolean done) throws IOException {
    run.close();
    begin( // whose requests take a second at most
        new ControllerRun(
            new ElectionTiming(
                Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500))));
    policy("{maxPerHour: 1, approval: ['*'], backstop: {times: 1, within: 2h}}");
    run.start();
    cluster.await().until(() -> status("nodes").asInt() == 3);
    unhealthy("n1");
    awaitHold("n1", "PolicyAwaitingApproval");
    run.front.stubFor(
        request(method, urlPathMatching(path))
            .withRequestBody(matching("(?s).*(RebootRemediation|Lease|approved).*"))
            .atPriority(1)
            .inScenario(path)
            .whenScenarioStateIs(Scenario.STARTED)
            .willSetStateTo("over")
            .willReturn(
                done
                    ? aResponse().proxiedFrom(run.api.url()).withFixedDelay(2000)
                    : aResponse().withStatus(code).withBody("{\"message\": \"no\"}")));
    cluster.annotateNode("n1", RemediationPolicy.APPROVED, REBOOT);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    assertThat(run.front.getAllScenarios().getScenarios())
        .allMatch(scenario -> scenario.getState().equals("over"));
    assertThat(status("recent")).hasSize(1);
  }

  @Test
  @DisplayName("ACT-76 a human's approval is taken off the node before the remediation is created")
  void approval() {
    policy("{approval: [RebootRemediation]}");
    run.start();
    unhealthy("n1");
    awaitHold("n1", "PolicyAwaitingApproval");
    cluster.annotateNode("n1", RemediationPolicy.APPROVED, REBOOT);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    assertThat(run.api.get(RemediationCluster.node("n1")).at("/metadata/annotations").toString())
        .doesNotContain(RemediationPolicy.APPROVED);
  }

  @Test
  @DisplayName("ACT-81 a change of a node that an expression holds back counts without waiting")
  void expression() {
    policy("{holdWhen: \"'busy' in labels\"}");
    run.api.patch(RemediationCluster.node("n1"), "{metadata: {labels: {busy: ''}}}");
    run.start();
    unhealthy("n1");
    awaitHold("n1", "PolicyByExpression");
    cluster.await().until(() -> cluster.events().contains("RemediationSkipped"));
    run.api.patch(RemediationCluster.node("n1"), "{metadata: {labels: {busy: null}}}");
    run.time
        .await(Duration.ZERO)
        .atMost(Duration.ofMinutes(1))
        .pollInSameThread()
        .until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("ACT-71, ACT-80 a dry run and a problem are in the status; a change counts at once")
  void dryRunAndProblem() {
    policy("{dryRun: true}");
    run.start();
    unhealthy("n1");
    awaitHold("n1", "PolicyDryRun");
    cluster.await().until(() -> status("wouldRemediate").path(0).asText().equals(REBOOT + " n1"));
    cluster.await().until(() -> cluster.events().contains("RemediationDryRun"));

    policy("{dryRun: false, windows: [{schedule: never, duration: 1h}]}");
    awaitHold("n1", "PolicyUnreadable");
    cluster.await().until(() -> status("problem").asText().contains("spec.windows[0].schedule"));
    assertThat(cluster.remediations(REBOOT)).isEmpty();

    run.api.delete(PATH);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("ACT-71 policies that may not be listed hold all; soon granted, soon in force")
  void forbidden() {
    policy("{maxNodes: 1}");
    StubMapping closed =
        run.front.stubFor(
            get(urlPathMatching(".*/remediationpolicies"))
                .atPriority(1)
                .willReturn(
                    aResponse()
                        .withStatus(403)
                        .withBody(
                            "{\"kind\": \"Status\", \"code\": 403, \"message\": \"it is forbidden:"
                                + " User \\\"x\\\" cannot do this\"}")));
    StubMapping review = allowed(false);
    run.start();
    unhealthy("n1", "n2");
    awaitHold("n1", "PolicyUnknown");
    assertThat(run.report("nhc").orElseThrow().nodes().getFirst().hold().message())
        .isEqualTo(
            "the RemediationPolicies could not be read: the controller may not list"
                + " remediationpolicies; grant what ClusterRole probelet-remediation of"
                + " deploy/remediation.yaml has");
    assertThat(cluster.remediations(REBOOT)).isEmpty();

    run.front.removeStub(closed);
    run.front.removeStub(review);
    allowed(true);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    awaitHold("n2", "PolicyNodeLimit");
  }

  @Test
  @DisplayName("ACT-79 what cannot be counted is not created; it says which right is missing")
  void statusForbidden() {
    policy("{maxNodes: 1}");
    run.start();
    cluster.await().until(() -> status("nodes").asInt() == 3);
    run.api
        .faults()
        .refuse("remediationpolicies/limits/status", 403, "User \"x\" cannot patch this");
    StubMapping review = allowed(false);
    unhealthy("n1");
    awaitHold("n1", "PolicyUnknown");
    assertThat(run.report("nhc").orElseThrow().nodes().getFirst().hold().message())
        .contains("may not patch remediationpolicies/status");
    assertThat(cluster.remediations(REBOOT)).isEmpty();

    run.api.faults().refuse(null, 0, "");
    run.front.removeStub(review);
    allowed(true);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  private StubMapping allowed(boolean allowed) {
    return run.front.stubFor(
        post(urlPathMatching(".*/selfsubjectaccessreviews"))
            .atPriority(1)
            .willReturn(okJson("{\"status\": {\"allowed\": " + allowed + "}}").withStatus(201)));
  }
}
