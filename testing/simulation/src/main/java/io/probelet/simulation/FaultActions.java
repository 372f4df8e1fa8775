package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.control.ControllerProcess;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.faults.FaultKind;
import io.probelet.simulation.faults.FaultKind.Scope;
import io.probelet.simulation.rules.WorldEvent.AdmissionRefuses;
import io.probelet.simulation.rules.WorldEvent.Disturbed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Makes faults happen, and ends them. */
final class FaultActions {
  private static final String CHECKS = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks";
  private static final String POLICIES = "/apis/probelet.io/v1alpha1/remediationpolicies";
  private static final String CLUSTER_HEALTHS = "/apis/probelet.io/v1alpha1/clusterhealths";

  private final World world;
  private final List<Runnable> ends = new ArrayList<>();

  FaultActions(World world) {
    this.world = world;
  }

  /** {@return ends the fault; a second call does nothing} */
  Runnable begin(Fault fault) {
    Runnable end = start(fault);
    boolean disturbs =
        fault.kind().scope() == Scope.CONTROLLER
            || (fault.kind().scope() == Scope.SERVER && fault.kind() != FaultKind.HIT_WRITES);
    if (disturbs) {
      world.tell(new Disturbed(world.simulation().now(), true));
    }
    Runnable once =
        new Runnable() {
          @Override
          public void run() {
            if (ends.remove(this)) {
              end.run();
              if (disturbs) {
                world.tell(new Disturbed(world.simulation().now(), false));
              }
            }
          }
        };
    ends.add(once);
    return once;
  }

  /** Ends all faults that are in force. */
  void endAll() {
    List.copyOf(ends).forEach(Runnable::run);
    world.nodes().forEach(WorldNode::repair);
  }

  private Runnable start(Fault fault) {
    return switch (fault.kind().scope()) {
      case SERVER -> ofServer(fault);
      case CONTROLLER ->
          ofController(fault, world.controllers().get(fault.target(world.controllers().size())));
      case NODE ->
          new NodeFaults(world, fault, world.nodes().get(fault.target(world.nodes().size())))
              .begin();
      case USER -> byUser(fault);
      case CONTAINER -> ContainerFaults.begin(world, fault);
    };
  }

  private Runnable ofServer(Fault fault) {
    SimulatedApiServer server = world.server();
    return switch (fault.kind()) {
      case RESTART_SERVER -> {
        server.stopped(true);
        yield () -> server.stopped(false);
      }
      case RESTORE_ETCD -> {
        SimulatedApiServer.Snapshot backup = server.snapshot();
        yield () -> world.restore(backup, fault.length());
      }
      case REFUSE_ADMISSION -> {
        Runnable end = world.trouble().begin(fault);
        world.tell(new AdmissionRefuses(world.simulation().now(), true));
        yield () -> {
          end.run();
          world.tell(new AdmissionRefuses(world.simulation().now(), false));
        };
      }
      case REFUSE_NAMESPACE -> {
        Runnable gone = HostilePods.leaving(world, Workload.namespace(fault), fault.random());
        Runnable end = world.trouble().begin(fault);
        yield () -> {
          end.run();
          gone.run();
        };
      }
      default -> world.trouble().begin(fault);
    };
  }

  private Runnable ofController(Fault fault, ControllerProcess controller) {
    return switch (fault.kind()) {
      case CRASH_CONTROLLER -> {
        controller.kill();
        yield () -> startAgain(controller);
      }
      case CRASH_CONTROLLER_AT_WRITE -> {
        String name = controller.process().map(each -> each.name()).orElse("-");
        Runnable off = world.crashAtWrite(name, fault.random().nextBoolean(), controller::kill);
        yield () -> {
          off.run();
          startAgain(controller);
        };
      }
      case FREEZE_CONTROLLER -> {
        controller.freeze();
        yield controller::thaw;
      }
      case PARTITION_CONTROLLER ->
          controller
              .process()
              .<Runnable>map(process -> {
                world.server().partition(process, true);
                return () -> world.server().partition(process, false);
              })
              .orElse(FaultActions::nothing);
      case STEP_CONTROLLER_CLOCK -> {
        Duration step = step(fault.random());
        controller.machine().stepWallClock(step);
        yield () -> controller.machine().stepWallClock(step.negated());
      }
      default -> FaultActions::nothing;
    };
  }

  private void startAgain(ControllerProcess controller) {
    if (!controller.isUp()) {
      controller.start();
    }
  }

  /** The end of a fault that is over as soon as it has begun. */
  static void nothing() {
    // there is nothing to end
  }

  /** {@return a step of a wall clock, small ones as likely as large ones} */
  static Duration step(RandomGenerator random) {
    long millis = (long) Math.pow((double) Duration.ofHours(2).toMillis(), random.nextDouble());
    return Duration.ofMillis(random.nextBoolean() ? millis : -millis);
  }

  private Runnable byUser(Fault fault) {
    RandomGenerator random = fault.random();
    return switch (fault.kind()) {
      case CHANGE_HEALTH_CHECK ->
          change(
              CHECKS,
              fault,
              spec -> {
                switch (random.nextInt(3)) {
                  case 0 -> spec.put("minHealthy", random.nextInt(101) + "%");
                  case 1 -> spec.putArray("pauseRequests").add("maintenance");
                  default ->
                      spec.putArray("unhealthyConditions")
                          .addObject()
                          .put("type", "Ready")
                          .put("status", "Unknown")
                          .put("duration", random.nextInt(10, 300) + "s");
                }
              });
      case CHANGE_POLICY ->
          change(
              POLICIES,
              fault,
              spec -> {
                switch (random.nextInt(3)) {
                  case 0 -> spec.put("maxNodes", random.nextInt(3));
                  case 1 -> spec.put("paused", true);
                  default -> spec.put("maxPerHour", random.nextInt(1, 4));
                }
              });
      case DELETE_TEMPLATE -> onTemplate(fault, path -> delete(world, path));
      case DELETE_JOBS -> deleteJobs(random);
      case REPLACE_TEMPLATE -> onTemplate(fault, path -> replace(path, fault));
      case CHANGE_TEMPLATE ->
          change(
              CHECKS,
              fault,
              spec -> {
                spec.remove(List.of("remediationTemplate", "escalatingRemediations"));
                spec.setAll(ClusterObjects.read(ClusterObjects.steps(WorldSettings.steps(random))));
              });
      case CHANGE_CLUSTER_HEALTH ->
          change(
              CLUSTER_HEALTHS,
              fault,
              spec -> spec.put("syncPeriod", random.nextInt(10, 120) + "s"));
      default -> FaultActions::nothing;
    };
  }

  private Runnable change(String collection, Fault fault, Consumer<ObjectNode> change) {
    List<ObjectNode> all = world.server().list(collection);
    if (all.isEmpty()) {
      return FaultActions::nothing;
    }
    ObjectNode object = all.get(fault.target(all.size()));
    String path = collection + "/" + object.at("/metadata/name").asText();
    JsonNode before = object.path("spec").deepCopy();
    ObjectNode after = before.deepCopy();
    change.accept(after);
    put(path, after);
    return () -> put(path, before);
  }

  private void put(String path, JsonNode spec) {
    if (world.server().get(path) instanceof ObjectNode now) {
      ObjectNode changed = now.deepCopy();
      changed.set("spec", spec);
      world.server().put(changed);
    }
  }

  /** Deletes Jobs for a while, as someone does who tidies up. */
  private Runnable deleteJobs(RandomGenerator random) {
    boolean[] over = {false};
    deleteJobs(random, over);
    return () -> over[0] = true;
  }

  private void deleteJobs(RandomGenerator random, boolean[] over) {
    if (!over[0]) {
      world.pathsOf("Job").forEach(world.server()::delete);
      world
          .simulation()
          .after(Duration.ofSeconds(random.nextLong(10, 60)), () -> deleteJobs(random, over));
    }
  }

  private Runnable onTemplate(Fault fault, Function<String, Runnable> begin) {
    List<String> templates = world.templates();
    return templates.isEmpty()
        ? FaultActions::nothing
        : begin.apply(templates.get(fault.target(templates.size())));
  }

  private Runnable replace(String path, Fault fault) {
    if (world.server().get(path) instanceof ObjectNode now) {
      ObjectNode changed = now.deepCopy();
      changed.withObject("/metadata/annotations").put("example.com/edited", "by " + fault.detail());
      world.server().put(changed);
      delete(world, path).run();
    }
    return FaultActions::nothing;
  }

  /** {@return creates the deleted object again, with another uid, unless another has} */
  static Runnable delete(World world, String path) {
    if (!(world.server().get(path) instanceof ObjectNode deleted)) {
      return FaultActions::nothing;
    }
    ObjectNode again = deleted.deepCopy();
    again.withObject("/metadata").remove(List.of("uid", "resourceVersion", "creationTimestamp"));
    if (ObjectFields.kind(again).equals("Node")) { // no kubelet would create it with taints
      again.remove("spec");
      again
          .withObject("/metadata/annotations")
          .remove(List.of("probelet.io/cordoned-by", "probelet.io/node-taints-set"));
    }
    world.server().delete(path);
    return () -> {
      if (world.server().get(path).isMissingNode()) {
        world.server().put(again);
      }
    };
  }
}
