package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.controller.ControllerPart;
import io.probelet.controller.ControllerSettings;
import io.probelet.controller.remediation.RemediationPart;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.simulation.api.ApiFaults;
import io.probelet.simulation.api.ApiRequest;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.RequestFate;
import io.probelet.simulation.api.RequestFate.Effect;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Six nodes with the pods of three DaemonSets, two controllers, and an API server that has its
 * moods. At most one node is broken at a time, and every write of its condition is compared with
 * the truth.
 */
final class WorkloadEvidenceWorld {
  static final int NODES = 6;
  static final Duration WAIT = Duration.ofMinutes(5);

  /** A confirmation by all watches, a round, and a request that is sent again. */
  private static final Duration LATE = Duration.ofMinutes(3);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> NAMESPACES = List.of("a", "b", "c");

  final Simulation world;
  final SimulatedApiServer server;
  final List<String> broken = new ArrayList<>();
  private final List<ControllerProcess> controllers = new ArrayList<>();
  private final List<Truth> truth = new ArrayList<>();
  private final RandomGenerator random;
  private boolean calm;
  private int trues;

  /** Since when a node works or does not, and how long it was otherwise before. */
  private static final class Truth {
    private boolean works = true;
    private long since;
    private long before;

    /** Whether it was so for as long as it takes, up to a moment that is not too long ago. */
    private boolean was(boolean working, long now) {
      long lasted = now - since;
      return works == working
          ? lasted >= WAIT.toNanos()
          : lasted <= LATE.toNanos() && before >= WAIT.toNanos();
    }
  }

  WorkloadEvidenceWorld(long seed) {
    world = new Simulation(seed);
    server = new SimulatedApiServer(world);
    random = world.random("faults");
    for (int i = 0; i < NODES; i++) {
      truth.add(new Truth());
      server.put(
          read(
              """
              {apiVersion: v1, kind: Node, metadata: {name: n%d},
               status: {conditions: [{type: Ready, status: "True"}]}}
              """
                  .formatted(i)));
    }
    for (String namespace : NAMESPACES) {
      String owner =
          server
              .put(
                  read(
                      """
                      {apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: %s, name: web},
                       spec: {selector: {matchLabels: {app: web}},
                              template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}
                      """
                          .formatted(namespace)))
              .at("/metadata/uid")
              .asText();
      for (int i = 0; i < NODES; i++) {
        server.put(pod(namespace, i, owner));
      }
    }
    server.onWrite(this::wrote);
    for (int i = 0; i < 2; i++) {
      controllers.add(
          new ControllerProcess(
              new Machine(world, "control-" + i),
              "controller-" + i,
              server,
              settings(),
              (_, _, _, _, _) -> new HookAnswer.NotAnswered("none")));
    }
  }

  private static ControllerSettings settings() {
    return new ControllerSettings(
        List.of(ControllerPart.WORKLOAD_EVIDENCE),
        new RemediationPart.Settings(
            "medik8s-leases",
            "NodeHealthCheck",
            new ListenAddress("127.0.0.1", 9443),
            Path.of("/nowhere")),
        List.of(),
        new WorkloadSettings(NAMESPACES, WAIT, 3, 60));
  }

  private static ObjectNode read(String document) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(document));
  }

  private static ObjectNode pod(String namespace, int node, String owner) {
    return read(
        """
        {apiVersion: v1, kind: Pod,
         metadata: {namespace: %1$s, name: web-n%2$d, labels: {app: web, controller-revision-hash: h},
                    ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: web, uid: %3$s, controller: true}]},
         spec: {nodeName: n%2$d, containers: [{name: c, image: i}]},
         status: %4$s}
        """
            .formatted(namespace, node, owner, status(true)));
  }

  private static String status(boolean ready) {
    return """
    {"phase": "Running", "conditions": [{"type": "Ready", "status": "%s"}],
     "containerStatuses": [{"name": "c", "started": true, "restartCount": 1, "state": {"running": {}}}]}
    """
        .formatted(ready ? "True" : "False")
        .strip();
  }

  // --- What happens

  void start() {
    controllers.forEach(ControllerProcess::start);
  }

  /** Lets faults happen from now on, until {@link #calm}. */
  void turmoil() {
    server.faults(new Unreliable(world.random("network")));
    again(Duration.ofMinutes(4), this::controllerFault);
    again(Duration.ofMinutes(6), server::restart);
    again(Duration.ofMinutes(15), this::outage);
    again(Duration.ofMinutes(10), server::compact);
    nextBreak();
  }

  private void again(Duration mean, Runnable fault) {
    world.after(
        Duration.ofMillis(random.nextLong(2 * mean.toMillis())),
        () -> {
          if (!calm) {
            fault.run();
            again(mean, fault);
          }
        });
  }

  /** One node at a time; between two of them all have worked for long enough. */
  private void nextBreak() {
    if (calm) {
      return;
    }
    int node = random.nextInt(NODES);
    set(node, false);
    world.after(
        Duration.ofSeconds(random.nextLong(30, 1_500)),
        () -> {
          set(node, true);
          world.after(Duration.ofSeconds(random.nextLong(420, 900)), this::nextBreak);
        });
  }

  void set(int node, boolean works) {
    Truth of = truth.get(node);
    if (of.works == works) {
      return;
    }
    world.trace().add(world.now(), "n" + node, works ? "works" : "breaks");
    of.before = world.now() - of.since;
    of.since = world.now();
    of.works = works;
    for (String namespace : NAMESPACES) {
      server.patch(
          "/api/v1/namespaces/%s/pods/web-n%d/status".formatted(namespace, node),
          "{\"status\": %s}".formatted(status(works)));
    }
  }

  private void controllerFault() {
    ControllerProcess controller = controllers.get(random.nextInt(controllers.size()));
    Duration length = Duration.ofMillis(random.nextLong(100, 90_000));
    switch (random.nextInt(4)) {
      case 0 -> {
        controller.kill();
        world.after(length, controller::start);
      }
      case 1 -> {
        controller.freeze();
        world.after(length, controller::thaw);
      }
      case 2 -> {
        Duration step = Duration.ofMillis(random.nextLong(-600_000, 600_000));
        controller.machine().stepWallClock(step);
      }
      default ->
          controller
              .process()
              .ifPresent(process -> {
                server.partition(process, true);
                world.after(length, () -> server.healSilently(process));
              });
    }
  }

  private void outage() {
    server.stopped(true);
    world.after(Duration.ofMillis(random.nextLong(100, 60_000)), () -> server.stopped(false));
  }

  /** Ends all faults; nodes stay as they are. */
  void calm() {
    calm = true;
    server.faults(ApiFaults.NONE);
    server.stopped(false);
    controllers.forEach(controller -> {
      controller.thaw();
      if (!controller.isUp()) {
        controller.start();
      }
    });
  }

  // --- What must hold

  private void wrote(ApiWrite write) {
    ObjectNode after = write.after();
    if (after == null || !write.path().matches("/api/v1/nodes/n\\d/status")) {
      return;
    }
    String now = condition(after);
    if (now.equals(condition(write.before()))) {
      return;
    }
    int node = Integer.parseInt(after.at("/metadata/name").asText().substring(1));
    trues += now.equals("True") ? 1 : 0;
    if (!now.equals("Unknown") && !truth.get(node).was(now.equals("False"), world.now())) {
      broken.add(
          "%s at %d s: n%d is %s, %s for %d s, before that for %d s"
              .formatted(
                  write.process(),
                  Duration.ofNanos(world.now()).toSeconds(),
                  node,
                  now,
                  truth.get(node).works ? "works" : "broken",
                  Duration.ofNanos(world.now() - truth.get(node).since).toSeconds(),
                  Duration.ofNanos(truth.get(node).before).toSeconds()));
    }
  }

  private static String condition(@Nullable JsonNode node) {
    if (node != null) {
      for (JsonNode condition : node.at("/status/conditions")) {
        if (condition.path("type").asText().equals("WorkloadsFailing")) {
          return condition.path("status").asText();
        }
      }
    }
    return "";
  }

  /** The condition of a node as it is stored. */
  String shown(int node) {
    return condition(server.get("/api/v1/nodes/n" + node));
  }

  /** How often a node was found to be the cause. */
  int trues() {
    return trues;
  }

  /** Requests that are late, lost, refused or answered twice. */
  private record Unreliable(RandomGenerator random) implements ApiFaults {
    @Override
    public RequestFate of(ApiRequest request) {
      RequestFate late =
          RequestFate.delayed(
              Duration.ofMillis(random.nextLong(1, 100)),
              Duration.ofMillis(random.nextLong(1, 100)));
      return switch (random.nextInt(100)) {
        case 0, 1 -> late.with(new Effect.LostRequest());
        case 2, 3 -> late.with(new Effect.LostAnswer());
        case 4 -> late.with(RequestFate.internalError());
        case 5 -> request.isRead() ? late : late.with(RequestFate.conflict());
        default -> late;
      };
    }
  }
}
