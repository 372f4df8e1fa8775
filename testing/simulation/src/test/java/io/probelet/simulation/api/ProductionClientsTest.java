package io.probelet.simulation.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.simulation.api.RequestFate.Effect;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Production code over the simulated API server, in virtual time. */
@Timeout(60)
class ProductionClientsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Simulation world = new Simulation(7);
  private final SimulatedApiServer server = new SimulatedApiServer(world);
  private final SimulatedProcess process = process(world, "agent");
  private final List<String> seen = new ArrayList<>();

  private static SimulatedProcess process(Simulation world, String name) {
    return new SimulatedProcess(new Machine(world, name), name);
  }

  private static ObjectNode node(String name, String value) {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", name).putObject("labels").put("v", value);
    return node;
  }

  private static ObjectNode lease() {
    ObjectNode lease = JSON.createObjectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", "a").put("namespace", "default");
    return lease;
  }

  private ApiServer api(SimulatedProcess of) {
    return ApiServer.of(server.access(of).client(), Duration.ofSeconds(5), of);
  }

  private final class Seen implements Observer<String> {
    @Override
    public void changed(Item<String> item) {
      seen.add(item.name() + "=" + item.value());
    }

    @Override
    public void gone(Item<String> item) {
      seen.add("-" + item.name());
    }

    @Override
    public void listed() {
      seen.add("listed");
    }

    @Override
    public void interrupted(String why) {
      seen.add(why);
    }
  }

  private ResourceWatch<String> watchNodes() {
    return ResourceWatch.start(
        api(process),
        new Selection("Node", "/api/v1/nodes", "", 2),
        new ObjectFormat<>("v1", "Node", node -> node.at("/metadata/labels/v").asText()),
        new Seen(),
        process,
        process.random("watch"));
  }

  private void expect(String... all) {
    assertThat(seen).containsExactly(all);
    seen.clear();
  }

  @Test
  @DisplayName("a watch lists page by page, follows, and survives restarts, compaction and cuts")
  void watches() {
    for (String name : List.of("a", "b", "c")) {
      server.put(node(name, "1"));
    }
    try (ResourceWatch<String> _ = watchNodes()) {
      world.run(Duration.ofSeconds(1));
      expect("a=1", "b=1", "c=1", "listed");
      server.put(node("b", "2"));
      server.delete("/api/v1/nodes/c");
      world.run(Duration.ofSeconds(1));
      expect("b=2", "-c");
      server.cutWatches();
      server.put(node("d", "1"));
      world.run(Duration.ofMinutes(1));
      assertThat(seen).contains("d=1");
      seen.clear();
      server.put(lease()); // a new version that this watch does not see
      server.restart();
      server.put(node("d", "2"));
      world.run(Duration.ofMinutes(3));
      assertThat(seen).contains("d=2", "listed");
      seen.clear();
      for (int minute = 0; minute < 60; minute++) { // versions advance, so that bookmarks come
        server.put(node("other", Integer.toString(minute)));
        world.run(Duration.ofMinutes(1));
      }
      assertThat(seen).doesNotContain("listed");
      assertThat(world.failures()).isEmpty();
    }
    world.run(Duration.ofSeconds(1));
    assertThat(server.watches()).isZero();
  }

  @Test
  @DisplayName("a watch notices by the silence that its connection was lost")
  void silence() {
    server.put(node("a", "1"));
    try (ResourceWatch<String> _ = watchNodes()) {
      world.run(Duration.ofSeconds(1));
      server.partition(process, true);
      server.put(node("a", "2"));
      world.run(Duration.ofMinutes(10));
      assertThat(seen.subList(0, 2)).containsExactly("a=1", "listed");
      assertThat(seen.subList(2, seen.size()))
          .isNotEmpty()
          .allMatch(each -> each.startsWith("request failed: ") && each.contains("timed out"));
      server.partition(process, false);
      world.run(Duration.ofMinutes(2));
      assertThat(seen).contains("a=2");
      assertThat(world.failures()).isEmpty();
    }
  }

  @Test
  @DisplayName("a lost answer is a timeout in virtual time, and its write has taken effect")
  void lostAnswer() {
    server.faults(
        request -> request.isRead() ? RequestFate.USUAL : RequestFate.of(new Effect.LostAnswer()));
    List<ApiResult> results = new ArrayList<>();
    ApiServer api = api(process);
    process.start(
        "test",
        () -> {
          results.add(api.create("/api/v1/nodes", node("a", "1")));
          seen.add(Duration.ofNanos(world.now()).toSeconds() + " s");
          results.add(api.get("/api/v1/nodes/a"));
        });
    world.run(Duration.ofMinutes(1));
    expect("5 s");
    assertThat(results.getFirst().summary()).contains("timed out");
    assertThat(results.getLast()).isInstanceOf(ApiResult.Done.class);
  }

  private static long play(long seed) {
    Simulation world = new Simulation(seed);
    SimulatedApiServer server = new SimulatedApiServer(world);
    RandomGenerator random = world.random("faults");
    server.faults(request -> {
      Duration there = Duration.ofMillis(random.nextInt(1, 200));
      Duration back = Duration.ofMillis(random.nextInt(1, 200));
      RequestFate fate = RequestFate.delayed(there, back);
      return switch (random.nextInt(12)) {
        case 0 -> fate.with(new Effect.LostRequest());
        case 1 -> fate.with(new Effect.LostAnswer());
        case 2 -> fate.with(RequestFate.tooManyRequests(Duration.ofSeconds(1)));
        case 3 -> fate.with(new Effect.Duplicated(Duration.ofMillis(50)));
        case 4 -> fate.with(new Effect.CutAnswer());
        case 5 -> fate.with(RequestFate.internalError());
        default -> fate;
      };
    });
    List<String> ruling = new ArrayList<>();
    List<SimulatedProcess> candidates = new ArrayList<>();
    for (String name : List.of("one", "two")) {
      SimulatedProcess candidate = process(world, name);
      candidates.add(candidate);
      candidate.start("main", () -> campaign(server, candidate, ruling));
    }
    world.after(
        Duration.ofMinutes(5),
        () ->
            candidates.stream()
                .filter(each -> each.name().equals(ruling.getLast()))
                .forEach(SimulatedProcess::kill));
    world.run(Duration.ofMinutes(10));
    assertThat(world.failures()).isEmpty();
    assertThat(ruling).contains("one", "two");
    assertThat(server.list("/api/v1/events"))
        .anyMatch(event -> event.path("count").asInt() >= 1)
        .allMatch(event -> event.path("reason").asText().equals("Leading"));
    world.trace().add(world.now(), "end", server.list("/api/v1/events").toString());
    return world.trace().checksum();
  }

  private static void campaign(
      SimulatedApiServer server, SimulatedProcess process, List<String> ruling) {
    ClusterAccess access = server.access(process);
    EventRecorder events =
        new EventRecorder(
            ApiServer.of(access.client(), Duration.ofSeconds(5), process),
            EventSource.leader("test", process.name()),
            process,
            process.random("events"),
            () -> true);
    events.start();
    var _ =
        new LeaderTask<>(
            access.client(),
            "kube-system",
            "lease",
            process.name(),
            ElectionTiming.DEFAULT,
            process,
            process.random("election"),
            term -> {
              ruling.add(process.name());
              process.trace("leads");
              events.record(
                  new ApiEvent(
                      InvolvedObject.node(process.name(), ""),
                      "test",
                      ApiEvent.NORMAL,
                      "Leading",
                      "",
                      "leads",
                      false));
              return () -> process.trace("lost leadership");
            });
  }

  @Test
  @DisplayName("election and events under faults: one seed leads to one history")
  void oneHistory() {
    assertThat(play(3)).isEqualTo(play(3)).isNotEqualTo(play(4));
  }
}
