package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The status of disruption budgets, as kube-controller-manager keeps it up to date a moment after a
 * change of pods.
 */
final class DisruptionBudgets {
  /** The name under which it writes. */
  static final String NAME = "disruption-controller";

  private static final Duration LAG = Duration.ofMillis(50);
  private static final double PERCENT = 100;

  private final Simulation world;
  private final ObjectStore store;
  private boolean planned;

  DisruptionBudgets(Simulation world, ObjectStore store) {
    this.world = world;
    this.store = store;
  }

  /** {@return whether a pod serves} */
  static boolean isReady(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /** Looks at a change. */
  void changed(ObjectStore.Change change, Runnable writing) {
    boolean relevant =
        change.collection().equals(ApiKinds.PODS) || change.collection().equals(ApiKinds.BUDGETS);
    if (!relevant || planned || store.objects(ApiKinds.BUDGETS).isEmpty()) {
      return;
    }
    planned = true;
    world.after(
        LAG,
        () -> {
          planned = false;
          writing.run();
        });
  }

  /** Writes the statuses that are not right. */
  void sync() {
    for (ObjectNode budget : List.copyOf(store.objects(ApiKinds.BUDGETS).values())) {
      ObjectNode status = status(budget);
      if (!status.equals(budget.path("status"))) {
        ObjectNode after = budget.deepCopy();
        after.set("status", status);
        store.write(
            ApiKinds.BUDGETS,
            budget.at("/metadata/namespace").asText(),
            budget.at("/metadata/name").asText(),
            budget,
            after);
      }
    }
  }

  private ObjectNode status(ObjectNode budget) {
    Selector selector = Selector.of(budget.at("/spec/selector"));
    List<ObjectNode> pods = new ArrayList<>();
    for (ObjectNode pod : store.objects(ApiKinds.PODS).values()) {
      String phase = pod.at("/status/phase").asText();
      if (pod.at("/metadata/namespace").equals(budget.at("/metadata/namespace"))
          && selector.matches(pod)
          && !phase.equals("Succeeded")
          && !phase.equals("Failed")) {
        pods.add(pod);
      }
    }
    JsonNode disrupted = budget.at("/status/disruptedPods");
    long healthy = 0;
    ObjectNode going = budget.objectNode();
    for (ObjectNode pod : pods) {
      String name = pod.at("/metadata/name").asText();
      boolean deleting = pod.path("metadata").has("deletionTimestamp");
      if (disrupted.has(name) && !deleting) {
        going.set(name, disrupted.path(name));
      } else if (isReady(pod) && !deleting) {
        healthy++;
      }
    }
    long expected = expected(budget, pods);
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

  /** The replicas wanted of the pods' owners; of pods without one, those that there are. */
  private long expected(ObjectNode budget, List<ObjectNode> pods) {
    String namespace = budget.at("/metadata/namespace").asText();
    Set<String> counted = new HashSet<>();
    long expected = 0;
    for (ObjectNode pod : pods) {
      JsonNode owner = pod.at("/metadata/ownerReferences/0");
      String collection =
          "/apis/%s/%ss"
              .formatted(
                  owner.path("apiVersion").asText(),
                  owner.path("kind").asText().toLowerCase(java.util.Locale.ROOT));
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
