package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.RecentContainers;
import io.probelet.health.ManualClock;
import io.probelet.web.page.Fragment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Agents are asked in the background, seldom, and what they did not answer is never healthy. */
class RecentContainersTest {
  private static final FleetView TWO =
      TestFleet.of(
          List.of(
              TestFleet.node("a", State.HEALTHY, Map.of(), "kubelet is ready"),
              TestFleet.node("b", State.HEALTHY, Map.of(), "kubelet is ready")));

  private final ManualClock clock = new ManualClock(TestFleet.NOW);
  private final Queue<Runnable> background = new ArrayDeque<>();
  private final TestAgents agents = new TestAgents("no database");

  @Test
  @DisplayName("one round at a time, and the next one 30 s after the end of the last")
  void rounds() {
    RecentContainers recent = recent(TWO);
    assertThat(recent.latest()).isEmpty();
    assertThat(recent.latest()).isEmpty();
    assertThat(background).hasSize(1);
    clock.advance(Duration.ofMinutes(5));
    assertThat(recent.latest()).as("still asking").isEmpty();
    assertThat(background).hasSize(1);

    background.remove().run();
    assertThat(recent.latest()).isPresent();
    clock.advance(RecentContainers.PERIOD.minusMillis(1));
    assertThat(recent.latest()).isPresent();
    assertThat(background).isEmpty();
    clock.stepWallClock(Duration.ofDays(3));
    assertThat(recent.latest()).isPresent();
    assertThat(background).as("by the monotonic clock").isEmpty();
    clock.advance(Duration.ofMillis(1));
    assertThat(recent.latest()).as("the last answer, meanwhile").isPresent();
    assertThat(background).hasSize(1);
  }

  @Test
  @DisplayName("the first page is not healthy before all containers are checked")
  void unchecked() {
    RecentContainers recent = recent(TWO);
    assertThat(page(recent, TWO))
        .contains("Nodes healthy; not all containers checked")
        .contains("Asking the agents …");
    background.remove().run();
    assertThat(page(recent, TWO))
        .containsSubsequence(
            "Degraded: 2 unhealthy containers",
            "2 unhealthy containers on 2 of 2 nodes",
            "shop/checkout server",
            "no database",
            "href=\"node?name=a\"");
  }

  @Test
  @DisplayName("nodes that gave no answer are counted, and the list is incomplete")
  void unanswered() {
    FleetView gone =
        TestFleet.of(List.of(TestFleet.node("gone", State.HEALTHY, Map.of(), "kubelet is ready")));
    RecentContainers recent = recent(gone);
    recent.latest();
    background.remove().run();
    assertThat(page(recent, gone))
        .contains("Nodes healthy; not all containers checked")
        .contains("Incomplete:", "0 unhealthy containers on 0 of 1 nodes; 1 gave no answer")
        .contains("<a href=\"containers\">nodes without an answer</a>");
  }

  @Test
  @DisplayName("all nodes answered and no container is unhealthy: healthy")
  void healthy() {
    FleetView one =
        TestFleet.of(List.of(TestFleet.node("a", State.HEALTHY, Map.of(), "kubelet is ready")));
    RecentContainers recent =
        new RecentContainers(() -> one, (_, _) -> List.of(), background::add, clock);
    recent.latest();
    background.remove().run();
    assertThat(page(recent, one)).contains("</span> Healthy</span>").doesNotContain("Incomplete");
  }

  @Test
  @DisplayName("what goes wrong is shown, and asked again later")
  void failed() {
    RecentContainers recent =
        new RecentContainers(
            () -> {
              throw new IllegalStateException("<b>broken");
            },
            agents::containers,
            background::add,
            clock);
    recent.latest();
    background.remove().run();
    assertThat(page(recent, TWO))
        .contains("the agents could not be asked: internal error")
        .contains("Nodes healthy; not all containers checked");
    clock.advance(RecentContainers.PERIOD);
    recent.latest();
    assertThat(background).hasSize(1);
  }

  private RecentContainers recent(FleetView view) {
    return new RecentContainers(() -> view, this::containers, background::add, clock);
  }

  private List<io.probelet.web.api.ContainerView> containers(String node, int history)
      throws IOException {
    return agents.containers(node, history);
  }

  private static String page(RecentContainers recent, FleetView view) {
    Fragment list = UnhealthyContainers.some(recent.latest(), TestFleet.NOW);
    return ClusterSections.summary(view, recent.latest()).html().get() + "" + list.html().get();
  }
}
