package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.config.GuardSettings;
import io.probelet.agent.config.OrderSettings;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.Monitor;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A node with pods and its agent, for tests. */
final class AgentWorld {
  static final String PODS = "/api/v1/namespaces/default/pods/";

  /** It fails for good some minutes after its start, and a restart helps. */
  static final ContainerScript FAILING =
      new ContainerScript(
          ContainerScript.Nature.HANGING,
          Behavior.HEALTHY,
          Duration.ofSeconds(2),
          Duration.ofMinutes(2),
          ContainerScript.FOR_GOOD,
          true);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<Monitor> MONITORS = DefaultMonitors.with(List.of());

  /** Orders are off by default. */
  private static final OrderSettings ORDERS =
      new OrderSettings(true, OrderSettings.OFF.units(), true, false, false);

  final Simulation world;
  final SimulatedApiServer api;
  final SimulatedNode node;
  final List<ContainerStop> stops = new ArrayList<>();

  /** What {@link StopRules} found. */
  final List<String> broken = new ArrayList<>();

  private final Map<String, ContainerScript> scripts = new HashMap<>();
  private AgentProcess agent;

  AgentWorld(long seed) {
    world = new Simulation(seed);
    api = new SimulatedApiServer(world);
    api.serveAll();
    node =
        new SimulatedNode(
            world, "node-a", 1, api, (pod, _) -> scripts.get(pod.at("/metadata/name").asText()));
    node.runtime().onStop(stops::add);
    api.onWrite(write ->
        world
            .trace()
            .add(
                world.now(),
                write.process(),
                write.verb() + " " + write.path() + " " + write.after()));
  }

  /** Creates a pod with all kinds of probes. */
  void pod(String name, ContainerScript script) {
    scripts.put(name, script);
    api.put(
        (ObjectNode)
            json(
                """
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"nodeName": "node-a",
                   "readinessGates": [{"conditionType": "probelet.io/ready"}],
                   "containers": [{"name": "web", "image": "web:1",
                     "ports": [{"name": "http", "containerPort": 8080}],
                     "livenessProbe": {"httpGet": {"port": "http"}, "periodSeconds": 10},
                     "readinessProbe": {"tcpSocket": {"port": "http"}, "periodSeconds": 5},
                     "startupProbe": {"httpGet": {"port": "http"}, "periodSeconds": 2,
                       "failureThreshold": 30}}]}}
                """
                    .formatted(name)));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  void startAgent() {
    StopRules rules = new StopRules(world, node.runtime(), broken);
    agent =
        AgentProcess.start(
            world,
            node,
            api,
            new AgentSetup(ORDERS, MONITORS, GuardSettings.DEFAULT, _ -> List.of(rules)));
  }

  AgentProcess agent() {
    return agent;
  }

  void run(Duration length) {
    world.run(length);
    assertThat(world.failures()).isEmpty();
  }

  /** Asks the agent over HTTP. */
  String get(String path) {
    CompletableFuture<AgentProcess.Reply> reply = agent.get(path);
    run(Duration.ofSeconds(1));
    assertThat(reply).isDone();
    return reply.join().body();
  }

  JsonNode read(String path) {
    return json(get(path));
  }

  /** The status of a condition of an object; empty if it has none. */
  JsonNode condition(String path, String type) {
    for (JsonNode each : api.get(path).at("/status/conditions")) {
      if (each.path("type").asText().equals(type)) {
        return each;
      }
    }
    return JSON.createObjectNode();
  }

  /** Reason and message of the events about a pod. */
  List<String> events(String pod) {
    return api.list("/api/v1/events").stream()
        .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .toList();
  }
}
