package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Issue 18: the definition of RemediationPolicies and its rules. */
@Tag("real-api")
@Timeout(300)
class RemediationPolicyRealApiTest {
  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.define(
        "deploy/crds/remediationpolicies.probelet.io.yaml", "remediationpolicies.probelet.io");
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.resource(policy("{}")).delete();
      api.close();
    }
  }

  @Test
  @DisplayName("ACT-79 adds each started remediation to the status once")
  void status() {
    client
        .resource(
            policy(
                """
                {"windows": [{"schedule": "0 22 * * SAT", "duration": "4h", "timeZone": "Europe/Berlin"}],
                 "blackouts": [{"from": "2026-12-24", "to": "2026-12-26T12:00"}],
                 "maxNodes": "10%", "maxNodesPerZone": 1, "zoneLabel": "rack", "maxPerHour": 6,
                 "backstop": {"times": 3, "within": "24h"}, "approval": ["*"],
                 "dryRun": true, "paused": false}
                """))
        .create();
    for (String key : new String[] {"2026-01-01T00:00:00.001Z n1", "2026-01-01T00:00:00.001Z n2"}) {
      for (int again = 0; again < 2; again++) {
        client
            .resource(policy("{}"))
            .subresource("status")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"status\": {\"recent\": {\"%s\": \"RebootRemediation\"}}}".formatted(key));
      }
    }
    GenericKubernetesResource now = client.resource(policy("{}")).get();
    assertThat(now.<Map<String, Object>>get("status", "recent"))
        .containsOnlyKeys("2026-01-01T00:00:00.001Z n1", "2026-01-01T00:00:00.001Z n2");
  }

  @Test
  @DisplayName("ACT-71 the API server refuses what the reader refuses, as far as schemas allow")
  void refused() {
    api.assumeSince(RealApi.RULES);
    refuses("{\"windows\": [{\"schedule\": \"0 22 * *\", \"duration\": \"4h\"}]}", "schedule");
    refuses(
        "{\"windows\": [{\"schedule\": \"0 22 * * *\", \"duration\": \"169h\"}]}",
        "duration must be from 1m to 168h");
    refuses("{\"backstop\": {\"times\": 1, \"within\": \"1s\"}}", "within must be from 1m to 720h");
    refuses("{\"maxNodes\": \"101%\"}", "maxNodes");
    refuses("{\"maxPerHour\": -1}", "maxPerHour");
    refuses("{\"zoneLabel\": \"rack\"}", "zoneLabel has no effect without maxNodesPerZone");
    refuses("{\"approval\": [\"RebootRemediationTemplate\"]}", "without Template");
    refuses("{\"blackouts\": [{\"from\": \"today\", \"to\": \"2026-01-01\"}]}", "from");
  }

  private void refuses(String spec, String why) {
    assertThatThrownBy(() -> client.resource(policy(spec)).create())
        .as(spec)
        .hasMessageContaining(why);
  }

  private static GenericKubernetesResource policy(String spec) {
    return Serialization.unmarshal(
        """
        {"apiVersion": "probelet.io/v1alpha1", "kind": "RemediationPolicy",
         "metadata": {"name": "probelet-policy-test"}, "spec": %s}
        """
            .formatted(spec),
        GenericKubernetesResource.class);
  }
}
