package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where NHC, given the same events, did what our controller did not. */
@Timeout(300)
class OriginalsWaysTest {
  private static final String REBOOT = "RebootRemediation";
  private static final String REPLACE = "ReplaceRemediation";
  private static final String FORBIDDEN =
      "{\"kind\": \"Status\", \"code\": 403, \"message\": \"it is forbidden: User \\\"x\\\" cannot do"
          + " this\"}";

  private ControllerRun run;
  private RemediationCluster cluster;

  @BeforeEach
  void begin() throws IOException {
    run = new ControllerRun();
    run.api.serve("example.io/v1", REBOOT, REBOOT + "Template", REPLACE, REPLACE + "Template");
    cluster = run.cluster;
    for (String node : List.of("n1", "n2", "n3")) {
      cluster.addNode(node);
    }
  }

  @AfterEach
  void end() {
    run.close();
  }

  @Test
  @DisplayName("NHC-5 two templates of one kind: enabled, remediating, escalating, and over")
  void twoTemplatesOfOneKind() {
    for (String name : List.of("reboot", "hard")) {
      cluster.template(REBOOT + "Template", name);
      cluster.annotateTemplate(REBOOT + "Template", name, "true");
    }
    cluster.check(
        "nhc",
        RemediationCluster.escalation(REBOOT + "Template", REBOOT + "Template")
            .replaceAll("(?s)(order: 1.*name: )reboot", "$1hard"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
    cluster.pass(Duration.ofSeconds(601));
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 2);

    cluster.annotateTemplate(REBOOT + "Template", "hard", null);
    cluster.await().until(() -> cluster.phase("nhc"), "Disabled"::equals);
    cluster.annotateTemplate(REBOOT + "Template", "hard", "true");
    cluster.await().until(() -> cluster.phase("nhc"), "Remediating"::equals);

    cluster.ready("n1", "True");
    cluster.await().until(() -> cluster.remediations(REBOOT).isEmpty());
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
  }

  @Test
  @DisplayName("R-20 the template is changed as soon as the remediation is there: no second one")
  void frozen() {
    cluster.template(REBOOT + "Template", "reboot");
    cluster.template(REPLACE + "Template", "reboot");
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster
        .await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> cluster.remediations(REBOOT).size() == 1);
    run.api.patch(
        RemediationCluster.checkPath("nhc"),
        "{spec: {remediationTemplate: {kind: %sTemplate}}}".formatted(REPLACE));
    cluster.await().until(() -> run.hold("nhc", "n1"), "EarlierRemediation"::equals);
    assertThat(cluster.remediations(REPLACE)).isEmpty();

    cluster.ready("n1", "True");
    cluster.await().until(() -> cluster.remediations(REBOOT).isEmpty());
    cluster.await().until(() -> cluster.unhealthy("nhc") == 0);
    cluster.ready("n2", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(REPLACE).size() == 1);
  }

  @Test
  @DisplayName("R-16 a stranger's remediation in another namespace keeps ours away")
  void stranger() {
    cluster.template(REBOOT + "Template", "reboot");
    run.api.put(
        """
        apiVersion: example.io/v1
        kind: RebootRemediation
        metadata: {name: n1, namespace: elsewhere, uid: stranger}
        """);
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> run.hold("nhc", "n1"), "ForeignRemediation"::equals);
    assertThat(cluster.remediations(REBOOT)).isEmpty();
  }

  @Test
  @DisplayName("R-4 a node without a Ready condition wakes nobody; with it, it counts")
  void unreported() {
    cluster.template(REBOOT + "Template", "reboot");
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    // Its own write, coming back, is the last that wakes it.
    cluster.await().during(Duration.ofMillis(300)).until(() -> run.observed("nhc") == 3);
    run.api.put("{apiVersion: v1, kind: Node, metadata: {name: n4, labels: {worker: 'yes'}}}");
    cluster.await().during(Duration.ofMillis(500)).until(() -> run.observed("nhc") == 3);
    run.api.patch(
        RemediationCluster.node("n4"), "{status: {conditions: [{type: Ready, status: 'True'}]}}");
    cluster.await().until(() -> run.observed("nhc") == 4);
  }

  @Test
  @DisplayName(
      "R-22 a right is missing: Disabled, with the rule to add; soon granted, soon enabled")
  void listForbidden() {
    StubMapping closed =
        run.front.stubFor(
            get(urlPathMatching(".*/rebootremediations"))
                .atPriority(1)
                .willReturn(aResponse().withStatus(403).withBody(FORBIDDEN)));
    StubMapping review = allowed(false);
    cluster.template(REBOOT + "Template", "reboot");
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Disabled"::equals);
    assertThat(cluster.status("nhc"))
        .contains(
            "RightsMissing",
            "{apiGroups: [example.io], resources: [rebootremediations], verbs: [get, list, watch,"
                + " create, patch, delete]}",
            "rbac.ext-remediation/aggregate-to-ext-remediation");

    run.front.removeStub(closed);
    run.front.removeStub(review);
    allowed(true);
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
  }

  @Test
  @DisplayName("R-22 creating is refused when the node is unhealthy: Disabled; granted: created")
  void createForbidden() {
    StubMapping closed =
        run.front.stubFor(
            post(urlPathMatching(".*/rebootremediations"))
                .atPriority(1)
                .willReturn(aResponse().withStatus(403).withBody(FORBIDDEN)));
    StubMapping review = allowed(false);
    cluster.template(REBOOT + "Template", "reboot");
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.phase("nhc"), "Disabled"::equals);
    assertThat(cluster.status("nhc"))
        .contains("RightsMissing", "may not create rebootremediations");

    run.front.removeStub(closed);
    run.front.removeStub(review);
    allowed(true);
    cluster.await().until(() -> cluster.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("R-21 events carry NHC's prefix and the component that was configured")
  void events() {
    cluster.template(REBOOT + "Template", "reboot");
    cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
    run.start();
    cluster
        .await()
        .until(
            cluster::eventTexts,
            told ->
                told.contains(
                    "NodeHealthCheck Enabled [remediation] No issues found, NodeHealthCheck is"
                        + " enabled."));
  }

  /** What the API server says of our rights when it is asked. */
  private StubMapping allowed(boolean allowed) {
    return run.front.stubFor(
        post(urlPathMatching("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"))
            .atPriority(1)
            .willReturn(okJson("{\"status\": {\"allowed\": " + allowed + "}}")));
  }
}
