package io.probelet.cli.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each alert says what it is about and has a page that says what to do. */
class RunbooksTest {
  /** In the repository and in the release archive; the project has no web site. */
  private static final String ROOT = "docs/operate/runbooks/";

  @Test
  @DisplayName("each alert has severity, summary, description, and the path of its page")
  void annotated() throws IOException {
    List<JsonNode> alerts = MonitoringFiles.alerts();
    assertThat(alerts).hasSizeGreaterThanOrEqualTo(12);
    for (JsonNode alert : alerts) {
      String name = alert.path("alert").asText();
      assertThat(alert.at("/labels/severity").asText())
          .as(name)
          .isIn("critical", "warning", "info");
      assertThat(alert.path("for").asText()).as(name).matches("\\d+[mh]");
      assertThat(alert.at("/annotations/summary").asText()).as(name).endsWith(".");
      assertThat(alert.at("/annotations/description").asText()).as(name).endsWith(".");
      assertThat(alert.at("/annotations/runbook").asText()).isEqualTo(ROOT + name + ".md");
    }
  }

  @Test
  @DisplayName("there is a page for each alert and no other, with its query and what to do")
  void pages() throws IOException {
    Set<String> names =
        MonitoringFiles.alerts().stream()
            .map(alert -> alert.path("alert").asText() + ".md")
            .collect(Collectors.toSet());
    try (Stream<Path> pages = Files.list(MonitoringFiles.RUNBOOKS)) {
      assertThat(pages.map(page -> page.getFileName().toString()).collect(Collectors.toSet()))
          .isEqualTo(names);
    }
    for (JsonNode alert : MonitoringFiles.alerts()) {
      String name = alert.path("alert").asText();
      assertThat(Files.readString(MonitoringFiles.RUNBOOKS.resolve(name + ".md")))
          .as(name)
          .startsWith("# " + name + "\n\nType first:\n\n    ")
          .contains(
              "```promql\n" + alert.path("expr").asText() + "\n```",
              "for " + alert.path("for").asText(),
              "severity " + alert.at("/labels/severity").asText(),
              "\n## Impact\n",
              "\n## Diagnosis\n",
              "\n## Mitigation\n");
    }
  }

  @Test
  @DisplayName("links between pages lead somewhere")
  void links() throws IOException {
    try (Stream<Path> pages = Files.list(MonitoringFiles.RUNBOOKS)) {
      for (Path page : pages.toList()) {
        java.util.regex.Pattern.compile("]\\(([^)#]+)(#[^)]*)?\\)")
            .matcher(Files.readString(page))
            .results()
            .forEach(
                link -> assertThat(page.resolveSibling(link.group(1))).as("%s", page).exists());
      }
    }
  }
}
