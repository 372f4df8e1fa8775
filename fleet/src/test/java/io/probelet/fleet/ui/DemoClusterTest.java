package io.probelet.fleet.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.fleet.DemoCluster;
import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.FleetWait;
import io.probelet.health.ManualClock;
import io.probelet.web.http.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The made-up cluster of {@code probelet ui --demo}. */
class DemoClusterTest {
  private static final String RECOVERING = "worker-a-7";

  private final ManualClock time = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final DemoCluster cluster = new DemoCluster(time);

  @Test
  void showsTroubleThatThePlannerExplains() {
    FleetView view = cluster.view();
    assertThat(view.gaps()).isEmpty();
    assertThat(view.absent()).isEmpty();
    assertThat(view.checks()).hasSize(2).allMatch(check -> check.problem().isEmpty());
    assertThat(view.policies()).hasSize(2).allMatch(policy -> policy.problem().isEmpty());
    assertThat(view.leaders()).hasSize(4).allMatch(leader -> leader.leading());
    assertThat(view.clusterHealth()).isNotEmpty();
    assertThat(view.events()).hasSizeGreaterThan(5).allMatch(event -> event.known());
    assertThat(view.waits())
        .extracting(FleetWait::node)
        .containsExactlyInAnyOrder("worker-b-4", "worker-c-5");
    assertThat(view.waits())
        .extracting(FleetWait::why)
        .anyMatch(why -> why.contains("maxNodes 1"))
        .anyMatch(why -> why.contains("3 times within 24h"));
    assertThat(view.node("worker-b-3").orElseThrow().state()).isEqualTo(State.REMEDIATING);
    assertThat(view.remediationsOf("worker-b-3"))
        .singleElement()
        .satisfies(drain -> {
          assertThat(drain.step()).isEqualTo(1);
          assertThat(drain.message()).contains("disruption budget");
          assertThat(drain.evidence()).isNotNull();
        });
    assertThat(view.counts().get(State.HEALTHY)).isGreaterThan(30);
  }

  @Test
  void hasNamesAndNumbersOfDocs() throws IOException {
    String doc =
        Files.readString(Path.of("..", "docs", "how-to", "finding-causes.md"))
            .replaceAll("\\s+", " ");
    FleetView view = cluster.view();
    assertThat(view.waits()).anyMatch(wait -> doc.contains("`" + wait.node() + "` waits because"));
    assertThat(view.policies()).anyMatch(policy -> doc.contains("`" + policy.name() + "` allows"));
    String message = view.remediationsOf("worker-b-3").getFirst().message();
    assertThat(doc)
        .contains("*" + message.replaceFirst(".*The disruption", "the disruption").strip() + "*");
  }

  @Test
  void movesAndBeginsAgain() {
    Set<State> states = EnumSet.noneOf(State.class);
    Set<String> phases = new HashSet<>();
    for (int second = 0; second < 900; second += 5) {
      FleetView view = cluster.view();
      FleetNode node = view.node(RECOVERING).orElseThrow();
      states.add(node.state());
      view.remediationsOf(RECOVERING).stream().map(FleetRemediation::phase).forEach(phases::add);
      assertThat(view.gaps()).isEmpty();
      assertThat(view.remediationsOf("worker-b-3"))
          .singleElement()
          .extracting(each -> Duration.between(each.started(), view.time()).toMinutes())
          .satisfies(age -> assertThat(age).isBetween(24L, 40L));
      time.advance(Duration.ofSeconds(5));
    }
    assertThat(states).containsExactlyInAnyOrder(State.HEALTHY, State.SOON, State.REMEDIATING);
    assertThat(phases).containsExactlyInAnyOrder("Draining", "Ordered", "Waiting", "Done");
  }

  @Test
  void hasUnhealthyContainersOfWhichOneRecovers() throws Exception {
    Set<Boolean> checkout = new HashSet<>();
    for (int i = 0; i < 24; i++) {
      FleetContainers found =
          FleetContainers.ask(cluster.view(), cluster::containers, FleetContainers.Extent.WORST);
      Set<String> pods = new HashSet<>();
      found.containers().forEach(row -> pods.add(row.pod().replaceFirst("-[0-9a-f]{8,}.*", "")));
      assertThat(pods).contains("mailer", "recommender", "images");
      checkout.add(pods.contains("checkout"));
      assertThat(found.unanswered())
          .extracting(FleetContainers.Unanswered::node)
          .contains("worker-b-3");
      time.advance(Duration.ofSeconds(10));
    }
    assertThat(checkout).containsExactlyInAnyOrder(true, false);
    assertThat(cluster.containers("worker-a-2", 60))
        .allSatisfy(container ->
            assertThat(container.probes())
                .allSatisfy(probe -> assertThat(probe.outcomes()).hasSize(60)));
    assertThatThrownBy(() -> cluster.node("worker-x")).hasMessage("there is no node worker-x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nodes",
        "node?worker-b-3",
        "node?worker-c-5",
        "agent?worker-a-2",
        "agent?worker-c-5",
        "agent?worker-b-3",
        "containers",
        "timeline",
        "simulate"
      })
  void everyPageSaysThatItIsADemo(String address) throws Exception {
    String[] parts = address.split("\\?", -1);
    Resource page =
        UiPages.of(
                cluster::view,
                new DemoAsked(cluster),
                new FleetToPlay(cluster),
                null,
                DemoCluster.NOTICE,
                time)
            .get(parts[0]);
    Map<String, List<String>> query =
        parts.length == 1 ? Map.of() : Map.of("name", List.of(parts[1]));
    Resource.Answer answer = page.get(query);
    assertThat(answer.status()).isEqualTo(200);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    assertThat(out.toString(UTF_8))
        .contains("<p class=\"notice\" role=\"note\">" + DemoCluster.NOTICE + "</p>")
        .contains(" – Probelet demo</title>");
  }

  @Test
  void everyPageIsTried() {
    assertThat(
            UiPages.of(
                    cluster::view,
                    new DemoAsked(cluster),
                    new FleetToPlay(cluster),
                    null,
                    DemoCluster.NOTICE,
                    time)
                .keySet())
        .filteredOn(path -> !path.contains(".") && !path.endsWith("live"))
        .containsExactlyInAnyOrder(
            "", "nodes", "node", "agent", "containers", "timeline", "simulate");
  }
}
