package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.node.ContainerStop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something that rules are told of, as the world itself knows it and not as a process sees it. */
public sealed interface WorldEvent {
  /** {@return when it happened, in nanoseconds since the beginning} */
  long at();

  /**
   * A write took effect at the API server.
   *
   * @param process who wrote: agent-node-1, controller-0, kubelet-node-1, user
   * @param verb create, update, patch, apply or delete
   * @param path of the object, with its subresource
   * @param before the object before it; null if it did not exist
   * @param after the object after it; null if it no longer exists
   */
  record Written(
      long at,
      String process,
      String verb,
      String path,
      @Nullable JsonNode before,
      @Nullable JsonNode after)
      implements WorldEvent {}

  /**
   * The API server was restored from a backup: its versions went back.
   *
   * @param objects all its objects, by path
   */
  record Restored(long at, Map<String, JsonNode> objects) implements WorldEvent {}

  /**
   * A process had a container stopped.
   *
   * @param stop which one and how
   */
  record ContainerStopped(ContainerStop stop) implements WorldEvent {
    @Override
    public long at() {
      return stop.at();
    }
  }

  /**
   * The decisions of a node's agents to stop containers were held against the truth.
   *
   * @param wrong a line for each decision so far that had no cause
   * @param overdue a line for each container that should have been stopped by now
   */
  record StopsJudged(long at, List<String> wrong, List<String> overdue) implements WorldEvent {}

  /**
   * Some time has passed on a node.
   *
   * @param node which one
   * @param calm for how long nothing has kept its agent from its work or from the API server
   * @param refused namespaces in which something cannot be created, or could not a while ago
   */
  record NodePassed(long at, String node, Duration calm, Set<String> refused)
      implements WorldEvent {}

  /**
   * The probes of a node's agents were held against the truth.
   *
   * @param wrong a line for each that broke a rule so far
   */
  record ProbesJudged(long at, List<String> wrong) implements WorldEvent {}

  /**
   * A node began to carry out an order.
   *
   * @param node which node
   * @param order the order's uid
   * @param orderBoot the boot ID that the order names
   * @param boot the boot ID of the node
   */
  record OrderCarriedOut(long at, String node, String order, String orderBoot, String boot)
      implements WorldEvent {}

  /**
   * A problem of a node begins or ends.
   *
   * @param node which node
   * @param condition the type of the condition that must report it
   * @param begins whether it begins
   */
  record NodeProblem(long at, String node, String condition, boolean begins)
      implements WorldEvent {}

  /**
   * A check of a node cannot be carried out, or can again.
   *
   * @param node which node
   * @param condition the type of its condition
   * @param begins whether it begins
   */
  record CheckBroken(long at, String node, String condition, boolean begins)
      implements WorldEvent {}

  /**
   * A process logged a line.
   *
   * @param level INFO, WARN or ERROR
   * @param line the whole text
   */
  record Logged(long at, String process, String level, String line) implements WorldEvent {}

  /**
   * Admission begins to refuse some writes, or stops that.
   *
   * @param begins whether it begins
   */
  record AdmissionRefuses(long at, boolean begins) implements WorldEvent {}

  /** A fault has damaged the files of a node, or a loss of power has. */
  record RecordsLost(long at, String node) implements WorldEvent {}

  /**
   * A fault of the API server, of the way to it, or of a controller begins or ends. Until some time
   * after its end, controllers may be late.
   *
   * @param begins whether it begins
   */
  record Disturbed(long at, boolean begins) implements WorldEvent {}

  /** A process ended: by a fault, with its node, or by itself. */
  record ProcessEnded(long at, String process) implements WorldEvent {}

  /**
   * The readiness condition of a pod became True.
   *
   * @param path of the pod
   * @param instances the newest instance of each of its containers
   */
  record GateOpened(long at, String path, List<ContainerInstance> instances)
      implements WorldEvent {}

  /**
   * All processes were started again in a quiet world.
   *
   * @param difference what they have changed; empty for nothing
   */
  record FreshlyStarted(long at, String difference) implements WorldEvent {}
}
