package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** RB-6: the API server is asked once more before a remediation is created. */
@Timeout(300)
class LastLookTest {
  private static final String REBOOT = "RebootRemediation";
  private static final String NODE = "/api/v1/nodes/n1";

  @Test
  @DisplayName("RB-6 a node that recovered after the plan gets no remediation")
  void recovered() throws Exception {
    try (ControllerRun run = unhealthy()) {
      ObjectNode recovered = run.api.get(NODE).deepCopy();
      recovered
          .withArray("/status/conditions")
          .forEach(condition -> ((ObjectNode) condition).put("status", "True"));
      neverCreatedWhile(run, aResponse().withBody(recovered.toString()));
    }
  }

  @Test
  @DisplayName("RB-6 a node that cannot be read gets no remediation until it can")
  void unreadable() throws Exception {
    try (ControllerRun run = unhealthy()) {
      neverCreatedWhile(run, aResponse().withStatus(500).withBody("oh"));
    }
  }

  private static ControllerRun unhealthy() throws Exception {
    ControllerRun run = new ControllerRun();
    run.api.serve("example.io/v1", REBOOT, REBOOT + "Template");
    run.cluster.template(REBOOT + "Template", "reboot");
    run.cluster.addNode("n1");
    run.cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.cluster.ready("n1", "False");
    return run;
  }

  private static void neverCreatedWhile(ControllerRun run, ResponseDefinitionBuilder answer) {
    StubMapping stub =
        run.front.stubFor(get(urlPathEqualTo(NODE)).atPriority(1).willReturn(answer));
    run.start();
    run.cluster.pass(Duration.ofSeconds(62));
    run.cluster
        .await()
        .until(() -> run.front.findAll(getRequestedFor(urlPathEqualTo(NODE))).size() > 2);
    assertThat(run.cluster.remediations(REBOOT)).isEmpty();
    assertThat(run.cluster.events()).doesNotContain("RemediationCreated");
    run.front.removeStub(stub);
    run.cluster.await().until(() -> run.cluster.remediations(REBOOT).size() == 1);
  }
}
