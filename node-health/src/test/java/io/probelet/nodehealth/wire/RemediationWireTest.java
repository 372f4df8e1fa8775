package io.probelet.nodehealth.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class RemediationWireTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  @DisplayName("R-15 a remediation as remediators read it")
  void draft() {
    RemediationDraft draft =
        new RemediationDraft(
            "example.io/v1",
            "Reboot",
            "remedies",
            "n1-abc",
            "n1-",
            Map.of("part-of", "us"),
            Map.of("node", "n1"),
            List.of(new OwnerRef("group/v1", "NodeHealthCheck", "nhc", "u1")),
            json("{force: true}"));
    assertThat(RemediationJson.write(draft))
        .isEqualTo(
            json(
                """
                {apiVersion: 'example.io/v1', kind: Reboot,
                 metadata: {name: n1-abc, generateName: 'n1-', namespace: remedies,
                  labels: {part-of: us}, annotations: {node: n1},
                  ownerReferences: [{apiVersion: 'group/v1', kind: NodeHealthCheck, name: nhc,
                   uid: u1, controller: false}]},
                 spec: {force: true}}\
                """));
  }

  @Test
  @DisplayName("R-9, R-16, R-18 what a plan needs of a remediation; what it lacks does no harm")
  void remediation() {
    ObservedRemediation read =
        RemediationJson.read(
            json(
                """
                {apiVersion: 'example.io/v1', kind: Reboot,
                 metadata: {name: n1, namespace: remedies, uid: u7,
                  creationTimestamp: '2026-01-01T01:00:00+01:00',
                  deletionTimestamp: '2026-01-01T02:00:00Z', labels: {a: b}, annotations: {c: d},
                  ownerReferences: [{apiVersion: v, kind: K, name: n, uid: u}]},
                 status: {conditions: [{type: Succeeded, status: 'False'},
                  {type: PermanentNodeDeletionExpected, status: 'True'}]}}\
                """));
    assertThat(read)
        .isEqualTo(
            new ObservedRemediation(
                new ObjectRef("example.io/v1", "Reboot", "remedies", "n1"),
                "u7",
                THEN,
                true,
                Map.of("a", "b"),
                Map.of("c", "d"),
                List.of(new OwnerRef("v", "K", "n", "u")),
                Success.NO,
                true));
    assertThat(RemediationJson.read(json("{metadata: {name: n1}}")).succeeded())
        .isEqualTo(Success.UNKNOWN);
  }

  @Test
  @DisplayName("R-3, R-15 a template with, without and with half of what it needs")
  void template() {
    assertThat(
            RemediationJson.readTemplate(
                json(
                    """
                    {metadata: {annotations:
                      {remediation.medik8s.io/multiple-templates-support: 'true'}},
                     spec: {template: {spec: {a: 1}}}}\
                    """)))
        .isEqualTo(new Template(true, json("{a: 1}"), true));
    assertThat(RemediationJson.readTemplate(json("{spec: {template: {}}}")))
        .isEqualTo(new Template(true, null, false));
    assertThat(RemediationJson.readTemplate(json("{spec: {}}")))
        .isEqualTo(new Template(false, null, false));
  }

  @Test
  @DisplayName("R-14 a lease is read as it was written")
  void lease() {
    LeaseClaim claim =
        new LeaseClaim(
            "node-n1", "me", "n1-uid", THEN, THEN.plusMillis(1), Duration.ofMinutes(11), 2, "41");
    ObjectNode written = RemediationJson.writeLease(claim, "leases", "n1");
    assertThat(written.at("/metadata/resourceVersion").asText()).isEqualTo("41");
    assertThat(written.at("/metadata/ownerReferences/0"))
        .isEqualTo(json("{apiVersion: v1, kind: Node, name: n1, uid: n1-uid, controller: false}"));
    assertThat(written.at("/spec/renewTime").asText()).isEqualTo("2026-01-01T00:00:00.001000Z");
    assertThat(RemediationJson.readLease(written))
        .isEqualTo(
            new NodeLease(
                "node-n1", "me", THEN, THEN.plusMillis(1), Duration.ofMinutes(11), 2, "41"));
    assertThat(RemediationJson.readLease(json("{metadata: {name: node-x}}")).holder()).isEmpty();
  }

  @Test
  @DisplayName("R-2, R-17 a status is read as it was written")
  void status() {
    NodeHealthCheckStatus status =
        new NodeHealthCheckStatus(
            3,
            1,
            List.of(
                new UnhealthyNode("n1", List.of(), null, false),
                new UnhealthyNode(
                    "n2",
                    List.of(
                        new TrackedRemediation(
                            new ObjectRef("example.io/v1", "Reboot", "remedies", "n2"),
                            "u7",
                            THEN,
                            THEN.plusSeconds(60),
                            "reboot")),
                    THEN.plusSeconds(70),
                    true)),
            List.of(new StatusCondition("Disabled", false, "Fine", "all is well", THEN)),
            Phase.REMEDIATING,
            "NHC is remediating 2 nodes",
            THEN.plusSeconds(80));
    ObjectNode written = StatusJson.write(status);
    assertThat(StatusJson.read(written)).isEqualTo(status);
    assertThat(written.has("inFlightRemediations")).isFalse();
    assertThat(written.at("/unhealthyNodes/0")).isEqualTo(json("{name: n1}"));
    assertThat(StatusJson.read(MissingNode.getInstance())).isEqualTo(NodeHealthCheckStatus.NONE);
  }

  private static JsonNode json(String yaml) {
    return JSON.valueToTree(new Yaml().load(yaml));
  }
}
