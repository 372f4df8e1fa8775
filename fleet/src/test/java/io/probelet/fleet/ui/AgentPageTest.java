package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.FleetAgent;
import io.probelet.fleet.FleetContainers;
import io.probelet.health.ManualClock;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an agent answers, drawn for an operator. */
class AgentPageTest {
  @Test
  void showsTheBrokenOneOfManyBeforeTheListIsCut() throws Exception {
    List<ContainerView> containers = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      containers.add(ContainerView.of(Snapshots.running("a", "pod-" + i, "c"), 1));
    }
    containers.add(
        ContainerView.of(
            Snapshots.container(
                "z",
                "broken",
                "c",
                ContainerObservation.waiting("id", 3, "CrashLoopBackOff"),
                false,
                false),
            1));
    assertThat(page((_, _) -> containers))
        .containsSubsequence("z/broken", "CrashLoopBackOff", "a/pod-0 c")
        .contains("<p>and 101 more, all healthy</p>");
  }

  /** Attack: the histories of one tenant's probes make the answer too large. */
  @Test
  void showsContainersWithoutHistoriesThatAreTooLarge() throws Exception {
    List<ContainerView> containers =
        List.of(ContainerView.of(Snapshots.running("shop", "web", "nginx"), 1));
    assertThat(
            page((_, history) -> {
              if (history > 1) {
                throw new FleetAgent.RefusedException("more than 8 MiB", new IOException());
              }
              return containers;
            }))
        .contains("shows only the newest outcomes", "shop/web nginx");
    assertThat(
            page((_, _) -> {
              throw new FleetAgent.RefusedException("more than 8 MiB", new IOException());
            }))
        .contains("No answer:", "more than 8 MiB");
  }

  private static String page(FleetContainers.Agents answers) throws Exception {
    AgentPage.Agents agents =
        new AgentPage.Agents() {
          @Override
          public NodeView node(String node) {
            return NodeView.NONE;
          }

          @Override
          public List<ContainerView> containers(String node, int history)
              throws IOException, InterruptedException {
            return answers.containers(node, history);
          }
        };
    UiPage page =
        new UiPage(
            new LinkedHashMap<>(),
            () -> TestFleet.of(List.of()),
            "",
            new ManualClock(Snapshots.NOON));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AgentPage(agents, page).get(Map.of("name", List.of("worker-1"))).body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
