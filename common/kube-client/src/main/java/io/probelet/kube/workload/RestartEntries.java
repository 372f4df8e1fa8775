package io.probelet.kube.workload;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Adds pods of one node to the leases of their workloads, and removes them (D-9): each time it
 * reads the lease and writes only if it has not changed. Has no state of its own.
 */
public final class RestartEntries {
  /** The most attempts; each may conflict with a change by another, who then made progress. */
  private static final int MAX_ATTEMPTS = 5;

  /** No further attempt after this time. */
  private static final Duration DEADLINE = Duration.ofSeconds(2);

  private final CounterStore store;
  private final String node;
  private final TimeSource time;
  private final WorkloadBudget budget;

  /** The result of adding a pod. */
  public sealed interface Entry {
    /**
     * The pod was added.
     *
     * @param here all listed pods of this node
     */
    record In(List<String> here) implements Entry {}

    /** Too many pods are already restarting. */
    record Held(String why, List<String> here) implements Entry {}

    /** The number of replicas is not known yet. */
    record ReplicasUnknown() implements Entry {}

    /** Unknown; the pod may have been added. */
    record Failed(ApiResult failure) implements Entry {}
  }

  /** Creates an instance without a request. */
  public RestartEntries(CounterStore store, String node, TimeSource time) {
    this(store, node, time, WorkloadBudget.RESTARTS);
  }

  /** Creates an instance for a budget, without a request. */
  public RestartEntries(CounterStore store, String node, TimeSource time, WorkloadBudget budget) {
    this.store = store;
    this.node = node;
    this.time = time;
    this.budget = budget;
  }

  /** {@return whether a node name is valid for entries: it becomes part of an annotation key} */
  public boolean fits() {
    return node.length() <= RestartCounter.MAX_NODE_CHARS;
  }

  /**
   * Adds a pod if it may restart now. Blocks for a few requests.
   *
   * @param percent the share of replicas that may restart at once, 1 to 99
   * @param anyway whether it restarts even beyond that share
   */
  public Entry enter(Workload workload, String pod, int percent, boolean anyway) {
    List<String> here = List.of();
    long begun = time.nanoTime();
    for (int attempt = 0; mayTry(attempt, begun); attempt++) {
      ApiResult answer = store.read(workload.lease(budget));
      ApiResult written;
      if (answer.isNotFound()) {
        here = List.of();
        written =
            store.create(RestartCounter.created(workload, budget, store.namespace(), node, pod));
      } else if (answer instanceof Done(var lease)) {
        RestartCounter counter = RestartCounter.read(lease);
        here = counter.on(node);
        switch (RestartRules.decide(counter, node, pod, percent)) {
          case IN -> {
            return new Entry.In(here);
          }
          case HOLD -> {
            if (!anyway || here.size() >= RestartCounter.MAX_PODS) {
              return held(workload, counter, anyway, percent);
            }
          }
          case REPLICAS_UNKNOWN -> {
            if (!anyway) {
              return new Entry.ReplicasUnknown();
            }
          }
          case ENTER -> {}
        }
        written = store.patch(workload.lease(budget), counter.with(node, pod));
      } else {
        return new Entry.Failed(answer);
      }
      if (written instanceof Done(var lease)) {
        return new Entry.In(RestartCounter.read(lease).on(node));
      }
      if (!written.isConflict() && !written.isNotFound()) {
        return new Entry.Failed(written);
      }
    }
    return new Entry.Held("other pods of " + workload + " are starting to " + budget.verb(), here);
  }

  private boolean mayTry(int attempt, long begun) {
    return attempt < MAX_ATTEMPTS && (attempt == 0 || time.nanoTime() - begun < DEADLINE.toNanos());
  }

  private Entry held(Workload workload, RestartCounter counter, boolean anyway, int percent) {
    List<String> here = counter.on(node);
    if (anyway) {
      return new Entry.In(here); // the lease has no room for the entry
    }
    OptionalInt replicas = counter.replicas();
    return new Entry.Held(
        replicas.isEmpty() || counter.count() + 1 <= RestartRules.most(replicas.getAsInt(), percent)
            ? "%d pods of %s are already %s on this node"
                .formatted(here.size(), workload, budget.doing())
            : "%d of %d replicas of %s are already %s in the cluster"
                .formatted(counter.count(), replicas.getAsInt(), workload, budget.doing()),
        here);
  }

  /**
   * Removes pods. Blocks for a few requests.
   *
   * @param pods their names; missing ones are ignored
   * @return the failure; empty if they were removed
   */
  public Optional<ApiResult> leave(Workload workload, Set<String> pods) {
    ApiResult written = new Unanswered("not sent yet");
    long begun = time.nanoTime();
    for (int attempt = 0; mayTry(attempt, begun); attempt++) {
      ApiResult answer = store.read(workload.lease(budget));
      if (answer.isNotFound()) {
        return Optional.empty();
      }
      if (!(answer instanceof Done(var lease))) {
        return Optional.of(answer);
      }
      RestartCounter counter = RestartCounter.read(lease);
      if (counter.on(node).stream().noneMatch(pods::contains)) {
        return Optional.empty();
      }
      written = store.patch(workload.lease(budget), counter.without(node, pods));
      if (written instanceof Done) {
        return Optional.empty();
      }
      if (!written.isConflict() && !written.isNotFound()) {
        return Optional.of(written);
      }
    }
    return Optional.of(written);
  }
}
