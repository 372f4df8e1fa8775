package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import java.io.ByteArrayOutputStream;
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
    AgentPage.Agents agents =
        new AgentPage.Agents() {
          @Override
          public NodeView node(String node) {
            return NodeView.NONE;
          }

          @Override
          public List<ContainerView> containers(String node, int history) {
            return containers;
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
    assertThat(out.toString(StandardCharsets.UTF_8))
        .containsSubsequence("z/broken", "CrashLoopBackOff", "a/pod-0 c")
        .contains("<p>and 101 more, all healthy</p>");
  }
}
