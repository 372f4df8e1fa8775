package io.probelet.monitor.rule;

import static io.probelet.monitor.MonitorFiles.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.monitor.MonitorFiles.Reading;
import io.probelet.monitor.rule.Consequence.EventOnly;
import io.probelet.monitor.rule.Consequence.OnCondition;
import io.probelet.monitor.rule.Monitor.CheckRule;
import io.probelet.monitor.rule.Monitor.LogRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds docs/how-to/node-monitoring.md to what the program does. */
class NodeMonitoringDocTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static List<String> doc() throws Exception {
    return Files.readAllLines(Path.of("../docs/how-to/node-monitoring.md"));
  }

  /** The cells of the table that begins with this header, row by row. */
  private static List<List<String>> table(String header) throws Exception {
    return doc().stream()
        .dropWhile(line -> !line.startsWith(header))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .toList();
  }

  private static Set<String> code(String text) {
    return CODE.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
  }

  private static Stream<Consequence> consequences() {
    return Stream.of("kernel.json", "services.json", "checks.json")
        .map(DefaultMonitors::read)
        .flatMap(monitor ->
            switch (monitor) {
              case Monitor.Log log -> log.rules().stream().map(LogRule::consequence);
              case Monitor.Checks checks -> checks.rules().stream().map(CheckRule::consequence);
              case Monitor.Plugins _, Monitor.Expressions _ -> Stream.of();
            });
  }

  @Test
  @DisplayName("docs: every built-in condition with all its reasons, and no other")
  void conditions() throws Exception {
    Map<String, Set<String>> told = new TreeMap<>();
    for (List<String> row : table("| condition | reason |")) {
      Set<String> types = code(row.get(1));
      for (String type : types) {
        Set<String> reasons = told.computeIfAbsent(type, _ -> new TreeSet<>());
        reasons.addAll(row.get(2).equals("the same") ? Set.of(type) : code(row.get(2)));
      }
      assertThat(row.get(3)).isNotBlank();
      assertThat(row.get(4)).isNotBlank();
    }
    Map<String, Set<String>> there = new TreeMap<>();
    consequences()
        .filter(OnCondition.class::isInstance)
        .map(OnCondition.class::cast)
        .forEach(on -> there.computeIfAbsent(on.type(), _ -> new TreeSet<>()).add(on.reason()));
    assertThat(told).isEqualTo(there);
  }

  @Test
  @DisplayName("docs: every built-in event, and no other")
  void events() throws Exception {
    String told =
        doc().stream()
            .dropWhile(line -> !line.startsWith("Events without a condition"))
            .takeWhile(line -> !line.isEmpty())
            .collect(Collectors.joining(" "));
    assertThat(code(told))
        .isEqualTo(
            consequences()
                .filter(EventOnly.class::isInstance)
                .map(Consequence::reason)
                .collect(Collectors.toSet()));
  }

  @Test
  @DisplayName("docs: every check with what it needs")
  void needs() throws Exception {
    Map<String, String> told =
        table("| check | needs |").stream()
            .collect(Collectors.toMap(row -> row.get(1), row -> row.get(2)));
    assertThat(told)
        .isEqualTo(
            Arrays.stream(CheckKind.values())
                .collect(Collectors.toMap(kind -> "`" + kind + "`", CheckKind::needs)));
  }

  @Test
  @DisplayName("B-24 docs: every condition that tenants can cause, and no other")
  void tenants() throws Exception {
    Set<String> told =
        table("| condition | by |").stream()
            .flatMap(row -> code(row.get(1)).stream())
            .collect(Collectors.toSet());
    assertThat(told)
        .isEqualTo(
            Arrays.stream(CheckKind.values())
                .filter(CheckKind::tenantsCanCause)
                .map(CheckKind::condition)
                .collect(Collectors.toSet()))
        .doesNotContainAnyElementsOf(CheckKind.conditionsWithoutTenants());
  }

  @Test
  @DisplayName("docs: the example is a valid file")
  void example() throws Exception {
    String yaml =
        doc().stream()
            .dropWhile(line -> !line.equals("```yaml"))
            .skip(1)
            .takeWhile(line -> !line.equals("```"))
            .collect(Collectors.joining("\n"));
    Reading reading = reading(Document.yaml(Source.of(yaml)).findFirst().orElseThrow().root());
    assertThat(reading.problems()).isEmpty();
    assertThat(((Monitor.Checks) reading.monitor().orElseThrow()).rules()).hasSize(5);
  }

  @Test
  @DisplayName("docs: every key of a check is documented")
  void keys() throws Exception {
    String told =
        doc().stream()
            .dropWhile(line -> !line.startsWith("## Custom checks"))
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("\\|", -1)[1])
            .collect(Collectors.joining(" "));
    String reader =
        Files.readString(Path.of("src/main/java/io/probelet/monitor/rule/CheckSpecReader.java"));
    Matcher keys = Pattern.compile("keys[.,][^\"\n]*\"(\\w+)\"").matcher(reader);
    while (keys.find()) {
      assertThat(told).contains("`" + keys.group(1) + "`");
    }
  }
}
