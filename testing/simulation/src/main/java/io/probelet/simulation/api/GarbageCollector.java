package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Deletes objects whose owners are all gone, in the background. */
final class GarbageCollector {
  private static final Duration LAG = Duration.ofMillis(200);

  private final ApiKinds kinds;
  private final ObjectStore store;
  private final ObjectWrites writes;

  /** How many objects each owner has, by its uid. */
  private final Map<String, Integer> owned = new HashMap<>();

  private final DelayedTask collection;

  /**
   * Starts one.
   *
   * @param as runs a task under a name
   */
  GarbageCollector(
      Simulation world,
      ApiKinds kinds,
      ObjectStore store,
      ObjectWrites writes,
      BiConsumer<String, Runnable> as) {
    this.kinds = kinds;
    this.store = store;
    this.writes = writes;
    collection = new DelayedTask(world, LAG, () -> as.accept("garbage-collector", this::collect));
  }

  /** Plans a collection if an owner is gone, or if an object with owners was created. */
  void changed(ObjectStore.Change change) {
    ObjectNode before = change.before();
    ObjectNode after = change.after();
    if (before != null) {
      count(before, -1);
    }
    if (after != null) {
      count(after, 1);
    }
    boolean ownerIsGone =
        after == null && before != null && owned.getOrDefault(ObjectFields.uid(before), 0) > 0;
    if (ownerIsGone || (before == null && after != null && !owners(after).isEmpty())) {
      collection.plan();
    }
  }

  /** Counts again, after all objects were replaced. */
  void restored() {
    owned.clear();
    for (ApiKind kind : kinds.all()) {
      store.objects(kind.collection()).values().forEach(each -> count(each, 1));
    }
    collection.plan();
  }

  private void count(ObjectNode object, int more) {
    owners(object).forEach(owner -> owned.merge(owner.path("uid").asText(), more, Integer::sum));
  }

  private static JsonNode owners(ObjectNode object) {
    return object.path("metadata").path("ownerReferences");
  }

  private void collect() {
    Set<String> uids = new HashSet<>();
    for (ApiKind kind : kinds.all()) {
      store
          .objects(kind.collection())
          .values()
          .forEach(object -> uids.add(ObjectFields.uid(object)));
    }
    for (ApiKind kind : kinds.all()) {
      for (ObjectNode object : List.copyOf(store.objects(kind.collection()).values())) {
        if (isOrphan(object, uids) && !ObjectFields.isDeleting(object)) {
          ObjectNode options = JsonNodeFactory.instance.objectNode();
          options.putObject("preconditions").put("uid", ObjectFields.uid(object));
          var _ = writes.delete(kind, ResourcePath.of(kind, object), options);
        }
      }
    }
  }

  private static boolean isOrphan(ObjectNode object, Set<String> uids) {
    if (!(owners(object) instanceof ArrayNode list) || list.isEmpty()) {
      return false;
    }
    for (JsonNode owner : list) {
      if (uids.contains(owner.path("uid").asText())) {
        return false;
      }
    }
    return true;
  }
}
