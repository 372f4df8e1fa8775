package io.probelet.nodehealth.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Field;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.nodehealth.maintenance.Maintenance.Planned;
import io.probelet.nodehealth.maintenance.Maintenance.Unreadable;
import io.probelet.nodehealth.policy.Blackout;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaintenanceReaderTest {
  private static final String VALID =
      """
      start: "2026-12-01T23:00:00+01:00"
      duration: 4h30m
      nodeSelector: {matchLabels: {rack: r7}}
      reason: "kernel upgrade"
      """;

  private final Problems problems = new Problems(Path.of("maintenance.yaml"), 1);

  private void validate(String yaml) {
    Document document = Document.yaml(Source.of(yaml)).toList().getFirst();
    Field root = Field.ofDocument(new Scope(problems, Severity.WARNING), "", document.root());
    var _ = MaintenanceReader.read(root.object());
  }

  private List<String> texts() {
    return problems.all().stream().map(Problem::text).toList();
  }

  private static String file(String name, String spec) {
    return "apiVersion: probelet.io/v1alpha1\nkind: Maintenance\nmetadata: {name: %s}\nspec: {%s}\n"
        .formatted(name, spec);
  }

  @Test
  @DisplayName("MW-1 the time, the nodes and the reason are read")
  void readsEverything() {
    Maintenance read = MaintenanceReader.read(Maintenances.object("rack-7", VALID));
    assertThat(read)
        .isEqualTo(
            new Maintenance(
                "rack-7",
                "rack-7-uid",
                new LabelSelector(Map.of("rack", "r7"), List.of()),
                new Planned(
                    new Blackout(
                        Instant.parse("2026-12-01T22:00:00Z"),
                        Instant.parse("2026-12-02T02:30:00Z")),
                    "kernel upgrade")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "duration: 4h, nodeSelector: {}|start",
        "start: tomorrow, duration: 4h, nodeSelector: {}|must be a time with its offset",
        "start: '2026-12-01T22:00:00', duration: 4h, nodeSelector: {}|must be a time with its offset",
        "start: '2026-12-01T22:00Z', duration: 4h, nodeSelector: {}|must be a time with its offset",
        "start: '2026-12-01T22:00:00+01', duration: 4h, nodeSelector: {}|must be a time with its offset",
        "start: '1969-12-31T23:59:59Z', duration: 4h, nodeSelector: {}|must be a time with its offset",
        "start: '+10000-01-01T00:00:00Z', duration: 4h, nodeSelector: {}|must be a time with its offset",
        "start: '2026-12-01T22:00:00Z', nodeSelector: {}|how long the maintenance lasts",
        "start: '2026-12-01T22:00:00Z', duration: 59s, nodeSelector: {}|must be from 1m to 168h",
        "start: '2026-12-01T22:00:00Z', duration: 168h1s, nodeSelector: {}|must be from 1m to 168h",
        "start: '2026-12-01T22:00:00Z', duration: forever, nodeSelector: {}|must be a duration",
        "start: '2026-12-01T22:00:00Z', duration: 1h|the nodes in maintenance",
        "start: '2026-12-01T22:00:00Z', duration: 1h, nodeSelector: {matchLabels: {a: 'b b'}}|must be empty or at most 63",
        "start: '2026-12-01T22:00:00Z', duration: 1h, nodeSelector: {}, every: week|unknown field",
      })
  @DisplayName("MW-5 an invalid spec is reported, and no remediation of its nodes is allowed")
  void reportsErrors(String spec, String problem) {
    Maintenance read = MaintenanceReader.read(Maintenances.object("m", "{" + spec + "}"));
    assertThat(read.plan())
        .isInstanceOfSatisfying(
            Unreadable.class, unreadable -> assertThat(unreadable.problem()).contains(problem));
    validate(file("m", spec));
    assertThat(problems.errors()).isPositive();
    assertThat(String.join("\n", texts())).contains(problem);
  }

  @Test
  @DisplayName("a name that the API server refuses is an error")
  void reportsName() {
    validate(file("Rack_7", "start: '2026-12-01T22:00:00Z', duration: 4h, nodeSelector: {a: b}"));
    assertThat(String.join("\n", texts()))
        .contains(
            "metadata.name: Invalid value: \"Rack_7\": must be a lowercase RFC 1123 subdomain");
  }

  @Test
  @DisplayName("MW-5 of an invalid spec the valid selector counts; without one all nodes are meant")
  void keepsSelectorOfInvalidSpec() {
    String selector = "nodeSelector: {matchLabels: {rack: r7}}";
    assertThat(MaintenanceReader.read(Maintenances.object("m", "{" + selector + "}")).selector())
        .isEqualTo(new LabelSelector(Map.of("rack", "r7"), List.of()));
    assertThat(MaintenanceReader.read(Maintenances.object("m", "{}")).selector())
        .isEqualTo(LabelSelector.EVERYTHING);
  }

  @Test
  @DisplayName("MW-1 texts and selectors beyond their limits are rejected")
  void limitsTexts() {
    String many =
        IntStream.rangeClosed(1, 65)
            .mapToObj(i -> "l" + i + ": v")
            .collect(Collectors.joining(","));
    validate(
        file(
            "n".repeat(64),
            "start: '2026-12-01T22:00:00Z', duration: 1h, reason: %s, nodeSelector: {matchLabels: {%s}}"
                .formatted("r".repeat(257), many)));
    assertThat(texts())
        .anyMatch(text -> text.contains("at most 63 characters"))
        .anyMatch(text -> text.contains("at most 256 characters"))
        .anyMatch(text -> text.contains("more than 64 labels"));
  }

  @Test
  @DisplayName("A selector of all nodes is valid, and a warning")
  void warnsOfAllNodes() {
    validate(file("m", "start: '2026-12-01T22:00:00Z', duration: 1h, nodeSelector: {}"));
    assertThat(problems.errors()).isZero();
    assertThat(texts()).singleElement().asString().contains("selects all nodes");
  }
}
