package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.fleet.terminal.Colours;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A cluster as a table. */
class FleetTableTest {
  private static final Duration LONG = Duration.ofMinutes(31);

  @Test
  @DisplayName("A healthy cluster is one line")
  void well() {
    assertThat(
            new FleetTable(new FleetFixture().healthy(2).view(), answers(2, 0, 0), Colours.NONE)
                .lines())
        .containsExactly("Healthy: 2 nodes (2 healthy)");
  }

  /** Containers that nobody checked are not healthy. */
  @Test
  void firstLineTellsWhetherContainersWereChecked() {
    assertThat(first(1, answers(1, 0, 0))).isEqualTo("Healthy: 1 node (1 healthy)");
    assertThat(first(1, answers(1, 1, 0)))
        .isEqualTo("Nodes healthy, 0 of 1 agents answered: 1 node (1 healthy)");
    assertThat(first(3, answers(3, 1, 2)))
        .isEqualTo(
            "Nodes healthy, 2 unhealthy containers, 2 of 3 agents answered: 3 nodes (3 healthy)");
    assertThat(first(3, answers(3, 0, 1)))
        .isEqualTo("Nodes healthy, 1 unhealthy container: 3 nodes (3 healthy)");
    assertThat(first(2, null))
        .isEqualTo("Nodes healthy, containers not checked: 2 nodes (2 healthy)");
  }

  private static String first(int nodes, @Nullable FleetContainers containers) {
    FleetView view = new FleetFixture().healthy(nodes).view();
    return new FleetTable(view, containers, Colours.NONE).lines().getFirst();
  }

  private static FleetContainers answers(int nodes, int unanswered, int unhealthy) {
    return new FleetContainers(
        nodes,
        nodes,
        List.of(),
        unhealthy,
        Collections.nCopies(unanswered, new FleetContainers.Unanswered("n", "no answer")));
  }

  @Test
  @DisplayName("Unhealthy nodes come first, then why, then the rest")
  void table() {
    FleetFixture cluster =
        new FleetFixture()
            .healthy(2)
            .node("bad-1", "Unknown", LONG)
            .node("bad-2", "Unknown", LONG)
            .node("new-1", "False", Duration.ofMinutes(4))
            .check("", "{phase: Enabled, reason: watches}")
            .policy("{maxNodes: 1, paused: true}");
    cluster.gaps.add(new FleetGap("Events", FleetGap.Kind.FORBIDDEN, "no right", false));
    cluster.absent.add("ClusterHealths");
    assertThat(new FleetTable(cluster.view(), null, Colours.NONE).lines())
        .containsExactly(
            "Degraded: 5 nodes (2 waiting, 1 soon, 2 healthy)",
            "",
            "NODE    STATE     PROBLEM         SINCE   NEXT",
            "bad-1   Waiting   Ready=Unknown   31m     see WHY below",
            "bad-2   Waiting   Ready=Unknown   31m     see WHY below",
            "new-1   Soon      Ready=False     4m      unhealthy in 61s",
            "",
            "HELD BACK   BY                        WHY                                                                               ENDS",
            "bad-1       NodeHealthCheck/workers   2 of 3 healthy nodes required (minHealthy 51% of 5): 1 more must become healthy   -",
            "bad-2       NodeHealthCheck/workers   2 of 3 healthy nodes required (minHealthy 51% of 5): 1 more must become healthy   -",
            "",
            "NODEHEALTHCHECK   PHASE     HEALTHY   REQUIRED             REASON",
            "workers           Enabled   2 of 5    3 (minHealthy 51%)   watches",
            "",
            "REMEDIATIONPOLICY   NODES   IN PROGRESS   HELD BACK   LIMITS",
            "careful             5       0             0           paused maxNodes 1",
            "",
            "NOT READ   WHY",
            "Events     no right",
            "",
            "Not installed: ClusterHealths.");
  }

  @Test
  @DisplayName("Text from the cluster moves no cursor and stays on one line")
  void hostile() {
    ObjectNode check =
        FleetFixture.yaml(FleetFixture.checkYaml("", "{phase: Enabled, reason: \"\"}"));
    ((ObjectNode) check.path("status"))
        .put("reason", "\u001b[2J\u202eevil\nsecond\u009b line " + "x".repeat(5_000));
    FleetFixture cluster = new FleetFixture().healthy(1);
    cluster.checks.add(CheckReading.of(check));
    List<String> lines = new FleetTable(cluster.view(), null, Colours.NONE).lines();
    assertThat(String.join("", lines))
        .contains("evil second line xxx")
        .doesNotContain("\u001b", "\u202e", "\u009b", "\n");
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThan(400));
  }

  @Test
  @DisplayName("Of many rows the first 50 and how many more there are; the JSON has all")
  void many() throws Exception {
    FleetFixture cluster = new FleetFixture();
    for (int i = 100; i < 220; i++) {
      cluster.node("bad-" + i, "Unknown", LONG);
    }
    List<String> lines = new FleetTable(cluster.view(), null, Colours.NONE).lines();
    assertThat(lines).hasSize(1 + 2 * (2 + 50 + 1));
    assertThat(lines).containsOnlyOnce("Degraded: 120 nodes (120 unhealthy)");
    assertThat(lines).contains("and 70 more: 70 unhealthy; all are in -o json");
    assertThat(lines.getLast()).isEqualTo("and 70 more; all are in -o json");
    StringWriter json = new StringWriter();
    FleetJson.write(cluster.view(), null, json);
    assertThat(json.toString()).contains("bad-219").endsWith("}\n");
  }
}
