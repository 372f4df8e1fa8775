package io.probelet.simulation.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiServer;
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
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After random faults, a watch knows all objects. */
@Timeout(120)
class WatchHistoryTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NODES = "/api/v1/nodes";
  private static final Duration STEP = Duration.ofSeconds(20);
  private static final Duration QUIET = Duration.ofMinutes(20);

  private final Map<String, String> known = new TreeMap<>();

  private static ObjectNode node(String name, String value) {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", name).putObject("labels").put("v", value);
    return node;
  }

  private final class Known implements Observer<String> {
    @Override
    public void changed(Item<String> item) {
      known.put(item.name(), item.value());
    }

    @Override
    public void gone(Item<String> item) {
      known.remove(item.name());
    }

    @Override
    public void listed() {
      // known is complete
    }
  }

  /** Faults of requests and events, as long as it is on. */
  private static final class Faults implements ApiFaults {
    private final RandomGenerator random;
    private boolean on = true;

    Faults(RandomGenerator random) {
      this.random = random;
    }

    @Override
    public RequestFate of(ApiRequest request) {
      if (!on) {
        return RequestFate.USUAL;
      }
      RequestFate fate =
          RequestFate.delayed(
              Duration.ofMillis(random.nextInt(1, 2000)),
              Duration.ofMillis(random.nextInt(1, 2000)));
      return switch (random.nextInt(10)) {
        case 0 -> fate.with(new Effect.LostRequest());
        case 1 -> fate.with(new Effect.LostAnswer());
        case 2 -> fate.with(new Effect.CutAnswer());
        case 3 -> fate.with(RequestFate.tooManyRequests(Duration.ofSeconds(2)));
        case 4 -> fate.with(RequestFate.internalError());
        default -> fate;
      };
    }

    @Override
    public EventFate ofEvent(ApiRequest watch) {
      return on
          ? new EventFate(Duration.ofMillis(random.nextInt(3000)), random.nextInt(20) == 0)
          : EventFate.USUAL;
    }
  }

  @ParameterizedTest
  @DisplayName("the watch catches up after random faults")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void catchesUp(long seed) {
    Simulation world = new Simulation(seed);
    SimulatedApiServer server = new SimulatedApiServer(world);
    SimulatedProcess process = new SimulatedProcess(new Machine(world, "a"), "agent");
    RandomGenerator random = world.random("history");
    Faults faults = new Faults(world.random("faults"));
    server.faults(faults);
    ResourceWatch<String> watch = watch(server, process);
    for (int step = 0; step < 100; step++) {
      int which = random.nextInt(10);
      String name = "n" + random.nextInt(8);
      switch (random.nextInt(14)) {
        case 0, 1 -> {
          if (!server.get(NODES + "/" + name).isMissingNode()) {
            server.delete(NODES + "/" + name);
          }
        }
        case 2 -> server.restart();
        case 3 -> server.compact();
        case 4 -> server.cutWatches();
        case 5 -> server.partition(process, which < 5);
        case 6 -> server.stopped(which < 3);
        case 7 -> {
          if (which < 5) {
            process.freeze();
          } else {
            process.thaw();
          }
        }
        default -> server.put(node(name, "v" + step));
      }
      world.run(STEP.multipliedBy(random.nextInt(4)));
    }
    faults.on = false;
    server.partition(process, false);
    server.stopped(false);
    process.thaw();
    world.run(QUIET);
    assertThat(known).as("seed %d", seed).isEqualTo(there(server));
    assertThat(world.failures()).isEmpty();
    watch.close();
  }

  @Test
  @DisplayName("the watch catches up after etcd was restored from a backup")
  void restored() {
    Simulation world = new Simulation(1);
    SimulatedApiServer server = new SimulatedApiServer(world);
    SimulatedProcess process = new SimulatedProcess(new Machine(world, "a"), "agent");
    ResourceWatch<String> watch = watch(server, process);
    server.put(node("old", "1"));
    SimulatedApiServer.Snapshot backup = server.snapshot();
    for (int i = 0; i < 50; i++) {
      server.put(node("lost", "v" + i));
    }
    world.run(STEP);
    assertThat(known).containsOnlyKeys("old", "lost");
    server.restore(backup);
    server.put(node("old", "2")); // its version is below the one that the watch knows
    world.run(Duration.ofMinutes(5));
    assertThat(known).isEqualTo(Map.of("old", "2")).isEqualTo(there(server));
    watch.close();
  }

  private ResourceWatch<String> watch(SimulatedApiServer server, SimulatedProcess process) {
    return ResourceWatch.start(
        ApiServer.of(server.access(process).client(), Duration.ofSeconds(5), process),
        new Selection("Node", NODES, "", 3),
        new ObjectFormat<>("v1", "Node", node -> node.at("/metadata/labels/v").asText()),
        new Known(),
        process,
        process.random("watch"));
  }

  private static Map<String, String> there(SimulatedApiServer server) {
    Map<String, String> there = new TreeMap<>();
    server
        .list(NODES)
        .forEach(each ->
            there.put(each.at("/metadata/name").asText(), each.at("/metadata/labels/v").asText()));
    return there;
  }
}
