package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The chart invents no address: alerts link to runbooks only where the user publishes them. */
class ChartRunbooksTest {
  private static List<JsonNode> annotations(String url) throws IOException {
    Map<String, Object> values = HelmChart.values();
    @SuppressWarnings("unchecked")
    Map<String, Object> monitoring = (Map<String, Object>) values.get("monitoring");
    monitoring.put("enabled", true);
    monitoring.put("runbookUrl", url);
    JsonNode rules =
        HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values).stream()
            .filter(each -> each.path("kind").asText().equals("PrometheusRule"))
            .findFirst()
            .orElseThrow();
    return StreamSupport.stream(rules.at("/spec/groups").spliterator(), false)
        .flatMap(group -> StreamSupport.stream(group.path("rules").spliterator(), false))
        .filter(rule -> rule.has("alert"))
        .map(rule -> rule.path("annotations"))
        .toList();
  }

  @Test
  @DisplayName("by default alerts name the page in the repository")
  void paths() throws IOException {
    assertThat(annotations(""))
        .hasSizeGreaterThan(12)
        .allSatisfy(each -> {
          assertThat(each.path("runbook").asText()).startsWith("docs/operate/runbooks/Probelet");
          assertThat(each.has("runbook_url")).isFalse();
        });
  }

  @Test
  @DisplayName("with an address alerts link to the published page")
  void links() throws IOException {
    assertThat(annotations("https://docs.example/runbooks/"))
        .hasSizeGreaterThan(12)
        .allSatisfy(each -> {
          assertThat(each.path("runbook_url").asText())
              .matches("https://docs\\.example/runbooks/Probelet\\w+\\.md");
          assertThat(each.has("runbook")).isFalse();
        });
  }
}
