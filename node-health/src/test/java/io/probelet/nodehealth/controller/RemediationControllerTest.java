package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.nodehealth.resource.WireNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@EnableKubernetesMockClient(crud = true, https = false)
class RemediationControllerTest {
  private static final String FIRST = "RebootRemediation";
  private static final String SECOND = "ReplaceRemediation";

  private KubernetesClient client;
  private KubernetesMockServer server;
  private ControllerRun run;
  private Town town;

  @BeforeEach
  void begin() throws IOException {
    String url = "http://" + server.getHostName() + ":" + server.getPort();
    run = new ControllerRun(client, url, url);
    town = run.town;
    server
        .expect()
        .get()
        .withPath("/apis/example.io/v1")
        .andReturn(200, Town.discovery(FIRST, FIRST + "Template", SECOND, SECOND + "Template"))
        .always();
    town.template(FIRST + "Template", "reboot");
    town.template(SECOND + "Template", "reboot");
    for (String node : List.of("n1", "n2", "n3")) {
      town.node(node);
    }
  }

  @AfterEach
  void end() {
    run.close();
  }

  @Test
  @DisplayName("NHC-6, NHC-8, R-14, R-15 unhealthy: lease, remediation, status; healthy: all gone")
  void thereAndBack() {
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);

    town.ready("n1", "Unknown");
    town.pass(Duration.ofSeconds(62));

    town.await().until(() -> town.remediations(FIRST).size() == 1);
    GenericKubernetesResource remediation = town.remediations(FIRST).getFirst();
    assertThat(remediation.getMetadata().getName()).isEqualTo("n1");
    assertThat(remediation.getMetadata().getAnnotations())
        .isEqualTo(Map.of(WireNames.NODE_NAME, "n1", WireNames.TEMPLATE_NAME, "reboot"));
    assertThat(remediation.getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getName)
        .containsExactly("nhc");
    assertThat(remediation.<String>get("spec", "strategy")).isEqualTo("Automatic");
    assertThat(town.lease("n1").getSpec().getHolderIdentity()).isEqualTo("NodeHealthCheck-nhc");
    town.await().until(() -> town.phase("nhc"), "Remediating"::equals);
    assertThat(town.unhealthy("nhc")).as(town.status("nhc")).isEqualTo(1);

    town.ready("n1", "True");

    town.await().until(() -> town.remediations(FIRST).isEmpty());
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
    town.await().until(() -> town.lease("n1") == null);
    town.await().until(() -> town.unhealthy("nhc") == 0);
    town.await()
        .untilAsserted(() ->
            assertThat(town.events())
                .contains(
                    "Enabled", "DetectedUnhealthy", "RemediationCreated", "RemediationRemoved"));
  }

  @Test
  @DisplayName("NHC-11, NHC-12, R-18 escalation by timeout and by failure, to the last template")
  void escalation() {
    town.check("nhc", Town.escalation(FIRST + "Template", SECOND + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(FIRST).size() == 1);
    assertThat(town.remediations(SECOND)).isEmpty();

    town.succeeded(FIRST, "n1", "False");

    town.await().until(() -> town.remediations(SECOND).size() == 1);
    town.await().until(() -> town.isTimedOut(FIRST, "n1"));
    town.pass(Duration.ofSeconds(700));
    town.await().until(() -> town.events().contains("NoTemplateLeft"));
    town.await().until(() -> town.isTimedOut(SECOND, "n1"));
    town.ready("n1", "True");
    town.await()
        .until(() -> town.remediations(FIRST).isEmpty() && town.remediations(SECOND).isEmpty());
  }

  @Test
  @DisplayName("NHC-9, R-7 a finalizer holds the remediation: listed until it goes")
  void finalizer() {
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(FIRST).size() == 1);
    town.remediation(FIRST, "n1")
        .edit(resource -> {
          resource.getMetadata().setFinalizers(List.of("example.io/wait"));
          return resource;
        });

    town.ready("n1", "True");

    town.await()
        .until(
            () -> town.remediation(FIRST, "n1").get().getMetadata().getDeletionTimestamp() != null);
    town.await().until(() -> town.status("nhc").contains("conditionsHealthyTimestamp"));
    town.remediation(FIRST, "n1")
        .edit(resource -> {
          resource.getMetadata().setFinalizers(List.of());
          return resource;
        });
    town.await().until(() -> town.unhealthy("nhc") == 0);
  }

  @Test
  @DisplayName("NHC-15, R-3, R-4 a template goes and comes back: disabled, then remediating")
  void template() {
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);

    // The mocked server tells those who begin to watch of what there is, and not of what is gone.
    town.await().until(() -> run.isWatched("rebootremediationtemplates"));
    town.templateOf(FIRST + "Template").delete();
    town.await().until(() -> town.phase("nhc"), "Disabled"::equals);
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> run.hold("nhc", "n1").startsWith("Disabled"));
    assertThat(town.remediations(FIRST)).isEmpty();
    town.template(FIRST + "Template", "reboot");
    town.await().until(() -> town.remediations(FIRST).size() == 1);
  }

  @Test
  @DisplayName("R-3 a kind that the API server does not know disables, and is looked for again")
  void missingKind() {
    town.check("nhc", Town.template("OtherRemediationTemplate"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Disabled"::equals);
    assertThat(town.status("nhc"))
        .contains("RemediationTemplateNotFound", "OtherRemediationTemplate");
  }

  @Test
  @DisplayName("R-15 a machine whose name can be none does not keep its node from being remediated")
  void machineOfNoName() {
    town.annotateNode("n1", "cluster.x-k8s.io/machine", "no name");
    town.annotateNode("n1", "cluster.x-k8s.io/cluster-namespace", "remedies");
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(FIRST).size() == 1);
  }

  @Test
  @DisplayName("R-3 a version that can be none disables, as one that is not there does")
  void versionOfNoName() {
    town.check("nhc", Town.template(FIRST + "Template").replace("example.io/v1", "'a.io/no name'"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Disabled"::equals);
  }

  @Test
  @DisplayName("R-8 a person confirms: the remediation goes, and the annotation with it")
  void confirmed() {
    town.check("nhc", Town.template(FIRST + "Template") + "healthyDelay: '-1s'\n");
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(FIRST).size() == 1);
    town.ready("n1", "True");
    town.await().until(() -> town.status("nhc").contains("healthyDelayed=true"));

    town.annotateNode("n1", WireNames.CONFIRMED_HEALTHY, "");

    town.await().until(() -> town.remediations(FIRST).isEmpty());
    town.await()
        .until(() -> client.nodes().withName("n1").get().getMetadata().getAnnotations().isEmpty());
  }

  @Test
  @DisplayName("NHC-23, N-3 a new controller adopts what an old one left, and repairs the status")
  void adopted() {
    town.check("nhc", Town.template(FIRST + "Template"));
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Remediating"::equals);
    String uid = town.remediations(FIRST).getFirst().getMetadata().getUid();
    run.stop();
    town.check("nhc")
        .editStatus(check -> {
          check.setAdditionalProperty("status", Map.of());
          return check;
        });

    run.start();

    town.await().until(() -> town.phase("nhc"), "Remediating"::equals);
    assertThat(town.remediations(FIRST))
        .singleElement()
        .satisfies(one -> assertThat(one.getMetadata().getUid()).isEqualTo(uid));
  }

  @Test
  @DisplayName("NHC-17, R-14 two NodeHealthChecks select one node: one remediation, one reason")
  void twoChecks() {
    town.check("a", Town.template(FIRST + "Template"));
    town.check("b", Town.template(SECOND + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await()
        .until(() -> town.remediations(FIRST).size() + town.remediations(SECOND).size() == 1);
    String other = town.remediations(FIRST).isEmpty() ? "a" : "b";
    town.await().until(() -> run.hold(other, "n1").startsWith("LeaseHeld"));
    assertThat(town.remediations(FIRST).size() + town.remediations(SECOND).size()).isEqualTo(1);
  }

  @Test
  @DisplayName("NHC-18, R-13 two control-plane nodes are unhealthy: one after the other")
  void controlPlane() {
    town.node("c1", WireNames.CONTROL_PLANE);
    town.node("c2", WireNames.CONTROL_PLANE);
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.ready("c1", "False");
    town.ready("c2", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(FIRST).size() == 1);
    String first = town.remediations(FIRST).getFirst().getMetadata().getName();
    String second = first.equals("c1") ? "c2" : "c1";
    town.await().until(() -> run.hold("nhc", second).startsWith("ControlPlaneBusy"));

    town.ready(first, "True");

    town.await()
        .until(() ->
            town.remediation(FIRST, second).get() != null
                && town.remediation(FIRST, first).get() == null);
  }

  @Test
  @DisplayName("R-9 a node is deleted: its remediation and its entry go")
  void orphan() {
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));
    town.await().until(() -> town.remediations(FIRST).size() == 1);

    client.nodes().withName("n1").delete();

    town.await().until(() -> town.remediations(FIRST).isEmpty());
    town.await().until(() -> town.unhealthy("nhc") == 0);
  }

  @Test
  @DisplayName("N-1 a leader whose term is over writes nothing, whatever happens")
  void deposed() {
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
    town.await().until(() -> town.events().contains("Enabled")); // which comes after the status
    String before = town.check("nhc").get().getMetadata().getResourceVersion();
    int events = town.events().size();

    run.leading = false;
    town.ready("n1", "False");
    town.pass(Duration.ofSeconds(62));

    town.await().until(() -> run.hold("nhc", "n1").startsWith("no hold"));
    town.await()
        .during(Duration.ofMillis(500))
        .until(() -> town.remediations(FIRST).isEmpty() && town.lease("n1") == null);
    assertThat(town.check("nhc").get().getMetadata().getResourceVersion()).isEqualTo(before);
    assertThat(town.events()).hasSize(events);
  }

  @Test
  @DisplayName("RB-2 a pass that changes nothing writes nothing")
  void quiet() {
    town.check("nhc", Town.template(FIRST + "Template"));
    run.start();
    town.await().until(() -> town.phase("nhc"), "Enabled"::equals);
    String before = town.check("nhc").get().getMetadata().getResourceVersion();

    town.annotateNode("n1", "touched", "yes");
    town.ready("n2", "Unknown");
    town.ready("n2", "True");

    town.await()
        .during(Duration.ofMillis(500))
        .until(() -> run.report("nhc").orElseThrow().healthyNodes() == 3);
    assertThat(Integer.parseInt(town.check("nhc").get().getMetadata().getResourceVersion()))
        .isLessThanOrEqualTo(Integer.parseInt(before) + 6);
  }
}
