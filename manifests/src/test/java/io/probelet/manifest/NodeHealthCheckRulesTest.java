package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NodeHealthChecks in files: the reader's rules, with the line that breaks them. */
class NodeHealthCheckRulesTest {
  private static final String GOOD =
      """
      apiVersion: remediation.medik8s.io/v1alpha1
      kind: NodeHealthCheck
      metadata: {name: workers}
      spec:
        selector: {matchLabels: {pool: workers}}
        minHealthy: 51%
        remediationTemplate: {apiVersion: v1, kind: ATemplate, name: a, namespace: n}
      """;

  @Test
  void aGoodOneHasNoProblem() {
    assertThat(Reading.of(GOOD).lines()).isEmpty();
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "remediation.medik8s.io/v1alpha1|v1"
            + "|1:13: apiVersion: Unsupported value: \"v1\": supported values: \"remediation.medik8s.io/v1alpha1\"",
        "{name: workers}|{}|3:11: metadata.name: Required value: the resource's name",
        "{pool: workers}|{}"
            + "|5:13: spec.selector: Required value: which nodes to check, as matchLabels or matchExpressions",
        "51%|101%"
            + "|6:15: spec.minHealthy: Invalid value: \"101%\": must be a number of nodes, 0 or more, or a percentage from 0% to 100%",
        "minHealthy: 51%|pauseRequests: []"
            + "|5:3: spec: Required value: one of minHealthy and maxUnhealthy",
        "51%|51%⏎maxUnhealthy: 1"
            + "|7:17: spec.maxUnhealthy: Forbidden: may not be set together with minHealthy",
        "kind: ATemplate|kind: A"
            + "|7:47: spec.remediationTemplate.kind: Invalid value: \"A\": must end with Template; the part before it is the remediation's kind",
        "apiVersion: v1, kind|apiVersion: v1/v2/v3, kind"
            + "|7:37: spec.remediationTemplate.apiVersion: Invalid value: \"v1/v2/v3\": must be a version or group/version, such as v1 or example.org/v1",
        "remediationTemplate|template"
            + "|5:3: spec: Required value: one of remediationTemplate and escalatingRemediations",
        "51%|51%⏎unhealthyConditions: [{type: Ready, status: \"False\", duration: 5}]"
            + "|7:66: spec.unhealthyConditions[0].duration: Invalid value: 5: must be a duration such as 90s, 1.5h or 2h45m",
        "51%|51%⏎stormCooldownDuration: 5 min"
            + "|7:26: spec.stormCooldownDuration: Invalid value: \"5 min\": must be a duration such as 90s, 1.5h or 2h45m",
        "51%|51%⏎pauseRequests: me"
            + "|7:18: spec.pauseRequests: Invalid value: \"me\": must be a list"
      })
  @DisplayName("acceptance 5: an invalid NodeHealthCheck gets one clear refusal, with its line")
  void refused(String good, String bad, String line) {
    Reading reading = Reading.of(GOOD.replace(good, bad.replace("⏎", "\n  ")));
    assertThat(reading.lines())
        .filteredOn(said -> said.contains(": error: "))
        .containsExactly(line.replaceFirst(": ", ": error: document 1: "));
  }

  @Test
  @DisplayName("RB-7 an invalid expression is refused, with its line and its own position")
  void invalidExpression() {
    String annotation =
        "{name: workers, annotations: {probelet.io/unhealthy-when: \"age > duration('5m') && conditions.Ready.state == 'x'\"}}";
    assertThat(Reading.of(GOOD.replace("{name: workers}", annotation)).lines())
        .singleElement()
        .asString()
        .startsWith(
            "3:69: error: document 1: metadata.annotations[probelet.io/unhealthy-when]: Invalid value: ")
        .endsWith(
            "line 1, column 41: unknown field 'state'; fields of condition:"
                + " age, reason, severity, status; fields of taint: effect, key, value");
    assertThat(
            Reading.of(GOOD.replace("{name: workers}", annotation.replace("state", "status")))
                .lines())
        .isEmpty();
  }

  @Test
  @DisplayName("an unknown annotation of ours is a warning, with the nearest and all known ones")
  void unknownAnnotation() {
    String annotations = "{name: workers, annotations: {%s: 5s, example.org/settel: 5s}}";
    String known =
        " known annotations: probelet.io/never-ready-after, probelet.io/settle,"
            + " probelet.io/unhealthy-when";
    assertThat(
            Reading.of(GOOD.replace("{name: workers}", annotations.formatted("probelet.io/settel")))
                .lines())
        .containsExactly(
            "3:61: warning: document 1: metadata.annotations[probelet.io/settel]: unknown"
                + " annotation; did you mean \"probelet.io/settle\"?"
                + known);
    assertThat(
            Reading.of(GOOD.replace("{name: workers}", annotations.formatted("probelet.io/other")))
                .lines())
        .singleElement()
        .asString()
        .endsWith("[probelet.io/other]: unknown annotation;" + known);
  }

  @Test
  @DisplayName("an unknown field is a warning at its name; in a list the path begins at the item")
  void unknownFieldInAList() {
    String list =
        "apiVersion: v1\nkind: List\nitems:\n- " + GOOD.replace("\n", "\n  ").stripTrailing();
    assertThat(Reading.of(list + "\n    minHealthly: 1\n").lines())
        .containsExactly(
            "11:5: warning: document 1: items[0].spec.minHealthly: unknown field; did you"
                + " mean \"minHealthy\"?");
  }

  @Test
  @DisplayName("the shipped examples are valid")
  void examples() throws IOException {
    try (var files = Files.list(Path.of("../examples/simulate"))) {
      for (Path file : files.filter(each -> each.toString().endsWith("-nhc.yaml")).toList()) {
        assertThat(Reading.of(Files.readString(file)).lines()).as(file.toString()).isEmpty();
      }
    }
  }
}
