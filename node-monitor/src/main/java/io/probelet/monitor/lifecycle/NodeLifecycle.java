package io.probelet.monitor.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.ShortText;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
import io.probelet.monitor.lifecycle.LeaseExpiry.Lease;
import io.probelet.monitor.publish.AbsentAgent;
import io.probelet.monitor.publish.NodeTaints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What only one agent of a cluster does about watched nodes, in rounds: it says of nodes whose
 * agent is gone that nobody knows (B-6), and sets and removes taints (B-11). Asks before every
 * write whether it still leads.
 */
public final class NodeLifecycle implements AutoCloseable {
  /** The name of the lease by which one of all controllers leads. */
  public static final String LEASE = "probelet-node-monitor";

  private static final Logger LOG = LoggerFactory.getLogger(NodeLifecycle.class);

  /** Leases that are kept in a round: more than nodes that a cluster has, 5 MB. */
  private static final int MAX_LEASES = 20_000;

  /** A time with its zone. */
  private static final int MAX_TIME = 40;

  private static final int PAGE = 200;

  /** Annotations of a lease are its writer's, and may have 250 KB. */
  private static final KeptFields LEASE_FIELDS =
      KeptFields.of("/spec/holderIdentity", "/spec/renewTime", "/spec/leaseDurationSeconds");

  private static final KeptFields COUNT_FIELDS =
      KeptFields.of("/metadata/remainingItemCount", "/items/metadata/name");

  private final ApiServer api;
  private final String leases;
  private final Leadership term;
  private final TimeSource time;
  private final Duration round;
  private final LeaseExpiry leaseExpiry = new LeaseExpiry();
  private final Set<String> marked = new HashSet<>();
  private final SerialLoop loop;
  private final Alarm next;
  private volatile int tainted;
  private volatile Map<String, List<String>> held = Map.of();
  private String lastTrouble = "";

  /** Begins on a loop of the caller's. */
  NodeLifecycle(
      ApiServer api,
      String namespace,
      Leadership term,
      TimeSource time,
      Duration round,
      SerialLoop loop) {
    this.api = api;
    this.leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    this.term = term;
    this.time = time;
    this.round = round;
    this.loop = loop;
    this.next = loop.alarm(this::round);
    next.set(Duration.ZERO);
  }

  /**
   * Begins.
   *
   * @param term for how long it may write
   * @param round from one round to the next
   * @return what was begun, to be closed at the end of the term
   */
  public static NodeLifecycle start(
      ApiServer api, String namespace, Leadership term, TimeSource time, Duration round) {
    SerialLoop loop =
        SerialLoop.start(
            Thread.ofVirtual().name("node-lifecycle").factory(),
            1, // it has an alarm and no other task
            bug -> LOG.error("node-lifecycle: a round failed", bug));
    return new NodeLifecycle(api, namespace, term, time, round, loop);
  }

  /** {@return how many nodes have a taint of ours} */
  public int tainted() {
    return tainted;
  }

  /** {@return how many nodes would have a taint if more nodes were allowed to} */
  public int held() {
    return held.size();
  }

  private void round() {
    loop.requireInLoop();
    try {
      agents();
      taints();
    } finally {
      next.set(round);
    }
  }

  private void agents() {
    Map<String, Lease> seen = new HashMap<>();
    ApiResult answer =
        ObjectList.read(
            api,
            Selection.all("Lease", leases),
            LEASE_FIELDS,
            ObjectLimits.USUAL,
            lease -> {
              String name = lease.at("/metadata/name").asText();
              JsonNode spec = lease.path("spec");
              if (spec.path("holderIdentity").asText().equals(name) // others are elections'
                  && seen.size() < MAX_LEASES) {
                seen.put(
                    name,
                    new Lease(
                        ShortText.of(spec.path("renewTime").asText(), MAX_TIME),
                        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong())));
              }
            });
    if (!(answer instanceof Done)) {
      trouble("cannot list the leases of agents: " + answer.summary());
      return;
    }
    if (seen.size() == MAX_LEASES) {
      trouble(
          "there are %d leases of agents or more; further ones are not read".formatted(MAX_LEASES));
    }
    Map<String, Lease> gone = leaseExpiry.expired(seen, time.nanoTime());
    marked.retainAll(gone.keySet());
    gone.forEach((node, lease) -> {
      if (!marked.contains(node) && term.isOn()) {
        markUnknown(node, lease);
      }
    });
  }

  private void markUnknown(String node, Lease lease) {
    String message = "the agent of this node has not been heard since " + lease.renewed();
    ApiResult answer = new AbsentAgent(api, node).gone(message, time.wallTime());
    if (answer instanceof Done || answer.isNotFound()) {
      marked.add(node);
      LOG.warn("node={} agent=gone since={}", node, lease.renewed());
    } else {
      trouble("cannot say that the agent of " + node + " is gone: " + answer.summary());
    }
  }

  private void taints() {
    Map<String, JsonNode> objects = new LinkedHashMap<>();
    List<TaintRules.Node> nodes = new ArrayList<>();
    ApiResult answer =
        ObjectList.read(
            api,
            new Selection("Node", "/api/v1/nodes", "", NodeTaints.LABEL, PAGE),
            NodeTaints.FIELDS,
            ObjectLimits.USUAL,
            node -> {
              String name = node.at("/metadata/name").asText();
              objects.put(name, node);
              nodes.add(
                  new TaintRules.Node(
                      name,
                      NodeTaints.wanted(node),
                      NodeTaints.ours(node),
                      NodeTaints.theirs(node)));
            });
    if (!(answer instanceof Done)) {
      trouble("cannot list nodes: " + answer.summary());
      return;
    }
    if (!nodes.isEmpty()) {
      ApiResult first = api.get("/api/v1/nodes?limit=1", COUNT_FIELDS);
      if (!(first instanceof Done(JsonNode some))) {
        trouble("cannot count nodes: " + first.summary());
        return;
      }
      // Nobody else counts for us: the API server says how many it has left out.
      int total = some.path("items").size() + some.at("/metadata/remainingItemCount").asInt();
      TaintRules.Decision decision = TaintRules.decide(nodes, total);
      objects.forEach((name, node) -> {
        Set<String> taints = decision.taints().get(name);
        if (taints != null) {
          write(name, node, taints);
        }
      });
      report(decision.held());
    } else {
      report(Map.of());
    }
    tainted = (int) nodes.stream().filter(node -> !node.ours().isEmpty()).count();
  }

  private void write(String name, JsonNode node, Set<String> taints) {
    if (!term.isOn()) {
      return;
    }
    ApiResult answer =
        api.patch("/api/v1/nodes/" + name, ApiServer.MERGE_PATCH, NodeTaints.change(node, taints));
    if (answer instanceof Done) {
      LOG.warn("node={} taints={}", name, taints);
    } else if (!answer.isConflict() && !answer.isNotFound()) { // those are reconciled again anyway
      trouble("cannot taint " + name + ": " + answer.summary());
    }
  }

  private void report(Map<String, List<String>> now) {
    now.forEach((node, why) -> {
      if (!why.equals(held.get(node))) {
        LOG.warn("node={} not tainted with {}", node, String.join("; ", why));
      }
    });
    held = now;
    lastTrouble = "";
  }

  private void trouble(String what) {
    if (!what.equals(lastTrouble)) {
      LOG.warn("node-lifecycle: {}", what);
    }
    lastTrouble = what;
  }

  /** Ends with the term. */
  @Override
  public void close() {
    loop.close();
  }
}
