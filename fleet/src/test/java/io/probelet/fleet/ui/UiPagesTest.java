package io.probelet.fleet.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.fleet.FleetEvent;
import io.probelet.fleet.FleetGap;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.ui.simulate.PlayedNodes;
import io.probelet.health.SystemClock;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages show of a cluster. */
class UiPagesTest {
  private static final int MAX_BYTES = 300 * 1024;
  private static final String ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
  private static final FleetView BUSY = TestFleet.busy(60, 24, "no answer for 40s");

  private static String page(FleetView view, String path, Map<String, List<String>> query)
      throws Exception {
    Resource page =
        UiPages.of(
                () -> view,
                new TestAgents(ATTACK),
                PlayedNodes.racks(12),
                null,
                SystemClock.INSTANCE)
            .get(path);
    Answer answer = page.get(query);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers().get("Content-Security-Policy")).startsWith("default-src 'none';");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(UTF_8);
  }

  /** As a reader sees it. */
  private static String text(String html) {
    return html.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ").strip();
  }

  private static Map<String, List<String>> query(String... parameters) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      query.put(parameters[i], List.of(parameters[i + 1]));
    }
    return query;
  }

  @Test
  @DisplayName(
      "the first page says what is broken, what is held back and why, and what is in progress")
  void overview() throws Exception {
    String text = text(page(BUSY, "", Map.of()));
    assertThat(text)
        .contains("✕ Degraded: ", "24 of 60 nodes not healthy")
        .contains("36 of 60 nodes healthy, 4 held back, 4 unhealthy, 4 remediating")
        .contains("Waiting: 4 of 6 healthy nodes required")
        .contains(
            "2 of 2 ReplaceRemediation",
            "Draining since",
            "Remediated repeatedly",
            "minHealthy 51%")
        .contains("Events (not allowed): it takes the right list on events")
        .contains("Not installed in this cluster: RemediationPolicies")
        .contains("zone-0 20 nodes");
  }

  @ParameterizedTest
  @CsvSource({
    "kubelet, kubelet, true, kubelet in default",
    "probelet, kernel-monitor, true, probelet (kernel-monitor) in default",
    "evil, evil, false, evil in default ? unknown component",
  })
  void marksEventsOfUnknownComponents(
      String component, String source, boolean known, String shown) {
    FleetEvent event =
        new FleetEvent(
            TestFleet.NOW, 1, true, "Node", "", "n", "R", "m", source, component, "default", known);

    assertThat(text(ClusterSections.events("c", List.of(event), TestFleet.NOW).toString()))
        .contains("R " + shown + " m");
  }

  @Test
  @DisplayName("healthy only where everything that matters was read")
  void verdicts() throws Exception {
    FleetView well =
        TestFleet.of(List.of(TestFleet.node("a", State.HEALTHY, Map.of(), "kubelet is ready")));
    assertThat(text(page(well, "", Map.of())))
        .contains("? Nodes healthy; not all containers checked", "1 of 1 node healthy");
    FleetView blind =
        TestFleet.of(
            List.of(),
            List.of(
                new FleetGap("Nodes", FleetGap.Kind.FORBIDDEN, "it takes list on nodes", true)));
    assertThat(text(page(blind, "", Map.of())))
        .contains(
            "? Unknown: not everything could be read",
            "Nodes (not allowed): it takes list on nodes")
        .doesNotContain("● Healthy");
  }

  @Test
  @DisplayName("the map groups by the label of the address, and a card leads to its nodes")
  void map() throws Exception {
    String racks = page(BUSY, "", query("by", "worker.gardener.cloud/pool"));
    assertThat(racks).contains("href=\"nodes?by=worker.gardener.cloud%2Fpool&amp;value=pool-7\"");
    String none = page(BUSY, "", query("by", "nobody/has-it"));
    assertThat(none).contains("without the label", "href=\"nodes?by=nobody%2Fhas-it&amp;value=-\"");
    String rack =
        text(page(BUSY, "nodes", query("by", "worker.gardener.cloud/pool", "value", "pool-7")));
    assertThat(rack).contains("3 of 60 nodes", "worker-00007", "worker-00027", "worker-00047");
    assertThat(text(page(BUSY, "nodes", query("by", "nobody/has-it", "value", "-"))))
        .contains("60 of 60 nodes");
  }

  @Test
  @DisplayName("nodes are found by state and by name, the worst first")
  void nodes() throws Exception {
    assertThat(text(page(BUSY, "nodes", query("state", "remediating")))).contains("4 of 60 nodes");
    assertThat(text(page(BUSY, "nodes", query("q", "WORKER-0003")))).contains("10 of 60 nodes");
    assertThat(text(page(BUSY, "nodes", query("q", "nothing")))).contains("No node matches.");
    String all = text(page(BUSY, "nodes", Map.of()));
    assertThat(all.indexOf("worker-00000")).isLessThan(all.indexOf("worker-00001"));
    assertThat(all.indexOf("worker-00006")).isLessThan(all.indexOf("worker-00001"));
  }

  @Test
  @DisplayName("a node's page has what it waits for, its steps, its evidence and its conditions")
  void node() throws Exception {
    String waiting = "worker-00000.eu-central-1.compute.internal";
    assertThat(text(page(BUSY, "node", query("name", waiting))))
        .contains("■ held back", "Ready=Unknown", "Waiting: 4 of 6 healthy nodes required")
        .contains("Remediated 2 times", "NodeNotReady ×3")
        .contains("selected by workers", "NodeStatusUnknown");
    String remediated = "worker-00002.eu-central-1.compute.internal";
    assertThat(text(page(BUSY, "node", query("name", remediated))))
        .containsSubsequence("1 of 2", "timed out", "2 of 2", "in progress", "Steps of workers")
        .contains("evidence-1.tar.gz on the node, 12,345 bytes", "OOM killed:");
    assertThat(text(page(BUSY, "node", query("name", "other")))).contains("No such node");
  }

  @Test
  @DisplayName("the timeline has a lane for each node, with its steps")
  void timeline() throws Exception {
    String page = page(BUSY, "timeline", Map.of());
    assertThat(page).contains("12 nodes unhealthy, 8 remediations, 4 given up, 4 waits");
    assertThat(text(page))
        .containsSubsequence("RebootRemediation", "timed out", "ReplaceRemediation", "in progress")
        .contains("Recorded by policies");
    assertThat(text(page(TestFleet.of(List.of()), "timeline", Map.of())))
        .contains("No remediation in progress.");
  }

  @ParameterizedTest
  @CsvSource({
    "'',       by",
    "nodes,    by",
    "node,     name",
    "timeline, other",
    "agent,    name",
    "containers, other",
  })
  @DisplayName("hostile text is shown as text on every page")
  void attack(String path, String parameter) throws Exception {
    FleetView view = TestFleet.busy(40, 20, ATTACK);
    for (String value :
        List.of("worker-00002.eu-central-1.compute.internal", ATTACK, "javascript:alert(1)")) {
      String page = page(view, path, query(parameter, value));
      assertThat(page).doesNotContain("<script>", "<img", "onerror=alert(1)>");
      Matcher link = Pattern.compile("(?:href|src|action|data-live)=\"([^\"]*)\"").matcher(page);
      while (link.find()) {
        assertThat(link.group(1)).matches("(\\./|[a-z]+(-live)?)([?].*)?|[a-z]+\\.(css|js|svg)");
      }
      assertThat(page).doesNotContain(" style=", "<style", "<script>");
    }
  }

  @Test
  @DisplayName(
      "an agent's containers are drawn like on the node's own page, what is not well first")
  void agent() throws Exception {
    assertThat(text(page(BUSY, "agent", query("name", "worker-1"))))
        .contains("Agent of worker-1", "1 of 2 containers ready", "KernelDeadlock", "no kernel log")
        .containsSubsequence("shop/checkout", "shop/web");
    assertThat(text(page(BUSY, "agent", query("name", "gone"))))
        .contains("No answer: no pod of probelet-agent", "Node");
    assertThat(text(page(BUSY, "agent", query("name", "intruder"))))
        .contains("Unexpected response: containers with more than 8 probes");
  }

  @Test
  @DisplayName("unhealthy containers of all nodes are on one page")
  void containers() throws Exception {
    assertThat(text(page(BUSY, "containers", Map.of())))
        .contains(
            "Unhealthy containers", "60 unhealthy containers on 60 of 60 nodes", "shop/checkout")
        .doesNotContain("shop/web");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nodes", "node", "timeline", "containers"})
  @DisplayName("15,000 nodes, a third of them unhealthy, are at most 300 KiB on a page")
  void large(String path) throws Exception {
    FleetView view = TestFleet.busy(15_000, 5_000, "<".repeat(1_000));
    for (String by :
        List.of("", "topology.kubernetes.io/rack", "kubernetes.io/hostname", "nobody/has-it")) {
      String page =
          page(view, path, query("by", by, "name", "worker-00002.eu-central-1.compute.internal"));
      assertThat(page.getBytes(UTF_8).length).isLessThan(MAX_BYTES);
    }
  }

  @Test
  @DisplayName("all nodes of 15,000 can be reached page by page")
  void pages() throws Exception {
    FleetView view = TestFleet.busy(1_000, 0, "");
    assertThat(text(page(view, "nodes", query("page", "5"))))
        .contains("Page 5 of 5", "worker-00999");
    assertThat(text(page(view, "nodes", query("page", "99999")))).contains("Page 5 of 5");
  }

  @ParameterizedTest
  @CsvSource({
    "nodes, page,  0,      page must be a number from 1 to 99999",
    "nodes, page,  1000000, page must be a number from 1 to 99999",
    "nodes, state, odd,    state must be one of",
    "node,  other, x,      name is missing",
  })
  @DisplayName("invalid parameters are rejected with the allowed values")
  void wrong(String path, String name, String value, String why) {
    assertThatThrownBy(() -> page(BUSY, path, query(name, value)))
        .isInstanceOf(BadRequest.class)
        .hasMessageStartingWith(why);
  }

  @Test
  @DisplayName("a parameter is not endless, and is given once")
  void bounds() {
    assertThatThrownBy(() -> page(BUSY, "nodes", query("q", "x".repeat(401))))
        .hasMessage("q has 401 characters, at most 400");
    assertThatThrownBy(() -> page(BUSY, "nodes", Map.of("q", List.of("a", "b"))))
        .hasMessage("q is given 2 times; give it once");
  }
}
