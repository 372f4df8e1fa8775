package io.probelet.nodehealth.workloads.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import io.probelet.kube.election.Leadership;
import io.probelet.nodehealth.controller.ReconcileLoop;
import io.probelet.nodehealth.controller.StatusPauses;
import io.probelet.nodehealth.workloads.WorkloadNode;
import io.probelet.nodehealth.workloads.WorkloadNode.Shown;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the condition of nodes, for few nodes at once and for one node rarely, because its kubelet
 * may write the condition too. Used only on the loop's thread.
 */
final class NodeConditionWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeConditionWriter.class);
  private static final String NODES = "/api/v1/nodes/";

  /** The most concurrent writes. */
  static final int MAX_AT_ONCE = 16;

  /** The least time between two writes to one node. */
  static final Duration APART = Duration.ofSeconds(30);

  private final ApiServer api;
  private final Leadership term;
  private final ReconcileLoop loop;
  private final TimeSource time;
  private final StatusPauses pauses;
  private final EvidenceListener listener;
  private final Set<String> underWay = new HashSet<>();
  private String problem = "";

  NodeConditionWriter(
      ApiServer api,
      Leadership term,
      ReconcileLoop loop,
      TimeSource time,
      RandomGenerator random,
      EvidenceListener listener) {
    this.api = api;
    this.term = term;
    this.loop = loop;
    this.time = time;
    this.listener = listener;
    pauses = new StatusPauses(time, random, APART);
  }

  /** {@return whether another write may begin now} */
  boolean isFree() {
    return underWay.size() < MAX_AT_ONCE;
  }

  /** {@return whether a node may be written now} */
  boolean mayWrite(String node) {
    return !underWay.contains(node) && !pauses.remaining(node).isPositive();
  }

  /**
   * Writes the condition of a node.
   *
   * @param written receives the node as the response has it, if it was written
   */
  void write(WorkloadNode node, Shown wanted, Consumer<JsonNode> written) {
    String name = node.name();
    pauses.sent(name);
    underWay.add(name);
    ObjectNode patch = patch(node, wanted);
    loop.beside(() -> {
      ApiResult answer;
      try {
        answer =
            term.isOn()
                ? api.patch(
                    NODES + ApiPath.encoded(name) + "/status", ApiServer.STRATEGIC_PATCH, patch)
                : new Unanswered("lost leadership");
      } catch (RuntimeException mistake) {
        answer = new Unanswered("internal error: " + mistake);
      }
      ApiResult came = answer;
      loop.post(() -> answered(name, came, written));
    });
  }

  private void answered(String name, ApiResult answer, Consumer<JsonNode> written) {
    underWay.remove(name);
    if (!term.isOn()) {
      return;
    }
    boolean news = pauses.answered(name, answer);
    if (answer instanceof Done(JsonNode body)) {
      problem = "";
      written.accept(body);
    } else if (!answer.isConflict() && !answer.isNotFound()) { // the watch shows the node of now
      listener.failed();
      problem = answer.isMissingPermission() ? answer.summary() : problem;
      if (news) {
        LOG.warn(
            "workload condition not written, retrying node={} reason=\"{}\"",
            name,
            answer.summary());
      }
    }
  }

  /** By its type, a condition leaves others alone; the uid rejects another node of that name. */
  private ObjectNode patch(WorkloadNode node, Shown wanted) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", node.uid());
    String now = WireTime.seconds(time.wallTime());
    ObjectNode condition =
        patch
            .putObject("status")
            .putArray("conditions")
            .addObject()
            .put("type", WorkloadNode.CONDITION)
            .put("status", wanted.status())
            .put("reason", wanted.reason())
            .put("message", wanted.message())
            .put("lastHeartbeatTime", now);
    Shown shown = node.shown();
    if (shown == null || !shown.status().equals(wanted.status())) {
      condition.put("lastTransitionTime", now);
    }
    return patch;
  }

  /** A node is gone. */
  void forget(String node) {
    pauses.forget(node);
  }

  /** {@return the missing permission; empty if none is known} */
  String problem() {
    return problem;
  }
}
