package io.probelet.cli.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Dashboards as Grafana takes them; there is no Grafana here that could show them. */
class DashboardsTest {
  private static final int COLUMNS = 24;
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");
  private static final Set<String> OF_GRAFANA = Set.of("__rate_interval");

  @Test
  @DisplayName("the fleet, one node, probes, remediation, the agent's own cost; each by one uid")
  void files() throws IOException {
    Map<String, JsonNode> all = MonitoringFiles.dashboards();
    assertThat(all)
        .containsOnlyKeys(
            "agent-cost.json", "fleet.json", "node.json", "probes.json", "remediation.json");
    assertThat(all.values()).extracting(each -> each.path("uid").asText()).doesNotHaveDuplicates();
    assertThat(all.values())
        .allSatisfy(each -> assertThat(each.path("title").asText()).startsWith("Probelet: "));
  }

  @Test
  @DisplayName("panels have ids of their own and lie beside each other")
  void panels() throws IOException {
    for (JsonNode dashboard : MonitoringFiles.dashboards().values()) {
      Set<Integer> ids = new HashSet<>();
      Set<String> cells = new HashSet<>();
      for (JsonNode panel : dashboard.path("panels")) {
        String title = dashboard.path("title").asText() + ", " + panel.path("title").asText();
        assertThat(ids.add(panel.path("id").asInt())).as(title).isTrue();
        JsonNode at = panel.path("gridPos");
        int right = at.path("x").asInt() + at.path("w").asInt();
        assertThat(right).as(title).isLessThanOrEqualTo(COLUMNS);
        for (int x = at.path("x").asInt(); x < right; x++) {
          for (int y = at.path("y").asInt(); y < at.path("y").asInt() + at.path("h").asInt(); y++) {
            assertThat(cells.add(x + "," + y)).as(title).isTrue();
          }
        }
      }
    }
  }

  @Test
  @DisplayName("every query goes to the data source that is chosen, by variables that there are")
  void variables() throws IOException {
    for (JsonNode dashboard : MonitoringFiles.dashboards().values()) {
      Set<String> known = new HashSet<>(OF_GRAFANA);
      dashboard.at("/templating/list").forEach(each -> known.add(each.path("name").asText()));
      for (JsonNode target : dashboard.findParents("expr")) {
        assertThat(target.at("/datasource/uid").asText()).isEqualTo("${datasource}");
        assertThat(VARIABLE.matcher(target.path("expr").asText()).results())
            .extracting((MatchResult found) -> found.group(1))
            .allMatch(known::contains);
      }
    }
  }
}
