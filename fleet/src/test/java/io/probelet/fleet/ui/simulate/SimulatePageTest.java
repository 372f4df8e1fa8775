package io.probelet.fleet.ui.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.web.http.Resource.BadRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page of simulations plays, and what it refuses. */
class SimulatePageTest {
  private static final String ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";

  @Test
  @DisplayName("without a question there is a form with the steps and what can go down")
  void form() throws Exception {
    assertThat(page(PlayedNodes.racks(12)))
        .contains(
            "<form class=\"filter\" action=\"simulate\" method=\"get\">",
            "<option value=\"workers\" selected>",
            "<option value=\"rack=rack-2\"/>",
            "order of steps: 1 Restart, 2 Reboot")
        .doesNotContain("<svg", "pool=workers");
  }

  @Test
  @DisplayName("a rack goes down: the NodeHealthCheck as it is, and with another minHealthy above")
  void rack() throws Exception {
    String page = page(PlayedNodes.racks(12), "down", "rack=rack-2", "minHealthy", "80%");
    assertThat(page.split("<svg", -1)).hasSize(3);
    String text = text(page);
    assertThat(text)
        .contains("4 nodes go down.", "As it is", "Changed")
        .contains("nodes remediated 4 0", "nodes held back 0 4")
        .contains("last node healthy again 10m1s not in this time")
        .contains("waiting: 8 of 10 required nodes are healthy");
  }

  @Test
  @DisplayName("another duration and another order of steps are played, too")
  void durationAndOrder() throws Exception {
    String text =
        text(
            page(
                PlayedNodes.racks(12),
                "down",
                "worker-7",
                "duration",
                "1m",
                "order",
                "2, 1",
                "healer",
                "Reboot",
                "heals",
                "2m"));
    assertThat(text)
        .contains("1 nodes go down.")
        .contains("given up 1 0", "remediations 2 1")
        .contains("last node healthy again 17m1s 3m1s");
  }

  @Test
  @DisplayName("nodes that are unhealthy now are so from the beginning")
  void already() throws Exception {
    List<NodeFacts> nodes = new ArrayList<>(PlayedNodes.racks(12).nodes());
    nodes.set(0, PlayedNodes.node(0, "rack-0", "Unknown"));
    String page = page(PlayedNodes.of(PlayedNodes.CHECK, nodes), "down", "worker-7");
    assertThat(text(page)).contains("nodes remediated 2");
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "down|rack=rack-9|the NodeHealthCheck selects no node with the name or label rack=rack-9",
        "minHealthy|lots|with these changes it is not valid: spec.minHealthy",
        "duration|soon|with these changes it is not valid: spec.unhealthyConditions[0].duration",
        "order|1|the order of steps must have each number from 1 to 2 once",
        "order|1, 1|the order of steps must have each number from 1 to 2 once",
        "order|99999999999, 1|the order of steps must have each number from 1 to 2 once",
        "check|other|There is no NodeHealthCheck named other.",
      })
  @DisplayName("invalid parameters are reported beside the form")
  void senseless(String name, String value, String message) throws Exception {
    Map<String, String> query = new LinkedHashMap<>(Map.of("down", "rack=rack-1"));
    query.put(name, value);
    String page =
        page(
            PlayedNodes.racks(12),
            query.entrySet().stream()
                .flatMap(each -> List.of(each.getKey(), each.getValue()).stream())
                .toArray(String[]::new));
    assertThat(page).contains("role=\"alert\"").doesNotContain("<svg");
    assertThat(text(page)).contains(message);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({"until,7h,until must be from 1s to 6h0m0s", "heals,x,heals must be a time such as"})
  @DisplayName("times have bounds")
  void times(String name, String value, String message) {
    assertThatThrownBy(() -> page(PlayedNodes.racks(3), name, value))
        .isInstanceOf(BadRequest.class)
        .hasMessageContaining(message);
  }

  @Test
  @DisplayName("more than 500 nodes do not go down for a request, nor is a longer word read")
  void tooMuch() throws Exception {
    PlayedNodes many = PlayedNodes.racks(1600);
    assertThat(text(page(many, "down", "rack=rack-1")))
        .contains("533 nodes have rack=rack-1; at most 500 can go down here");
    assertThatThrownBy(() -> page(many, "down", "x".repeat(401)))
        .isInstanceOf(BadRequest.class)
        .hasMessage("down has 401 characters, at most 400");
  }

  @Test
  @DisplayName("names, labels and parameters are text, whatever is in them")
  void hostile() throws Exception {
    NodeFacts node = PlayedNodes.node(1, ATTACK, "True");
    NodeFacts other = PlayedNodes.node(2, ATTACK, "True");
    NodeFacts third = PlayedNodes.node(3, "rack-1", "True");
    PlayedNodes cluster = PlayedNodes.of(PlayedNodes.CHECK, List.of(node, other, third));
    for (String name : List.of("down", "minHealthy", "duration", "order", "healer", "check")) {
      Map<String, String> query = new LinkedHashMap<>(Map.of("down", "rack=" + ATTACK));
      query.put(name, name.equals("down") ? "rack=" + ATTACK : ATTACK);
      String page =
          page(
              cluster,
              query.entrySet().stream()
                  .flatMap(each -> List.of(each.getKey(), each.getValue()).stream())
                  .toArray(String[]::new));
      assertThat(page).as(name).contains("&lt;script&gt;").doesNotContain("<script", "<img");
    }
  }

  @Test
  @DisplayName("the NodeHealthCheck of the cluster stays as it is")
  void untouched() throws Exception {
    PlayedNodes cluster = PlayedNodes.racks(6);
    JsonNode before = cluster.check().deepCopy();
    page(cluster, "down", "worker-1", "minHealthy", "1", "duration", "9m", "order", "2 1");
    assertThat(cluster.check()).isEqualTo(before);
  }

  @Test
  @DisplayName("500 nodes that go down make a page of bounded size")
  void large() throws Exception {
    List<NodeFacts> nodes =
        IntStream.range(0, 5000)
            .mapToObj(i -> PlayedNodes.node(i, "rack-" + i % 10, "True"))
            .toList();
    String page =
        page(
            PlayedNodes.of(PlayedNodes.CHECK, nodes),
            "down",
            "rack=rack-3",
            "healer",
            "-",
            "until",
            "6h",
            "order",
            "2 1");
    assertThat(page).hasSizeLessThan(300_000);
    assertThat(text(page)).contains("500 nodes go down.", "given up 1000 1000");
  }

  private static String page(PlayedNodes cluster, String... parameters) throws Exception {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      query.put(parameters[i], List.of(parameters[i + 1]));
    }
    return new SimulatePage(cluster, null).content(query).toString();
  }

  /** As a reader sees it. */
  private static String text(String html) {
    return html.replaceAll("<title>[^<]*</title>", "")
        .replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ")
        .replace("&#39;", "'")
        .strip();
  }
}
