package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.nodehealth.resource.WireNames;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where NHC, given the same events, did what our controller did not. */
@Timeout(300)
@EnableKubernetesMockClient(crud = true, https = false)
class OriginalsWaysTest {
  private static final String REBOOT = "RebootRemediation";
  private static final String REPLACE = "ReplaceRemediation";
  private static final String FORBIDDEN =
      "{\"kind\": \"Status\", \"code\": 403, \"message\": \"it is forbidden: User \\\"x\\\" cannot do"
          + " this\"}";

  private KubernetesClient client;
  private KubernetesMockServer server;
  private final WireMockServer gate =
      new WireMockServer(WireMockConfiguration.options().dynamicPort());
  private ControllerRun run;
  private Town town;

  @BeforeEach
  void begin() throws IOException {
    gate.start();
    String url = "http://" + server.getHostName() + ":" + server.getPort();
    gate.stubFor(any(anyUrl()).atPriority(10).willReturn(aResponse().proxiedFrom(url)));
    server
        .expect()
        .get()
        .withPath("/apis/example.io/v1")
        .andReturn(200, Town.discovery(REBOOT, REBOOT + "Template", REPLACE, REPLACE + "Template"))
        .always();
    run = new ControllerRun(client, url, gate.baseUrl());
    town = run.town;
    for (String node : List.of("n1", "n2", "n3")) {
      town.node(node);
    }
  }

  @AfterEach
  void end() {
    run.close();
    gate.stop();
  }

  @Test
  @DisplayName("NHC-5 two templates of one kind: enabled, remediating, escalating, and over")
  void twoTemplatesOfOneKind() {
    town.multipleTemplate(REBOOT + "Template", "reboot");
    town.multipleTemplate(REBOOT + "Template", "hard");
    town.check(
        "nhc",
        Town.escalation(REBOOT + "Template", REBOOT + "Template")
            .replaceAll("(?s)(order: 1.*name: )reboot", "$1hard"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(REBOOT).size() == 1);
    town.pass(Duration.ofSeconds(601));
    town.await().until(() -> town.remediations(REBOOT).size() == 2);

    annotate("hard", null);
    town.await().until(() -> town.phase("nhc"), "Disabled"::equals);
    annotate("hard", "true");
    town.await().until(() -> town.phase("nhc"), "Remediating"::equals);

    town.ready("n1", "True");
    town.await().until(() -> town.remediations(REBOOT).isEmpty());
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
  }

  @Test
  @DisplayName("R-20 the template is changed as soon as the remediation is there: no second one")
  void frozen() {
    town.template(REBOOT + "Template", "reboot");
    town.template(REPLACE + "Template", "reboot");
    town.check("nhc", Town.template(REBOOT + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> town.remediations(REBOOT).size() == 1);
    // Not refused for good when our own status comes in between.
    town.await().ignoreExceptions().until(() -> named(REPLACE + "Template"));
    town.await().until(() -> run.hold("nhc", "n1"), "EarlierRemediation"::equals);
    assertThat(town.remediations(REPLACE)).isEmpty();

    town.ready("n1", "True");
    town.await().until(() -> town.remediations(REBOOT).isEmpty());
    town.await().until(() -> town.unhealthy("nhc") == 0);
    town.ready("n2", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(REPLACE).size() == 1);
  }

  @Test
  @DisplayName("R-16 a stranger's remediation in another namespace keeps ours away")
  void stranger() {
    town.template(REBOOT + "Template", "reboot");
    town.create(
        """
        apiVersion: example.io/v1
        kind: RebootRemediation
        metadata: {name: n1, namespace: elsewhere, uid: stranger}
        """);
    town.check("nhc", Town.template(REBOOT + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> run.hold("nhc", "n1"), "ForeignRemediation"::equals);
    assertThat(town.remediations(REBOOT)).isEmpty();
  }

  @Test
  @DisplayName("R-4 a node without a Ready condition wakes nobody; with it, it counts")
  void unreported() {
    town.template(REBOOT + "Template", "reboot");
    town.check("nhc", Town.template(REBOOT + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
    // Its own write, coming back, is the last that wakes it.
    town.await().during(Duration.ofMillis(300)).until(() -> run.observed("nhc") == 3);
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("n4")
                .addToLabels("worker", "yes")
                .endMetadata()
                .build())
        .create();
    town.await().during(Duration.ofMillis(500)).until(() -> run.observed("nhc") == 3);
    client
        .nodes()
        .withName("n4")
        .editStatus(node ->
            new NodeBuilder(node)
                .editOrNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build());
    town.await().until(() -> run.observed("nhc") == 4);
  }

  @Test
  @DisplayName(
      "R-22 a right is missing: Disabled, with the rule to add; soon granted, soon enabled")
  void listForbidden() {
    StubMapping closed =
        gate.stubFor(
            get(urlPathMatching(".*/rebootremediations"))
                .atPriority(1)
                .willReturn(aResponse().withStatus(403).withBody(FORBIDDEN)));
    StubMapping review = allowed(false);
    town.template(REBOOT + "Template", "reboot");
    town.check("nhc", Town.template(REBOOT + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Disabled"::equals);
    assertThat(town.status("nhc"))
        .contains(
            "RightsMissing",
            "{apiGroups: [example.io], resources: [rebootremediations], verbs: [get, list, watch,"
                + " create, patch, delete]}",
            "rbac.ext-remediation/aggregate-to-ext-remediation");

    gate.removeStub(closed);
    gate.removeStub(review);
    allowed(true);
    town.await().atMost(Duration.ofSeconds(15)).until(() -> town.phase("nhc"), "Enabled"::equals);
  }

  @Test
  @DisplayName("R-22 creating is refused when the node is unhealthy: Disabled; granted: created")
  void createForbidden() {
    StubMapping closed =
        gate.stubFor(
            post(urlPathMatching(".*/rebootremediations"))
                .atPriority(1)
                .willReturn(aResponse().withStatus(403).withBody(FORBIDDEN)));
    StubMapping review = allowed(false);
    town.template(REBOOT + "Template", "reboot");
    town.check("nhc", Town.template(REBOOT + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.phase("nhc"), "Disabled"::equals);
    assertThat(town.status("nhc")).contains("RightsMissing", "may not create rebootremediations");

    gate.removeStub(closed);
    gate.removeStub(review);
    allowed(true);
    town.await().atMost(Duration.ofSeconds(15)).until(() -> town.remediations(REBOOT).size() == 1);
  }

  @Test
  @DisplayName("R-21 events carry NHC's prefix and the component that was configured")
  void events() {
    town.template(REBOOT + "Template", "reboot");
    town.check("nhc", Town.template(REBOOT + "Template"));
    run.start();
    town.await()
        .until(
            town::told,
            told ->
                told.contains(
                    "NodeHealthCheck Enabled [remediation] No issues found, NodeHealthCheck is"
                        + " enabled."));
  }

  /** What the API server says of our rights when it is asked. */
  private StubMapping allowed(boolean allowed) {
    return gate.stubFor(
        post(urlPathMatching("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"))
            .atPriority(1)
            .willReturn(okJson("{\"status\": {\"allowed\": " + allowed + "}}")));
  }

  /** Has the check name another template. */
  private boolean named(String kind) {
    town.check("nhc")
        .edit(check -> {
          Map<String, Object> spec = new HashMap<>(check.<Map<String, Object>>get("spec"));
          spec.put(
              "remediationTemplate",
              Map.of(
                  "apiVersion", "example.io/v1",
                  "kind", kind,
                  "namespace", "remedies",
                  "name", "reboot"));
          check.setAdditionalProperty("spec", spec);
          return check;
        });
    return true;
  }

  private void annotate(String template, String value) {
    town.operation("example.io/v1", REBOOT + "Template", "remedies")
        .withName(template)
        .edit(resource -> {
          resource
              .getMetadata()
              .setAnnotations(
                  value == null ? Map.of() : Map.of(WireNames.MULTIPLE_TEMPLATES, value));
          return resource;
        });
  }
}
