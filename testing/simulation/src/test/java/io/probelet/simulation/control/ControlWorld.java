package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.controller.ControllerPart;
import io.probelet.controller.ControllerSettings;
import io.probelet.controller.remediation.RemediationPart;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.simulation.api.ApiFaults;
import io.probelet.simulation.api.ApiRequest;
import io.probelet.simulation.api.RequestFate;
import io.probelet.simulation.api.RequestFate.Effect;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.control.ForeignRemediator.Brand;
import io.probelet.simulation.control.JobController.PodEnd;
import io.probelet.simulation.control.ScriptedNode.Trouble;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Six nodes, two or three controllers, everything that acts on them, and faults by seed. */
final class ControlWorld {
  static final String CHECKS = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks";
  static final int NODES = 6;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final List<Trouble> TROUBLES = List.of(Trouble.values());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SETUP =
      """
      apiVersion: probelet.io/v1alpha1
      kind: ServiceRestartRemediationTemplate
      metadata: {name: restart, namespace: probelet-system}
      spec:
        template:
          spec:
            units: [kubelet.service]
            healthyWithin: 1m
            conditions:
            - {type: Ready, status: "True"}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: RebootRemediationTemplate
      metadata: {name: reboot, namespace: probelet-system}
      spec:
        template:
          spec:
            drain: {timeout: 1m}
            answerWithin: 30s
            rebootWithin: 3m
      ---
      apiVersion: self-node-remediation.medik8s.io/v1alpha1
      kind: SelfNodeRemediationTemplate
      metadata: {name: self, namespace: probelet-system}
      spec:
        template:
          spec: {remediationStrategy: Automatic}
      ---
      apiVersion: fence-agents-remediation.medik8s.io/v1alpha1
      kind: FenceAgentsRemediationTemplate
      metadata: {name: fence, namespace: probelet-system}
      spec:
        template:
          spec: {agent: fence_ipmilan}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: HookRemediationTemplate
      metadata: {name: ticket, namespace: probelet-system}
      spec:
        template:
          spec:
            job:
              template:
                spec:
                  backoffLimit: 1
                  ttlSecondsAfterFinished: 900
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                      - {name: ticket, image: "registry.example.org/ticket:1"}
            within: 4m
      ---
      apiVersion: remediation.medik8s.io/v1alpha1
      kind: NodeHealthCheck
      metadata: {name: workers}
      spec:
        selector: {matchLabels: {group: a}}
        minHealthy: 50%
        unhealthyConditions:
        - {type: Ready, status: "False", duration: 60s}
        - {type: Ready, status: Unknown, duration: 60s}
        escalatingRemediations:
        - order: 1
          timeout: 2m
          remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: ServiceRestartRemediationTemplate, namespace: probelet-system, name: restart}
        - order: 2
          timeout: 6m
          remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: RebootRemediationTemplate, namespace: probelet-system, name: reboot}
        - order: 3
          timeout: 4m
          remediationTemplate: {apiVersion: self-node-remediation.medik8s.io/v1alpha1, kind: SelfNodeRemediationTemplate, namespace: probelet-system, name: self}
        - order: 4
          timeout: 5m
          remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: HookRemediationTemplate, namespace: probelet-system, name: ticket}
      ---
      apiVersion: remediation.medik8s.io/v1alpha1
      kind: NodeHealthCheck
      metadata: {name: fencing}
      spec:
        selector: {matchLabels: {fenced: "true"}}
        minHealthy: 1
        unhealthyConditions:
        - {type: Ready, status: "False", duration: 90s}
        - {type: Ready, status: Unknown, duration: 90s}
        remediationTemplate: {apiVersion: fence-agents-remediation.medik8s.io/v1alpha1, kind: FenceAgentsRemediationTemplate, namespace: probelet-system, name: fence}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: RemediationPolicy
      metadata: {name: all}
      spec: {maxNodes: 2}
      ---
      apiVersion: probelet.io/v1alpha1
      kind: ClusterHealth
      metadata: {name: cluster}
      spec: {syncPeriod: 30s}
      """;

  final Simulation world;
  final SimulatedApiServer server;
  final List<ScriptedNode> nodes = new ArrayList<>();
  final List<ControllerProcess> controllers = new ArrayList<>();
  final ControlRules rules;
  final ClusterUser user;
  private final RandomGenerator random;
  private boolean calm;

  ControlWorld(long seed) {
    world = new Simulation(seed);
    server = new SimulatedApiServer(world);
    random = world.random("faults");
    server.serveAll();
    rules = new ControlRules(world, server);
    server.onWrite(rules::saw);
    new NodeReadiness(world, server);
    RandomGenerator jobs = world.random("jobs");
    new JobController(
        world,
        server,
        (_, _) -> new PodEnd(Duration.ofSeconds(jobs.nextLong(1, 90)), jobs.nextInt(3) > 0));
    new ForeignRemediator(world, server, Brand.SELF_NODE, 0.3, MINUTE, this::reboot);
    new ForeignRemediator(world, server, Brand.FENCE_AGENTS, 0.1, MINUTE, this::reboot);
    for (int i = 1; i <= NODES; i++) {
      ObjectNode labels = JsonNodeFactory.instance.objectNode().put("group", "a");
      labels.put("fenced", String.valueOf(i % 2 == 0));
      nodes.add(new ScriptedNode(world, server, "node-" + i, labels));
    }
    Pattern.compile("(?m)^---$").splitAsStream(SETUP).forEach(each -> server.put(read(each)));
    ControllerSettings settings =
        new ControllerSettings(
            Arrays.stream(ControllerPart.values())
                .filter(part -> part != ControllerPart.WORKLOAD_EVIDENCE) // has its own world
                .toList(),
            new RemediationPart.Settings(
                "medik8s-leases",
                "NodeHealthCheck",
                new ListenAddress("127.0.0.1", 9443),
                Path.of("/nowhere")),
            List.of(RemediationKind.values()));
    for (int i = 0; i < 2 + seed % 2; i++) {
      controllers.add(
          new ControllerProcess(
              new Machine(world, "control-" + i),
              "controller-" + i,
              server,
              settings,
              (_, _, _, _, _) -> new HookAnswer.Answered(200, MissingNode.getInstance())));
    }
    user = new ClusterUser(world, server, controllers);
  }

  private static ObjectNode read(String document) {
    return JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(document));
  }

  private void reboot(String node) {
    nodes.stream().filter(each -> each.name().equals(node)).forEach(ScriptedNode::reboot);
  }

  void start() {
    controllers.forEach(ControllerProcess::start);
  }

  /** Lets faults happen from now on, until {@link #calm}. */
  void turmoil() {
    RandomGenerator network = world.random("network");
    server.faults(new Unreliable(network));
    again(Duration.ofSeconds(90), this::nodeFault);
    again(Duration.ofMinutes(3), this::controllerFault);
    again(Duration.ofMinutes(5), user::change);
    again(Duration.ofMinutes(7), server::restart);
    again(Duration.ofMinutes(15), this::outage);
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

  private void nodeFault() {
    ScriptedNode node = nodes.get(random.nextInt(NODES));
    Trouble trouble = TROUBLES.get(random.nextInt(TROUBLES.size()));
    world.trace().add(world.now(), node.name(), "trouble " + trouble);
    if (trouble == Trouble.NONE) {
      node.repair();
    } else {
      node.fail(trouble);
    }
  }

  private void controllerFault() {
    ControllerProcess controller = controllers.get(random.nextInt(controllers.size()));
    Duration length = Duration.ofMillis(random.nextLong(100, 60_000));
    int what = random.nextInt(5);
    world.trace().add(world.now(), "fault", controller.machine().name() + " " + what);
    switch (what) {
      case 0 -> {
        controller.kill();
        world.after(length, controller::start);
      }
      case 1 -> {
        controller.terminate();
        world.after(length.plusSeconds(30), controller::start);
      }
      case 2 -> {
        controller.freeze();
        world.after(length, controller::thaw);
      }
      case 3 -> {
        Duration step = Duration.ofMillis(random.nextLong(-60_000, 60_000));
        controller.machine().stepWallClock(step);
        world.after(length, () -> controller.machine().stepWallClock(step.negated()));
      }
      default ->
          controller
              .process()
              .ifPresent(process -> {
                server.partition(process, true);
                world.after(length, () -> server.partition(process, false));
              });
    }
  }

  private void outage() {
    server.stopped(true);
    world.after(Duration.ofMillis(random.nextLong(100, 60_000)), () -> server.stopped(false));
  }

  /** Ends all faults and repairs everything. */
  void calm() {
    calm = true;
    server.faults(ApiFaults.NONE);
    server.stopped(false);
    nodes.forEach(ScriptedNode::repair);
    user.restore();
    controllers.forEach(controller -> {
      controller.thaw();
      if (!controller.isUp()) {
        controller.start();
      }
    });
  }

  /** Requests that are late, lost, refused or answered twice. */
  private record Unreliable(RandomGenerator random) implements ApiFaults {
    @Override
    public RequestFate of(ApiRequest request) {
      RequestFate late =
          RequestFate.delayed(
              Duration.ofMillis(random.nextLong(1, 100)),
              Duration.ofMillis(random.nextLong(1, 100)));
      return switch (random.nextInt(200)) {
        case 0, 1 -> late.with(new Effect.LostRequest());
        case 2, 3 -> late.with(new Effect.LostAnswer());
        case 4 -> late.with(RequestFate.internalError());
        case 5 -> late.with(RequestFate.tooManyRequests(Duration.ofSeconds(1)));
        case 6 -> request.isRead() ? late : late.with(RequestFate.conflict());
        default -> late;
      };
    }
  }
}
