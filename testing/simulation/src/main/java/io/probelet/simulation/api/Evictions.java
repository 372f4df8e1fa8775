package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.WireTime;
import io.probelet.simulation.kernel.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evictions of pods, as far as the disruption budgets allow them. */
final class Evictions {
  private static final Duration STALE_BUDGET = Duration.ofSeconds(10);

  private final ApiKinds kinds;
  private final ObjectStore store;
  private final ObjectWrites writes;
  private final Machine machine;

  Evictions(ApiKinds kinds, ObjectStore store, ObjectWrites writes, Machine machine) {
    this.kinds = kinds;
    this.store = store;
    this.writes = writes;
    this.machine = machine;
  }

  /** Deletes the pod unless a budget forbids it. */
  ObjectNode evict(ApiKind pods, ResourcePath path, JsonNode eviction) {
    ResourcePath target = path.named(path.name());
    ObjectNode pod = writes.get(pods, target);
    JsonNode options = eviction.path("deleteOptions");
    if (!isExempt(pod)) {
      spend(pod);
    }
    var _ = writes.delete(pods, target, options);
    return ApiAnswer.status("Success").put("code", 201);
  }

  private static boolean isExempt(ObjectNode pod) {
    return ObjectFields.isFinished(pod)
        || ObjectFields.isDeleting(pod)
        || pod.at("/status/phase").asText().equals("Pending");
  }

  private void spend(ObjectNode pod) {
    ObjectNode budget = budget(pod);
    if (budget == null || mayBeUnhealthy(pod, budget)) {
      return;
    }
    JsonNode status = budget.path("status");
    String name = ObjectFields.name(budget);
    String what = "Cannot evict pod as it would violate the pod's disruption budget.";
    if (status.path("observedGeneration").asLong() < budget.at("/metadata/generation").asLong()) {
      throw new RefusedRequest(429, "TooManyRequests", what, STALE_BUDGET)
          .because(
              "DisruptionBudget",
              "The disruption budget %s is still being processed by the server.".formatted(name));
    }
    if (status.path("disruptionsAllowed").asLong() <= 0) {
      throw new RefusedRequest(429, "TooManyRequests", what)
          .because(
              "DisruptionBudget",
              "The disruption budget %s needs %d healthy pods and has %d currently"
                  .formatted(
                      name,
                      status.path("desiredHealthy").asLong(),
                      status.path("currentHealthy").asLong()));
    }
    ObjectNode after = budget.deepCopy();
    ObjectNode spent = after.withObject("/status");
    spent.put("disruptionsAllowed", status.path("disruptionsAllowed").asLong() - 1);
    spent
        .withObject("/disruptedPods")
        .put(ObjectFields.name(pod), WireTime.seconds(machine.wall()));
    store.write(ApiKinds.BUDGETS, ObjectFields.namespace(budget), name, budget, after);
  }

  /** {@return the pod's budget; null if it has none} */
  private @Nullable ObjectNode budget(ObjectNode pod) {
    List<ObjectNode> found = new ArrayList<>();
    if (kinds.find(ApiKinds.BUDGETS) == null) {
      return null;
    }
    for (Map.Entry<String, ObjectNode> each : store.objects(ApiKinds.BUDGETS).entrySet()) {
      ObjectNode budget = each.getValue();
      if (ObjectFields.namespace(budget).equals(ObjectFields.namespace(pod))
          && Selector.of(budget.at("/spec/selector")).matches(pod)) {
        found.add(budget);
      }
    }
    if (found.size() > 1) {
      throw new RefusedRequest(
          500,
          "InternalError",
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  /** {@return whether a pod that is not ready may be evicted without spending from the budget} */
  private static boolean mayBeUnhealthy(ObjectNode pod, ObjectNode budget) {
    if (DisruptionBudgets.isReady(pod)) {
      return false;
    }
    JsonNode status = budget.path("status");
    return budget.at("/spec/unhealthyPodEvictionPolicy").asText().equals("AlwaysAllow")
        || (status.path("desiredHealthy").asLong() > 0
            && status.path("currentHealthy").asLong() >= status.path("desiredHealthy").asLong());
  }
}
