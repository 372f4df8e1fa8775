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
 * The leader's periodic work on monitored nodes: it sets conditions of nodes without an agent to
 * Unknown (B-6), and sets and removes taints (B-11). It checks before every write that it still
 * leads.
 */
public final class NodeLifecycle implements AutoCloseable {
  /** The name of the lease for leader election. */
  public static final String LEASE = "probelet-node-monitor";

  private static final Logger LOG = LoggerFactory.getLogger(NodeLifecycle.class);

  /** The most leases kept per round: more than a cluster has nodes, 5 MB. */
  private static final int MAX_LEASES = 20_000;

  /** A time with its zone. */
  private static final int MAX_TIME = 40;

  private static final int PAGE = 200;

  /** For longer the leases of a round are not believed: an agent may have come back meanwhile. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  /** The annotations of a lease are chosen by its writer and may have 250 KB. */
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

  /** Begins on the caller's loop. */
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
   * @param term the leadership during which it may write
   * @param round the time between rounds
   * @return the running work, to be closed when leadership ends
   */
  public static NodeLifecycle start(
      ApiServer api, String namespace, Leadership term, TimeSource time, Duration round) {
    SerialLoop loop =
        SerialLoop.startVirtual(
            time.threads(),
            "node-lifecycle",
            1, // its only task is its timer
            bug -> LOG.error("node-lifecycle: internal error, continuing", bug));
    return new NodeLifecycle(api, namespace, term, time, round, loop);
  }

  /** {@return the number of nodes with a taint from Probelet} */
  public int tainted() {
    return tainted;
  }

  /** {@return the number of nodes whose taint is held back by the limit} */
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
              if (spec.path("holderIdentity")
                      .asText()
                      .equals(name) // other leases belong to elections
                  && seen.size() < MAX_LEASES) {
                seen.put(
                    name,
                    new Lease(
                        ShortText.of(spec.path("renewTime").asText(), MAX_TIME),
                        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong())));
              }
            });
    if (!(answer instanceof Done)) {
      leaseExpiry.unread();
      trouble("cannot list agent leases: " + answer.summary());
      return;
    }
    if (seen.size() == MAX_LEASES) {
      trouble("at least %d agent leases; further ones are not read".formatted(MAX_LEASES));
    }
    long read = time.nanoTime();
    Map<String, Lease> gone = leaseExpiry.expired(seen, read);
    marked.retainAll(gone.keySet());
    gone.forEach((node, lease) -> {
      boolean fresh = time.nanoTime() - read < FRESH.toNanos(); // else in the next round
      if (!marked.contains(node) && fresh && term.isOn()) {
        markUnknown(node, lease);
      }
    });
  }

  private void markUnknown(String node, Lease lease) {
    String message = "Probelet agent has not renewed its lease since " + lease.renewed();
    ApiResult answer = new AbsentAgent(api, node).gone(message, time.wallTime());
    if (answer instanceof Done || answer.isNotFound()) {
      marked.add(node);
      LOG.warn(
          "agent gone, its node conditions are now Unknown node={} since={}",
          node,
          lease.renewed());
    } else {
      trouble("cannot set the conditions of " + node + " to Unknown: " + answer.summary());
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
      // The API server reports how many nodes the page leaves out.
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
      LOG.warn("taints changed node={} taints={}", name, taints);
    } else if (!answer.isConflict() && !answer.isNotFound()) { // the next round retries these
      trouble("cannot taint " + name + ": " + answer.summary());
    }
  }

  private void report(Map<String, List<String>> now) {
    now.forEach((node, why) -> {
      if (!why.equals(held.get(node))) {
        LOG.warn("taints held back node={} reason=\"{}\"", node, String.join("; ", why));
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

  /** Stops when leadership ends. */
  @Override
  public void close() {
    loop.close();
  }
}
