package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.resource.WireNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RemediationControllerTest {
  private static final String FIRST = "RebootRemediation";
  private static final String SECOND = "ReplaceRemediation";

  private ControllerRun run;
  private RemediationCluster cluster;

  @BeforeEach
  void begin() throws IOException {
    run = new ControllerRun();
    cluster = run.cluster;
    run.api.serve("example.io/v1", FIRST, FIRST + "Template", SECOND, SECOND + "Template");
    cluster.template(FIRST + "Template", "reboot");
    cluster.template(SECOND + "Template", "reboot");
    for (String node : List.of("n1", "n2", "n3")) {
      cluster.addNode(node);
    }
  }

  @AfterEach
  void end() {
    run.close();
  }

  @Test
  @DisplayName("NHC-6, NHC-8, R-14, R-15 unhealthy: lease, remediation, status; healthy: all gone")
  void thereAndBack() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);

    cluster.ready("n1", "Unknown");
    cluster.pass(Duration.ofSeconds(62));

    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
    JsonNode remediation = cluster.remediations(FIRST).getFirst();
    assertThat(remediation.at("/metadata/name").asText()).isEqualTo("n1");
    assertThat(remediation.at("/metadata/annotations").properties())
        .extracting(each -> each.getKey() + "=" + each.getValue().asText())
        .containsExactlyInAnyOrder(
            WireNames.NODE_NAME + "=n1", WireNames.TEMPLATE_NAME + "=reboot");
    assertThat(remediation.at("/metadata/ownerReferences").findValuesAsText("name"))
        .containsExactly("nhc");
    assertThat(remediation.at("/spec/strategy").asText()).isEqualTo("Automatic");
    assertThat(cluster.lease("n1").at("/spec/holderIdentity").asText())
        .isEqualTo("NodeHealthCheck-nhc");
    cluster.await().until(() -> cluster.phase("nhc"), "Remediating"::equals);
    assertThat(cluster.unhealthy("nhc")).as(cluster.status("nhc")).isEqualTo(1);

    cluster.ready("n1", "True");

    cluster.await().until(() -> cluster.remediations(FIRST).isEmpty());
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    cluster.await().until(() -> cluster.lease("n1").isMissingNode());
    cluster.await().until(() -> cluster.unhealthy("nhc") == 0);
    cluster
        .await()
        .untilAsserted(() ->
            assertThat(cluster.events())
                .contains(
                    "Enabled", "DetectedUnhealthy", "RemediationCreated", "RemediationRemoved"));
  }

  @Test
  @DisplayName("NHC-11, NHC-12, R-18 escalation by timeout and by failure, to the last template")
  void escalation() {
    cluster.check("nhc", RemediationCluster.escalation(FIRST + "Template", SECOND + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
    assertThat(cluster.remediations(SECOND)).isEmpty();

    run.api.patch(
        RemediationCluster.remediations(FIRST, "n1"),
        "{status: {conditions: [{type: Succeeded, status: 'False'}]}}");

    cluster.await().until(() -> cluster.remediations(SECOND).size() == 1);
    cluster.await().until(() -> cluster.isTimedOut(FIRST, "n1"));
    cluster.pass(Duration.ofSeconds(700));
    cluster.await().until(() -> cluster.events().contains("NoTemplateLeft"));
    cluster.await().until(() -> cluster.isTimedOut(SECOND, "n1"));
    cluster.ready("n1", "True");
    cluster
        .await()
        .until(
            () -> cluster.remediations(FIRST).isEmpty() && cluster.remediations(SECOND).isEmpty());
  }

  @Test
  @DisplayName("NHC-9, R-7 a finalizer holds the remediation: listed until it goes")
  void finalizer() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
    String remediation = RemediationCluster.remediations(FIRST, "n1");
    run.api.patch(remediation, "{metadata: {finalizers: [example.io/wait]}}");

    cluster.ready("n1", "True");

    cluster
        .await()
        .until(() -> run.api.get(remediation).at("/metadata/deletionTimestamp").isTextual());
    cluster.await().until(() -> cluster.status("nhc").contains("conditionsHealthyTimestamp"));
    run.api.patch(remediation, "{metadata: {finalizers: []}}");
    cluster.await().until(() -> cluster.unhealthy("nhc") == 0);
  }

  @Test
  @DisplayName("NHC-15, R-3, R-4 a template goes and comes back: disabled, then remediating")
  void template() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);

    run.api.delete(RemediationCluster.remediations(FIRST + "Template", "reboot"));
    cluster.await().until(() -> cluster.phase("nhc"), "Disabled"::equals);
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> run.hold("nhc", "n1").startsWith("Disabled"));
    assertThat(cluster.remediations(FIRST)).isEmpty();
    cluster.template(FIRST + "Template", "reboot");
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
  }

  @Test
  @DisplayName("R-3 a kind that the API server does not know disables, and is looked for again")
  void missingKind() {
    cluster.check("nhc", RemediationCluster.template("OtherRemediationTemplate"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Disabled"::equals);
    assertThat(cluster.status("nhc"))
        .contains("RemediationTemplateNotFound", "OtherRemediationTemplate");
  }

  @Test
  @DisplayName("R-15 a machine whose name can be none does not keep its node from being remediated")
  void machineOfNoName() {
    cluster.annotateNode("n1", "cluster.x-k8s.io/machine", "no name");
    cluster.annotateNode("n1", "cluster.x-k8s.io/cluster-namespace", "remedies");
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
  }

  @Test
  @DisplayName("R-3 a version that can be none disables, as one that is not there does")
  void versionOfNoName() {
    cluster.check(
        "nhc",
        RemediationCluster.template(FIRST + "Template").replace("example.io/v1", "'a.io/no name'"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Disabled"::equals);
  }

  @Test
  @DisplayName("R-8 a person confirms: the remediation goes, and the annotation with it")
  void confirmed() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template") + "healthyDelay: '-1s'\n");
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
    cluster.ready("n1", "True");
    cluster
        .await()
        .until(
            () -> cluster.check("nhc").at("/status/unhealthyNodes/0/healthyDelayed").asBoolean());

    cluster.annotateNode("n1", WireNames.CONFIRMED_HEALTHY, "");

    cluster.await().until(() -> cluster.remediations(FIRST).isEmpty());
    cluster
        .await()
        .until(
            () -> run.api.get(RemediationCluster.node("n1")).at("/metadata/annotations").isEmpty());
  }

  @Test
  @DisplayName("NHC-23, N-3 a new controller adopts what an old one left, and repairs the status")
  void adopted() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Remediating"::equals);
    String uid = cluster.remediations(FIRST).getFirst().at("/metadata/uid").asText();
    run.stop();
    run.api.patch(RemediationCluster.checkPath("nhc"), "{status: null}");

    run.start();

    cluster.await().until(() -> cluster.phase("nhc"), "Remediating"::equals);
    assertThat(cluster.remediations(FIRST))
        .singleElement()
        .satisfies(one -> assertThat(one.at("/metadata/uid").asText()).isEqualTo(uid));
  }

  @Test
  @DisplayName("NHC-17, R-14 two NodeHealthChecks select one node: one remediation, one reason")
  void twoChecks() {
    cluster.check("a", RemediationCluster.template(FIRST + "Template"));
    cluster.check("b", RemediationCluster.template(SECOND + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster
        .await()
        .until(() -> cluster.remediations(FIRST).size() + cluster.remediations(SECOND).size() == 1);
    String other = cluster.remediations(FIRST).isEmpty() ? "a" : "b";
    cluster.await().until(() -> run.hold(other, "n1").startsWith("LeaseHeld"));
    assertThat(cluster.remediations(FIRST).size() + cluster.remediations(SECOND).size())
        .isEqualTo(1);
  }

  @Test
  @DisplayName("NHC-18, R-13 two control-plane nodes are unhealthy: one after the other")
  void controlPlane() {
    cluster.addNode("c1", WireNames.CONTROL_PLANE);
    cluster.addNode("c2", WireNames.CONTROL_PLANE);
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.ready("c1", "False");
    cluster.ready("c2", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);
    String first = cluster.remediations(FIRST).getFirst().at("/metadata/name").asText();
    String second = first.equals("c1") ? "c2" : "c1";
    cluster.await().until(() -> run.hold("nhc", second).startsWith("ControlPlaneBusy"));

    cluster.ready(first, "True");

    cluster
        .await()
        .until(() ->
            !cluster.remediation(FIRST, second).isMissingNode()
                && cluster.remediation(FIRST, first).isMissingNode());
  }

  @Test
  @DisplayName("R-9 a node is deleted: its remediation and its entry go")
  void orphan() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));
    cluster.await().until(() -> cluster.remediations(FIRST).size() == 1);

    run.api.delete(RemediationCluster.node("n1"));

    cluster.await().until(() -> cluster.remediations(FIRST).isEmpty());
    cluster.await().until(() -> cluster.unhealthy("nhc") == 0);
  }

  @Test
  @DisplayName("N-1 a leader whose term is over writes nothing, whatever happens")
  void deposed() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    cluster
        .await()
        .until(() -> cluster.events().contains("Enabled")); // which comes after the status
    String before = cluster.version("nhc");
    int events = cluster.events().size();

    run.leading = false;
    cluster.ready("n1", "False");
    cluster.pass(Duration.ofSeconds(62));

    cluster.await().until(() -> run.hold("nhc", "n1").startsWith("no hold"));
    cluster
        .await()
        .during(Duration.ofMillis(500))
        .until(() -> cluster.remediations(FIRST).isEmpty() && cluster.lease("n1").isMissingNode());
    assertThat(cluster.version("nhc")).isEqualTo(before);
    assertThat(cluster.events()).hasSize(events);
  }

  @Test
  @DisplayName("RB-2 a pass that changes nothing writes nothing")
  void quiet() {
    cluster.check("nhc", RemediationCluster.template(FIRST + "Template"));
    run.start();
    cluster.await().until(() -> cluster.phase("nhc"), "Enabled"::equals);
    String before = cluster.version("nhc");

    cluster.annotateNode("n1", "touched", "yes");
    cluster.ready("n2", "Unknown");
    cluster.ready("n2", "True");

    cluster
        .await()
        .during(Duration.ofMillis(500))
        .until(() -> run.report("nhc").orElseThrow().healthyNodes() == 3);
    assertThat(Integer.parseInt(cluster.version("nhc")))
        .isLessThanOrEqualTo(Integer.parseInt(before) + 6);
  }
}
