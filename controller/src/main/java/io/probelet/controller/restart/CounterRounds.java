package io.probelet.controller.restart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.controller.restart.EntryExpiry.Place;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
import io.probelet.kube.workload.RestartCounter;
import io.probelet.kube.workload.Workload;
import io.probelet.kube.workload.WorkloadBudget;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What only the leader does about the leases in which agents count restarts, in rounds (D-12): it
 * writes how many replicas a workload has, takes out what agents have left behind, and deletes
 * leases that are not needed. Asks before every write whether it still leads, and writes only what
 * is as it was read.
 */
final class CounterRounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CounterRounds.class);

  /** The leases of a round; beyond, a node that was taken over makes more than there are. */
  static final int MAX_LEASES = 2_000;

  /** Nodes with restarts in all leases together: a lease of 250 KB may name 8,000. */
  static final int MAX_PLACES = 50_000;

  private static final KeptFields FIELDS = KeptFields.of("/metadata/annotations");

  private static final int PAGE = 100;

  /** How long replicas that were read are believed while pods restart. */
  private static final Duration REPLICAS = Duration.ofSeconds(30);

  private final ApiServer api;
  private final String collection;
  private final Leadership term;
  private final TimeSource time;
  private final Duration round;
  private final SerialLoop loop;
  private final Alarm next;
  private final EntryExpiry expiry = new EntryExpiry();
  private final Map<String, Long> readAt = new HashMap<>();
  private volatile Map<WorkloadBudget, Integer> counts = Map.of();
  private String lastTrouble = "";
  private boolean trouble;

  /** Begins on a loop of the caller's. */
  CounterRounds(
      ApiServer api,
      String namespace,
      Leadership term,
      TimeSource time,
      Duration round,
      SerialLoop loop) {
    this.api = api;
    this.collection = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
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
  static CounterRounds start(
      ApiServer api, String namespace, Leadership term, TimeSource time, Duration round) {
    SerialLoop loop =
        SerialLoop.startVirtual(
            time.threads(),
            "restart-guard",
            1, // it has an alarm and no other task
            bug -> LOG.error("internal error in the restart guard, continuing", bug));
    return new CounterRounds(api, namespace, term, time, round, loop);
  }

  /** {@return how many pods there are in a budget, of all workloads that are counted} */
  int count(WorkloadBudget budget) {
    return counts.getOrDefault(budget, 0);
  }

  private void round() {
    loop.requireInLoop();
    trouble = false;
    try {
      Set<Place> places = new HashSet<>();
      Set<String> names = new HashSet<>();
      Map<WorkloadBudget, Integer> pods = new EnumMap<>(WorkloadBudget.class);
      Map<String, RestartCounter> counters = new TreeMap<>();
      ApiResult answer =
          ObjectList.read(
              api,
              new Selection("Lease", collection, "", RestartCounter.LABEL, PAGE),
              FIELDS,
              ObjectLimits.USUAL,
              lease -> take(lease, counters, places));
      if (!(answer instanceof Done)) {
        trouble("cannot list the restart leases: " + answer.summary());
        return;
      }
      for (Map.Entry<String, RestartCounter> each : counters.entrySet()) {
        names.add(each.getKey());
        int count = each.getValue().count();
        WorkloadBudget.of(each.getKey()).ifPresent(it -> pods.merge(it, count, Integer::sum));
        keep(each.getKey(), each.getValue());
      }
      expiry.retain(places);
      readAt.keySet().retainAll(names);
      counts = Map.copyOf(pods);
    } finally {
      if (!trouble) {
        lastTrouble = "";
      }
      next.set(round);
    }
  }

  private void take(ObjectNode lease, Map<String, RestartCounter> counters, Set<Place> places) {
    String name = lease.at("/metadata/name").asText();
    if (WorkloadBudget.of(name).isEmpty()) {
      return;
    }
    RestartCounter counter = RestartCounter.read(lease);
    int more = 1 + counter.restarting().size();
    if (counters.size() >= MAX_LEASES || places.size() + more > MAX_PLACES) {
      trouble(
          "more than %d restart leases or %d nodes in them; the rest is ignored"
              .formatted(MAX_LEASES, MAX_PLACES));
      return;
    }
    counters.put(name, counter);
    places.add(new Place(name, ""));
    counter.restarting().keySet().forEach(node -> places.add(new Place(name, node)));
  }

  /** At most one write for each lease and round: the next has another version to go by. */
  private void keep(String name, RestartCounter counter) {
    long now = time.nanoTime();
    Set<String> expired = expiry.expired(name, counter, now);
    if (expiry.isOver(name, counter, now)) {
      delete(name, counter);
    } else if (!expired.isEmpty()) {
      if (write(name, counter.withoutNodes(expired))) {
        LOG.warn(
            "nodes removed from the restart budget: entry not updated workload=\"{}\" nodes={} window_seconds={}",
            counter.workload().map(Workload::toString).orElse(name),
            expired,
            EntryExpiry.ENTRY.toSeconds());
      }
    } else if (!counter.restarting().isEmpty()) {
      counter.workload().ifPresent(workload -> replicas(name, counter, workload, now));
    }
  }

  private void replicas(String name, RestartCounter counter, Workload workload, long now) {
    Long read = readAt.get(name);
    boolean fresh = read != null && now - read < REPLICAS.toNanos();
    if (fresh && counter.replicas().isPresent()) {
      return;
    }
    ApiResult answer = api.get(workload.path());
    if (answer.isNotFound()
        || (answer instanceof Done(JsonNode other) && !workload.isUidOf(other))) {
      delete(name, counter); // D-12: whoever has an agent's token may count for any workload
    } else if (answer instanceof Done(JsonNode controller)) {
      OptionalInt replicas = workload.replicas(controller);
      if (replicas.isEmpty()) {
        return; // one that does not say
      }
      if (replicas.equals(counter.replicas())
          || write(name, counter.withReplicas(replicas.getAsInt()))) {
        readAt.put(name, now);
      }
    } else {
      trouble("cannot read " + workload + ": " + answer.summary());
    }
  }

  private boolean write(String name, ObjectNode patch) {
    if (!term.isOn()) {
      return false;
    }
    ApiResult answer = api.patch(collection + "/" + name, ApiServer.MERGE_PATCH, patch);
    if (!(answer instanceof Done) && !answer.isConflict() && !answer.isNotFound()) {
      trouble("cannot change the lease " + name + ": " + answer.summary());
    }
    return answer instanceof Done;
  }

  private void delete(String name, RestartCounter counter) {
    if (!term.isOn()) {
      return;
    }
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options
        .putObject("preconditions")
        .put("uid", counter.uid())
        .put("resourceVersion", counter.version());
    ApiResult answer = api.delete(collection + "/" + name, options);
    if (!(answer instanceof Done) && !answer.isConflict() && !answer.isNotFound()) {
      trouble("cannot delete the lease " + name + ": " + answer.summary());
    }
  }

  private void trouble(String what) {
    trouble = true;
    if (!what.equals(lastTrouble)) { // once, not every few seconds
      LOG.warn("restart-guard: {}", what);
    }
    lastTrouble = what;
  }

  /** Ends with the term. */
  @Override
  public void close() {
    loop.close();
  }
}
