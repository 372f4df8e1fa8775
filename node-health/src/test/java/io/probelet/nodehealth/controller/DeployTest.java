package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class DeployTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  @DisplayName("issue 5: remediators' rights are collected by the label they ship")
  void aggregation() throws IOException {
    assertThat(objects())
        .filteredOn(object -> object.path("kind").asText().equals("ClusterRole"))
        .filteredOn(object -> object.has("aggregationRule"))
        .singleElement()
        .satisfies(role ->
            assertThat(
                    role.at("/aggregationRule/clusterRoleSelectors/0/matchLabels")
                        .path("rbac.ext-remediation/aggregate-to-ext-remediation")
                        .asText())
                .isEqualTo("true"));
  }

  @Test
  @DisplayName("the leader's lease, and the nodes' leases, are those that rights are given for")
  void leases() throws IOException {
    assertThat(objects()).anyMatch(role -> role.toString().contains(RemediationController.LEASE));
    assertThat(objects())
        .anyMatch(object ->
            object.path("kind").asText().equals("Namespace")
                && object
                    .at("/metadata/name")
                    .asText()
                    .equals(RemediationSettings.LEASE_NAMESPACE));
  }

  private static List<JsonNode> objects() throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    new Yaml()
        .loadAll(Files.readString(Path.of("../deploy/remediation.yaml")))
        .forEach(object -> objects.add(JSON.valueToTree(object)));
    return objects;
  }
}
