package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The status of disruption budgets, as kube-controller-manager keeps it up to date a moment after a
 * change of pods.
 */
final class DisruptionBudgets {
  private static final Duration LAG = Duration.ofMillis(50);
  private static final double PERCENT = 100;

  private final ObjectStore store;
  private final DelayedTask sync;

  /**
   * Starts one.
   *
   * @param as runs a task under a name
   */
  DisruptionBudgets(Simulation world, ObjectStore store, BiConsumer<String, Runnable> as) {
    this.store = store;
    sync = new DelayedTask(world, LAG, () -> as.accept("disruption-controller", this::sync));
  }

  static boolean isReady(JsonNode pod) {
    return ObjectFields.condition(pod, "Ready").filter("True"::equals).isPresent();
  }

  /** Plans an update if pods or budgets changed. */
  void changed(ObjectStore.Change change) {
    boolean relevant =
        change.collection().equals(ApiKinds.PODS) || change.collection().equals(ApiKinds.BUDGETS);
    if (relevant && !store.objects(ApiKinds.BUDGETS).isEmpty()) {
      sync.plan();
    }
  }

  /** Writes the statuses that are out of date. */
  private void sync() {
    for (ObjectNode budget : List.copyOf(store.objects(ApiKinds.BUDGETS).values())) {
      ObjectNode status = status(budget);
      if (!status.equals(budget.path("status"))) {
        ObjectNode after = budget.deepCopy();
        after.set("status", status);
        store.write(
            ApiKinds.BUDGETS,
            ObjectFields.namespace(budget),
            ObjectFields.name(budget),
            budget,
            after);
      }
    }
  }

  private ObjectNode status(ObjectNode budget) {
    String namespace = ObjectFields.namespace(budget);
    Selector selector = Selector.of(budget.at("/spec/selector"));
    List<ObjectNode> pods = new ArrayList<>();
    for (ObjectNode pod : store.objects(ApiKinds.PODS).values()) {
      if (ObjectFields.namespace(pod).equals(namespace)
          && selector.matches(pod)
          && !ObjectFields.isFinished(pod)) {
        pods.add(pod);
      }
    }
    JsonNode disrupted = budget.at("/status/disruptedPods");
    long healthy = 0;
    ObjectNode going = budget.objectNode();
    for (ObjectNode pod : pods) {
      String name = ObjectFields.name(pod);
      boolean deleting = ObjectFields.isDeleting(pod);
      if (disrupted.has(name) && !deleting) {
        going.set(name, disrupted.path(name));
      } else if (isReady(pod) && !deleting) {
        healthy++;
      }
    }
    long expected = expected(namespace, pods);
    long desired = desired(budget, expected);
    ObjectNode status = budget.objectNode();
    status
        .put("observedGeneration", budget.at("/metadata/generation").asInt())
        .put("disruptionsAllowed", (int) Math.max(0, healthy - desired))
        .put("currentHealthy", (int) healthy)
        .put("desiredHealthy", (int) desired)
        .put("expectedPods", (int) expected);
    if (!going.isEmpty()) {
      status.set("disruptedPods", going);
    }
    return status;
  }

  /** The replicas that the pods' owners want; a pod without such an owner counts as one. */
  private long expected(String namespace, List<ObjectNode> pods) {
    Set<String> counted = new HashSet<>();
    long expected = 0;
    for (ObjectNode pod : pods) {
      JsonNode owner = pod.at("/metadata/ownerReferences/0");
      String collection =
          "/apis/%s/%ss"
              .formatted(
                  owner.path("apiVersion").asText(),
                  owner.path("kind").asText().toLowerCase(Locale.ROOT));
      ObjectNode found = store.find(collection, namespace, owner.path("name").asText());
      JsonNode replicas = found == null ? owner.path("none") : found.at("/spec/replicas");
      if (!replicas.isNumber()) {
        expected++;
      } else if (counted.add(owner.path("uid").asText())) {
        expected += replicas.asLong();
      }
    }
    return expected;
  }

  private static long desired(ObjectNode budget, long expected) {
    JsonNode least = budget.at("/spec/minAvailable");
    JsonNode most = budget.at("/spec/maxUnavailable");
    return least.isMissingNode()
        ? Math.max(0, expected - scaled(most, expected))
        : scaled(least, expected);
  }

  /** A number, or a percentage rounded up. */
  private static long scaled(JsonNode value, long total) {
    return value.isTextual()
        ? (long) Math.ceil(Double.parseDouble(value.textValue().replace("%", "")) * total / PERCENT)
        : value.asLong();
  }
}
