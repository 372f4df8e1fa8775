package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ClusterHealth resources in files: what would be refused, with the line that says it. */
class ClusterHealthRulesTest {
  private static final String GOOD =
      """
      apiVersion: probelet.io/v1alpha1
      kind: ClusterHealth
      metadata: {name: cluster}
      spec:
        syncPeriod: 1m
        thresholds: {EveryNodeReady: 5m}
        components:
        - conditionType: ControlPlaneHealthy
          kinds: [Deployment]
          labelSelector: {matchLabels: {tier: control-plane}}
          rolloutThreshold: 10m
          checks: [APIServices]
        contributions:
        - {apiVersion: example.org/v1, kind: Shop, conditionTypes: [DoorOpen]}
        webhookRemediation: DryRun
        caSecrets: [{names: [ca]}]
        gardener: {rule: Seed}
      """;

  @Test
  void aGoodOneHasNoProblem() {
    assertThat(Reading.of(GOOD).lines()).isEmpty();
  }

  @Test
  void theDocsHaveGoodOnes() throws IOException {
    String docs = Files.readString(Path.of("../docs/how-to/cluster-health.md"));
    Matcher blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(docs);
    int found = 0;
    while (blocks.find()) {
      String block = blocks.group(1);
      String whole =
          block.startsWith("apiVersion") ? block : GOOD.substring(0, GOOD.indexOf("spec:")) + block;
      assertThat(Reading.of(whole).lines()).isEmpty();
      found++;
    }
    assertThat(found).isEqualTo(3);
  }

  @Test
  @DisplayName("CH-25 a threshold may be for whatever is judged")
  void thresholds() {
    String types =
        "{EveryNodeReady: 5m, APIServerAvailable: 1m, ControlPlaneHealthy: 1m, DoorOpen: 1m,"
            + " SeedSystemComponentsHealthy: 1m}";
    assertThat(Reading.of(GOOD.replace("{EveryNodeReady: 5m}", types)).lines()).isEmpty();
  }

  @Test
  @DisplayName("CH-25 all mistakes are told at once")
  void allAtOnce() {
    assertThat(
            Reading.of(
                    GOOD.replace("1m", "1")
                        .replace("EveryNodeReady", "EveryNode")
                        .replace("[APIServices]", "[dns, ApiServices]")
                        .replace("DryRun", "Dry"))
                .lines())
        .hasSize(5);
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "probelet.io/v1alpha1|v1|1:13|apiVersion: Unsupported value: \"v1\"",
        "name: cluster|name: mine|3:18|metadata.name: Invalid value: \"mine\": only the"
            + " ClusterHealth named \"cluster\" is used",
        "apiVersion: example.org/v1|apiVersion: v1/v2/v3|14:18|spec.contributions[0].apiVersion:"
            + " Invalid value: \"v1/v2/v3\": must be a version or group/version, such as v1",
        "kind: Shop|kind: Little Shop|14:40|spec.contributions[0].kind: Invalid value:"
            + " \"Little Shop\": must be a kind",
        "gardener: {rule: Seed}|expressions: [{conditionType: A, apiVersion: a/b/c, kind: B, healthyWhen: 'true'}]"
            + "|17:48|spec.expressions[0].apiVersion: Invalid value: \"a/b/c\": must be a version",
        "syncPeriod: 1m|syncPeriod: 10ms|5:15|spec.syncPeriod: Invalid value: \"10ms\": must be 1s",
        "syncPeriod|syncperiod|5:3|spec.syncperiod: unknown field; did you mean \"syncPeriod\"?",
        "5m}|-5m}|6:32|spec.thresholds[EveryNodeReady]: Invalid value: \"-5m\"",
        "conditionType: Control|condition: Control|8:5|spec.components[0].conditionType: Required value",
        "[Deployment]|[Job]|9:13|spec.components[0].kinds[0]: Unsupported value: \"Job\"",
        "matchLabels: {tier: control-plane}|matchExpressions: [{key: a, operator: Not}]"
            + "|10:59|spec.components[0].labelSelector.matchExpressions[0].operator: Unsupported value",
        "[DoorOpen]|[]|14:62|spec.contributions[0].conditionTypes: Required value",
        "DryRun|Dry|15:23|spec.webhookRemediation: Unsupported value: \"Dry\"",
        "rule: Seed|rule: Field|17:20|spec.gardener.rule: Unsupported value: \"Field\"",
        "[APIServices]|[APIService]|12:14|spec.components[0].checks[0]: Unsupported value: \"APIService\"",
        "EveryNodeReady|EveryNodesReady|6:33|spec.thresholds[EveryNodesReady]: unknown condition type; did you mean \"EveryNodeReady\"?",
        "{tier: control-plane}|{\"bad key!\": x y}|10:47"
            + "|spec.components[0].labelSelector.matchLabels[bad key!]: Invalid key: must be a name",
        "conditionType: ControlPlaneHealthy|conditionType: \"  Foo bar!\"|8:20"
            + "|spec.components[0].conditionType: Invalid value: \"  Foo bar!\": must be a name",
        "[APIServices]|[no-such-check]|12:14|spec.components[0].checks[0]: Unsupported value",
        "syncPeriod: 1m|minimumNodes: -1|5:17|spec.minimumNodes: Invalid value: -1: must be 0 or more",
      })
  @DisplayName("CH-25 what cannot be done is told before the resource is applied")
  void told(String good, String bad, String place, String complaint) {
    assertThat(Reading.of(GOOD.replace(good, bad)).lines())
        .anySatisfy(
            problem -> assertThat(problem).startsWith(place + ": ").contains(": " + complaint));
  }
}
