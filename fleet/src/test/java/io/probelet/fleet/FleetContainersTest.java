package io.probelet.fleet;

import static io.probelet.web.Snapshots.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.FleetContainers.Extent;
import io.probelet.fleet.FleetContainers.Row;
import io.probelet.fleet.FleetContainers.Unanswered;
import io.probelet.fleet.terminal.Colours;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** The unhealthy containers of many nodes, from agents that may be slow, silent or taken over. */
class FleetContainersTest {
  @Test
  void listsUnhealthyContainersOfAllNodes() throws Exception {
    FleetView view = new FleetFixture().healthy(3).view();
    String second = view.nodes().get(1).name();
    FleetContainers answer =
        FleetContainers.ask(
            view,
            (node, _) ->
                node.equals(second)
                    ? List.of(good("a"), broken("checkout", "no database"))
                    : List.of(good("b")),
            Extent.WORST);
    assertThat(answer.summary()).isEqualTo("1 unhealthy container on 3 of 3 nodes");
    assertThat(answer.containers())
        .containsExactly(
            new Row(
                second,
                "shop",
                "checkout",
                "main",
                "CrashLoopBackOff",
                4,
                "exit code 1, 2026-11-21T12:00:00.000Z: \"no database\"; log: /log/checkout"));
    assertThat(ContainersTable.lines(answer, false, Colours.NONE))
        .anyMatch(line -> line.startsWith(second + "   shop/checkout   main"));
    StringWriter json = new StringWriter();
    FleetJson.write(view, answer, json);
    assertThat(json.toString())
        .contains("\"unhealthyContainers\":{\"nodes\":3,\"asked\":3,\"containers\":[{\"node\":\"");
  }

  @Test
  void asksTheWorstNodesFirstAndNeverMoreThan100() throws Exception {
    FleetFixture cluster = new FleetFixture().healthy(200);
    cluster.node("z-broken", "Unknown", Duration.ofMinutes(31));
    Set<String> asked = new ConcurrentSkipListSet<>();
    FleetContainers answer =
        FleetContainers.ask(
            cluster.view(),
            (node, _) -> {
              asked.add(node);
              return List.of();
            },
            Extent.WORST);
    assertThat(asked).hasSize(100).contains("z-broken");
    assertThat(answer.summary())
        .isEqualTo(
            "0 unhealthy containers on 100 of 201 nodes; 0 gave no answer, 101 were not asked");
  }

  @Test
  void boundsRowsAndCountsTheRest() throws Exception {
    List<ContainerView> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(broken("pod-" + i, "x".repeat(100_000)));
    }
    FleetContainers answer =
        FleetContainers.ask(new FleetFixture().healthy(10).view(), (_, _) -> many, Extent.WORST);
    assertThat(answer.containers()).hasSize(200);
    assertThat(answer.more()).isEqualTo(3_000 - 200);
    assertThat(answer.containers().stream().filter(row -> row.node().equals(first(answer))))
        .hasSize(50);
    assertThat(answer.containers())
        .allSatisfy(row -> assertThat(row.cause()).hasSizeLessThan(1_025));
    assertThat(ContainersTable.lines(answer, false, Colours.NONE))
        .hasSize(2 + 1 + 20 + 1)
        .contains("and 2980 more, all unhealthy; --containers lists them");
    assertThat(ContainersTable.lines(answer, true, Colours.NONE))
        .hasSize(2 + 1 + 200 + 1)
        .contains("and 2800 more, all unhealthy");
  }

  @Test
  void listsAllContainersOfMoreNodes() throws Exception {
    FleetView view = new FleetFixture().healthy(150).view();
    List<ContainerView> some = List.of(broken("a", "x"), broken("b", "x"));
    FleetContainers answer = FleetContainers.ask(view, (_, _) -> some, Extent.ALL);
    assertThat(answer.summary()).isEqualTo("300 unhealthy containers on 150 of 150 nodes");
    assertThat(ContainersTable.lines(answer, true, Colours.NONE))
        .hasSize(2 + 1 + 300)
        .noneMatch(line -> line.contains("more"));
  }

  @Test
  void countsAllNodesWithoutAnswer() throws Exception {
    FleetContainers answer =
        FleetContainers.ask(
            new FleetFixture().healthy(12).view(),
            (_, _) -> {
              throw new IOException("gone");
            },
            Extent.WORST);
    assertThat(ContainersTable.lines(answer, false, Colours.NONE))
        .hasSize(2 + 1 + 5 + 1)
        .contains("no answer from 12 of 12 nodes:", "  and 7 more");
  }

  @Test
  void tellsWhichNodesGaveNoAnswer() throws Exception {
    FleetView view = new FleetFixture().healthy(3).view();
    List<String> names = view.nodes().stream().map(FleetNode::name).toList();
    FleetContainers answer =
        FleetContainers.ask(
            view,
            (node, _) -> {
              if (node.equals(names.get(0))) {
                throw new IOException("not allowed\u001b[2J");
              }
              if (node.equals(names.get(1))) {
                throw new IllegalStateException("hostile");
              }
              return List.of();
            },
            Extent.WORST);
    assertThat(answer.unanswered())
        .containsExactly(
            new Unanswered(names.get(0), "not allowed"),
            new Unanswered(names.get(1), "unexpected response"));
    assertThat(answer.summary())
        .isEqualTo("0 unhealthy containers on 1 of 3 nodes; 2 gave no answer, 0 were not asked");
  }

  private static String first(FleetContainers answer) {
    return answer.containers().getFirst().node();
  }

  private static ContainerView good(String pod) {
    return ContainerView.of(Snapshots.running("shop", pod, "main"), 1);
  }

  private static ContainerView broken(String pod, String message) {
    ContainerObservation seen =
        ContainerObservation.waiting("id", 4, "CrashLoopBackOff")
            .with(
                new ContainerDetails(
                    "", new Termination(1, 0, "Error", message, NOON), "/log/" + pod));
    return ContainerView.of(Snapshots.container("shop", pod, "main", seen, false, false), 1);
  }
}
