package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.controller.ControllerPart;
import io.probelet.controller.ControllerSettings;
import io.probelet.controller.remediation.RemediationPart;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.simulation.Coverage.Topic;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.control.ControllerProcess;
import io.probelet.simulation.control.ForeignRemediator;
import io.probelet.simulation.control.ForeignRemediator.Brand;
import io.probelet.simulation.control.JobController;
import io.probelet.simulation.control.JobController.PodEnd;
import io.probelet.simulation.control.NodeReadiness;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.faults.FaultKind.Scope;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.node.ScriptedContainer;
import io.probelet.simulation.node.ScriptedPod;
import io.probelet.simulation.node.SimulatedBus;
import io.probelet.simulation.rules.EndState;
import io.probelet.simulation.rules.Remediations;
import io.probelet.simulation.rules.RuleBook;
import io.probelet.simulation.rules.WorldEvent;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;
import io.probelet.simulation.rules.WorldEvent.Disturbed;
import io.probelet.simulation.rules.WorldEvent.FreshlyStarted;
import io.probelet.simulation.rules.WorldEvent.GateOpened;
import io.probelet.simulation.rules.WorldEvent.Logged;
import io.probelet.simulation.rules.WorldEvent.NodePassed;
import io.probelet.simulation.rules.WorldEvent.OrderCarriedOut;
import io.probelet.simulation.rules.WorldEvent.ProbesJudged;
import io.probelet.simulation.rules.WorldEvent.ProcessEnded;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.StopsJudged;
import io.probelet.simulation.rules.WorldEvent.Written;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in virtual time: nodes, controllers, an API server, and everyone who acts on them.
 * First faults come, then it is quiet, so that what was wrong can come right, and then it is
 * judged.
 */
final class World {
  /** The longest that anything may take to come right: escalations with all their steps. */
  private static final Duration QUIET = Duration.ofMinutes(25);

  /** So much older than the versions that a watch knows is noticed by its silence. */
  private static final Duration NOTICED = Duration.ofMinutes(4);

  /** Agents write all their conditions every five minutes, which a restored etcd may have lost. */
  private static final Duration AFTER_RESTORE = Duration.ofMinutes(6);

  /** How often it is looked whether a rule is broken. */
  private static final Duration SLICE = Duration.ofSeconds(20);

  /** Longer than all heartbeats, which bring right what a restored etcd has lost. */
  private static final Duration STILL = Duration.ofSeconds(330);

  /** Until processes that were started again know all that there is. */
  private static final Duration AFRESH = Duration.ofMinutes(2);

  /** The same where leases of two minutes have to run out first. */
  private static final Duration AFRESH_WITH_LEASES = Duration.ofMinutes(4);

  /** Those whose leases last for two minutes. */
  private static final Set<ControllerPart> SLOW =
      EnumSet.of(ControllerPart.CLUSTER_CARE, ControllerPart.NODE_MONITOR);

  private final Simulation world;
  private final WorldSettings settings;
  private final Coverage coverage;
  private final SimulatedApiServer server;
  private final ApiTrouble trouble;
  private final RuleBook rules = new RuleBook();
  private final WriteReader writes = new WriteReader();
  private final List<WorldNode> nodes = new ArrayList<>();
  private final List<ControllerProcess> controllers = new ArrayList<>();
  private final Map<String, String> kinds = new HashMap<>();
  private final List<Runnable> whenQuiet = new ArrayList<>();

  /** When etcd was restored last; long before the beginning if never. */
  private long restored = -AFTER_RESTORE.toNanos();

  private final RandomGenerator endpoint;
  private int failures;

  World(long seed, WorldSettings settings, Coverage coverage) {
    this.settings = settings;
    this.coverage = coverage;
    world = new Simulation(seed);
    server = new SimulatedApiServer(world);
    trouble = new ApiTrouble(world.random("network"), world::now, this::disturbed);
    endpoint = world.random("endpoint");
    server.faults(trouble);
    server.serveAll();
    server.onWrite(this::written);
    LogCapture.to(this::logged);
    world.onEnd(process -> tell(new ProcessEnded(world.now(), process.name())));
    controlPlane();
    Workload workload = new Workload(world, server);
    RandomGenerator pods = world.random("pods");
    for (int index = 1; index <= settings.nodes(); index++) {
      String name = "node-" + index;
      WorldNode node = new WorldNode(world, server, settings, name, index, workload::script);
      node.node().runtime().onStop(stop -> tell(new ContainerStopped(stop)));
      node.node().bus().onAction(action -> tell(ordered(name, action)));
      nodes.add(node);
      workload.create(name, settings, pods);
    }
    ClusterObjects.apply(server, settings);
    for (int index = 0; index < settings.controllers(); index++) {
      controllers.add(controller(index));
    }
  }

  private void controlPlane() {
    new NodeReadiness(world, server);
    RandomGenerator jobs = world.random("jobs");
    new JobController(
        world,
        server,
        (_, _) -> new PodEnd(Duration.ofSeconds(jobs.nextLong(1, 90)), jobs.nextInt(3) > 0));
    Duration longest = Duration.ofSeconds(settings.quick() ? 2 : 60);
    for (Brand brand : List.of(Brand.SELF_NODE, Brand.FENCE_AGENTS)) {
      new ForeignRemediator(world, server, brand, settings.failing(), longest, this::reboot);
    }
  }

  private ControllerProcess controller(int index) {
    return new ControllerProcess(
        new Machine(world, "control-" + index),
        "controller-" + index,
        server,
        new ControllerSettings(
            settings.controllerParts(),
            new RemediationPart.Settings(
                "medik8s-leases",
                "NodeHealthCheck",
                new ListenAddress("127.0.0.1", 9443),
                Path.of("/nowhere")),
            List.of(RemediationKind.values())),
        (_, _, _, _, _) -> hookAnswer());
  }

  /** What an endpoint answers that repairs machines, and knows which of them are off. */
  private HookAnswer hookAnswer() {
    boolean confirms = endpoint.nextDouble() >= settings.unclear();
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("done", confirms);
    body.put("power", confirms ? "off" : "on");
    return switch (confirms ? 0 : endpoint.nextInt(3)) {
      case 0 -> new HookAnswer.Answered(200, body);
      case 1 -> new HookAnswer.Answered(503, JsonNodeFactory.instance.missingNode());
      default -> new HookAnswer.NotAnswered("timed out");
    };
  }

  /** What an agent does to its node is what the node's order asks for. */
  private OrderCarriedOut ordered(String node, SimulatedBus.Action action) {
    JsonNode order =
        server.get("/apis/probelet.io/v1alpha1/namespaces/probelet-system/nodeorders/" + node);
    return new OrderCarriedOut(
        action.at(),
        node,
        order.at("/metadata/uid").asText() + " " + action.what(),
        order.at("/spec/bootID").asText(),
        action.bootId());
  }

  private void reboot(String node) {
    nodes.stream().filter(each -> each.name().equals(node)).forEach(each -> each.reboot(true));
  }

  Simulation simulation() {
    return world;
  }

  SimulatedApiServer server() {
    return server;
  }

  ApiTrouble trouble() {
    return trouble;
  }

  /** {@return calls the crash off, also one that has been decided and is a moment away} */
  Runnable crashAtWrite(String process, boolean before, Runnable kill) {
    boolean[] over = {false};
    Runnable off =
        trouble.crashAtWrite(
            process,
            before,
            after ->
                world.after(
                    after,
                    () -> {
                      if (!over[0]) {
                        kill.run();
                      }
                    }));
    return () -> {
      over[0] = true;
      off.run();
    };
  }

  List<WorldNode> nodes() {
    return nodes;
  }

  List<ControllerProcess> controllers() {
    return controllers;
  }

  private void disturbed() {
    tell(new Disturbed(world.now(), true));
    tell(new Disturbed(world.now(), false));
  }

  /** Tells the rules that something happened. */
  void tell(WorldEvent event) {
    rules.saw(event);
  }

  private void written(ApiWrite write) {
    Written written = writes.read(world.now(), write);
    world.trace().add(world.now(), write.process(), write.verb() + " " + write.path());
    JsonNode object = written.after() == null ? written.before() : written.after();
    if (object != null) {
      coverage.count(
          Topic.WRITE,
          kindOf(write.process()) + " " + write.verb() + " " + object.path("kind").asText("?"));
    }
    tell(written);
    if (object != null && gate(written.after()) && !gate(written.before())) {
      String uid = ObjectFields.uid(object);
      List<ContainerInstance> instances =
          newestInstances().stream()
              .filter(each -> each.container().pod().ref().uid().equals(uid))
              .toList();
      tell(new GateOpened(world.now(), written.path(), instances));
    }
  }

  /** Whether a pod with probes in its annotation is shown as ready. */
  private static boolean gate(@Nullable JsonNode pod) {
    return pod != null
        && ObjectFields.annotation(pod, "probelet.io/probes").isPresent()
        && ObjectFields.condition(pod, "probelet.io/ready").filter("True"::equals).isPresent();
  }

  /** The kind of a process: its name up to the first digit or dash. */
  private String kindOf(String process) {
    return kinds.computeIfAbsent(process, name -> name.replaceAll("[-/][a-z]*-?[0-9].*", ""));
  }

  private void logged(LogCapture.Line line) {
    world.trace().add(world.now(), line.process(), line.level() + " " + line.text());
    coverage.count(Topic.LINE, line.template());
    tell(new Logged(world.now(), line.process(), line.level(), line.text()));
  }

  /**
   * Restores a backup: for the rules as well, which know all objects. If versions go back only a
   * little, clients cannot notice that before they are passed again, so that etcd has to bump them.
   */
  void restore(SimulatedApiServer.Snapshot backup, Duration age) {
    if (age.compareTo(NOTICED) < 0) {
      server.restoreBumped(backup);
    } else {
      server.restore(backup);
    }
    restored = world.now();
    tell(new Restored(world.now(), writes.objects(server)));
  }

  /** Runs it to its end, or until it breaks a rule. */
  Outcome run(List<Fault> faults) {
    controllers.forEach(ControllerProcess::start);
    FaultActions actions = new FaultActions(this);
    for (Fault fault : faults) {
      world.at(fault.at().toNanos(), () -> begin(actions, fault));
    }
    if (passes(settings.length())) {
      actions.endAll();
      whenQuiet.forEach(Runnable::run);
      if (comesRight()) {
        rules.settled(end());
        if (rules.broken().isEmpty()) {
          startAfresh();
        }
      }
    }
    coverage.faults(faults.stream().filter(fault -> fault.at().toNanos() <= world.now()).toList());
    rules.findings().checks().forEach((rule, times) -> coverage.count(Topic.CHECK, rule, times));
    return new Outcome(
        world.seed(),
        settings.toString(),
        rules.broken(),
        faults,
        rules.findings().checks(),
        Duration.ofNanos(world.now()),
        world.steps(),
        world.trace().lines(),
        world.trace().count(),
        world.trace().checksum());
  }

  /** Starts all processes again: nothing may come of that. */
  private void startAfresh() {
    Map<String, JsonNode> before = FreshStart.lasting(rules.facts().objects());
    controllers.forEach(ControllerProcess::start);
    for (WorldNode node : nodes) {
      node.killAgent();
      node.startAgent();
    }
    boolean leases = settings.controllerParts().stream().anyMatch(SLOW::contains);
    if (passes(leases ? AFRESH_WITH_LEASES : AFRESH)) {
      String difference =
          FreshStart.difference(before, FreshStart.lasting(rules.facts().objects())).orElse("");
      tell(new FreshlyStarted(world.now(), difference));
    }
  }

  private void begin(FaultActions actions, Fault fault) {
    world.trace().add(world.now(), "fault", fault.toString());
    List<WorldNode> troubled = troubled(fault);
    boolean server = fault.kind().scope() == Scope.SERVER;
    troubled.forEach(node -> node.troubled(server, true));
    Runnable end = actions.begin(fault);
    world.after(
        fault.length(),
        () -> {
          world.trace().add(world.now(), "fault", fault.kind().label() + " ends");
          end.run();
          troubled.forEach(node -> node.troubled(server, false));
        });
  }

  /** The nodes whose agents a fault may keep from their work. */
  private List<WorldNode> troubled(Fault fault) {
    return switch (fault.kind().scope()) {
      case SERVER -> fault.kind().sparesAgents() ? List.of() : nodes;
      case NODE ->
          fault.kind().sparesAgents() ? List.of() : List.of(nodes.get(fault.target(nodes.size())));
      case CONTAINER, CONTROLLER, USER -> List.of();
    };
  }

  /** Lets time pass until all is right, or should be; returns whether all rules hold. */
  private boolean comesRight() {
    long until = world.now() + QUIET.toNanos();
    while (world.now() < until) {
      if (!passes(SLICE)) {
        return false;
      }
      if (!settings.waits()
          && world.now() - Math.max(rules.changed(), until - QUIET.toNanos()) > STILL.toNanos()
          && world.now() - restored > AFTER_RESTORE.toNanos()
          && rules.isRight(end())) {
        return true;
      }
    }
    return true;
  }

  /** Lets time pass; returns whether all rules hold. */
  private boolean passes(Duration time) {
    long until = world.now() + time.toNanos();
    while (world.now() < until) {
      world.run(Duration.ofNanos(Math.min(SLICE.toNanos(), until - world.now())));
      List<Throwable> thrown = world.failures();
      for (Throwable failure : thrown.subList(failures, thrown.size())) {
        tell(
            new Logged(
                world.now(),
                "world",
                "ERROR",
                "internal error, uncaught: " + LogCapture.text(failure)));
      }
      failures = thrown.size();
      Set<String> refused = trouble.refusedNamespaces();
      nodes.forEach(node -> {
        tell(new StopsJudged(world.now(), node.wrongStops(), node.overdueStops()));
        tell(new NodePassed(world.now(), node.name(), node.calm(true), refused));
        tell(new ProbesJudged(world.now(), node.wrongProbes()));
      });
      if (rules.broken().isPresent()) {
        return false;
      }
    }
    return true;
  }

  private EndState end() {
    Map<String, List<JsonNode>> records = new TreeMap<>();
    nodes.forEach(node -> records.put(node.name(), node.records()));
    return new EndState(world.now(), rules.facts().objects(), newestInstances(), records);
  }

  /** The newest instance of each container. */
  private List<ContainerInstance> newestInstances() {
    List<ContainerInstance> instances = new ArrayList<>();
    for (ScriptedContainer container : containers()) {
      ContainerInstance newest = container.newest();
      if (newest != null) {
        instances.add(newest);
      }
    }
    return instances;
  }

  /** Adds a listener for containers that end. */
  void whenEnded(Consumer<ContainerInstance> listener) {
    nodes.forEach(node -> node.node().runtime().onEnd(listener));
  }

  /** Has something done once faults no longer come. */
  void whenQuiet(Runnable action) {
    whenQuiet.add(action);
  }

  /** {@return ends a listener for containers that start} */
  Runnable whenStarted(Consumer<ContainerInstance> listener) {
    List<Runnable> ends =
        nodes.stream().map(node -> node.node().runtime().onStart(listener)).toList();
    return () -> ends.forEach(Runnable::run);
  }

  /** {@return the node that has a container; empty if none has it any more} */
  Optional<WorldNode> nodeOf(ScriptedContainer container) {
    return nodes.stream()
        .filter(node -> node.node().runtime().pods().contains(container.pod()))
        .findFirst();
  }

  /** {@return all containers of all nodes, in a fixed order} */
  List<ScriptedContainer> containers() {
    List<ScriptedContainer> all = new ArrayList<>();
    for (WorldNode node : nodes) {
      for (ScriptedPod pod : node.node().runtime().pods()) {
        all.addAll(pod.containers());
      }
    }
    return all;
  }

  /** {@return the paths of the remediations of a node} */
  List<String> remediationsOf(String node) {
    return paths(object -> Remediations.nodeOf(object).filter(node::equals).isPresent());
  }

  /** {@return the paths of all objects of a kind} */
  List<String> pathsOf(String kind) {
    return paths(object -> ObjectFields.kind(object).equals(kind));
  }

  /** {@return the paths of all templates} */
  List<String> templates() {
    return paths(object -> ObjectFields.kind(object).endsWith("RemediationTemplate"));
  }

  private List<String> paths(Predicate<JsonNode> wanted) {
    return rules.facts().objects().entrySet().stream()
        .filter(each -> wanted.test(each.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
