package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.cluster.care.ClusterHealthSpec.ComponentKind;
import io.probelet.cluster.care.ClusterHealthSpec.WebhookRemediationMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterHealthSpecTest {

  @Test
  @DisplayName("CH-25 a resource without wishes looks after kube-system and changes nothing")
  void defaults() throws JsonProcessingException {
    ClusterHealthSpec spec = read("{}");
    assertThat(spec.syncPeriod()).isEqualTo(Duration.ofMinutes(1));
    assertThat(spec.webhookRemediation()).isEqualTo(WebhookRemediationMode.DISABLED);
    assertThat(spec.thresholds()).isEmpty();
    assertThat(spec.gardener()).isNull();
    assertThat(spec.components())
        .singleElement()
        .satisfies(components -> {
          assertThat(components.conditionType()).isEqualTo("SystemComponentsHealthy");
          assertThat(components.namespaces()).containsExactly("kube-system");
          assertThat(components.kinds()).containsExactly(ComponentKind.values());
        });
  }

  @Test
  @DisplayName("CH-25 wishes are read as they are written")
  void wishes() throws JsonProcessingException {
    ClusterHealthSpec spec =
        read(
            """
            {"syncPeriod": "1m30s", "thresholds": {"EveryNodeReady": "5m"},
             "components": [{"conditionType": "ControlPlaneHealthy", "kinds": ["StatefulSet"],
               "labelSelector": {"matchLabels": {"a": "b"}}, "required": ["etcd"],
               "rolloutThreshold": "1h", "checks": ["APIServices"]}],
             "webhookRemediation": "DryRun", "caSecrets": [{"names": ["ca"]}],
             "gardener": {"rule": "Seed"}, "ofANewerVersion": 1}
            """);
    assertThat(spec.syncPeriod()).isEqualTo(Duration.ofSeconds(90));
    assertThat(spec.thresholds()).isEqualTo(Map.of("EveryNodeReady", Duration.ofMinutes(5)));
    assertThat(spec.components().getFirst().kinds()).containsExactly(ComponentKind.STATEFUL_SET);
    assertThat(spec.components().getFirst().rolloutThreshold()).isEqualTo(Duration.ofHours(1));
    assertThat(spec.webhookRemediation()).isEqualTo(WebhookRemediationMode.DRY_RUN);
    assertThat(spec.caSecrets().getFirst().includes("ca")).isTrue();
    assertThat(spec.caSecrets().getFirst().includes("other")).isFalse();
    assertThat(spec.gardener())
        .isEqualTo(
            new ClusterHealthSpec.Gardener(
                ManagedResourceRule.SEED, List.of(), Duration.ofHours(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"syncPeriod": "10ms"}                    | spec.syncPeriod is 10ms; use 1s or more
          {"syncPeriod": "soon"}                    | "soon"
          {"components": [{"kinds": []}]}           | spec.components[].conditionType is missing
          {"thresholds": {"EveryNodeReady": "-1m"}} | threshold of EveryNodeReady
          """)
  void refused(String spec, String why) {
    assertThatThrownBy(() -> read(spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static ClusterHealthSpec read(String json) throws JsonProcessingException {
    return ClusterHealthSpec.read(new ObjectMapper().readTree(json));
  }
}
