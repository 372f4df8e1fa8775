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

/** Deletes objects whose owners are all gone, in the background. */
final class GarbageCollector {
  /** The name under which it writes. */
  static final String NAME = "garbage-collector";

  private static final String UID = "uid";
  private static final Duration LAG = Duration.ofMillis(200);

  private final Simulation world;
  private final ApiKinds kinds;
  private final ObjectStore store;
  private final ObjectWrites writes;

  /** How many objects each owner has, by its uid. */
  private final Map<String, Integer> owned = new HashMap<>();

  private boolean planned;

  GarbageCollector(Simulation world, ApiKinds kinds, ObjectStore store, ObjectWrites writes) {
    this.world = world;
    this.kinds = kinds;
    this.store = store;
    this.writes = writes;
  }

  /** Looks at a change: an object that owns others is gone, or one has come that has owners. */
  void changed(ObjectStore.Change change, Runnable writing) {
    ObjectNode before = change.before();
    ObjectNode after = change.after();
    if (before != null) {
      owners(before).forEach(owner -> owned.merge(owner.path(UID).asText(), -1, Integer::sum));
    }
    if (after != null) {
      owners(after).forEach(owner -> owned.merge(owner.path(UID).asText(), 1, Integer::sum));
    }
    boolean ownerIsGone =
        after == null
            && before != null
            && owned.getOrDefault(before.path("metadata").path(UID).asText(), 0) > 0;
    if (ownerIsGone || (before == null && after != null && !owners(after).isEmpty())) {
      plan(writing);
    }
  }

  /** Counts again, after all objects were replaced. */
  void restored(Runnable writing) {
    owned.clear();
    for (ApiKind kind : kinds.all()) {
      for (ObjectNode each : store.objects(kind.collection()).values()) {
        owners(each).forEach(owner -> owned.merge(owner.path(UID).asText(), 1, Integer::sum));
      }
    }
    plan(writing);
  }

  private void plan(Runnable writing) {
    if (!planned) {
      planned = true;
      world.after(
          LAG,
          () -> {
            planned = false;
            writing.run();
          });
    }
  }

  private static JsonNode owners(ObjectNode object) {
    return object.path("metadata").path("ownerReferences");
  }

  /** Deletes the garbage that there is now. */
  void collect() {
    Set<String> uids = new HashSet<>();
    for (ApiKind kind : kinds.all()) {
      store
          .objects(kind.collection())
          .values()
          .forEach(object -> uids.add(object.path("metadata").path(UID).asText()));
    }
    for (ApiKind kind : kinds.all()) {
      for (Map.Entry<String, ObjectNode> each :
          List.copyOf(store.objects(kind.collection()).entrySet())) {
        ObjectNode object = each.getValue();
        if (isOrphan(object, uids) && !object.path("metadata").has("deletionTimestamp")) {
          ObjectNode options = JsonNodeFactory.instance.objectNode();
          options.putObject("preconditions").set(UID, object.path("metadata").path(UID));
          var _ =
              writes.delete(
                  kind,
                  new ResourcePath(
                      kind.root(),
                      kind.plural(),
                      object.at("/metadata/namespace").asText(),
                      object.at("/metadata/name").asText(),
                      ""),
                  options);
        }
      }
    }
  }

  private static boolean isOrphan(ObjectNode object, Set<String> uids) {
    if (!(owners(object) instanceof ArrayNode list) || list.isEmpty()) {
      return false;
    }
    for (JsonNode owner : list) {
      if (uids.contains(owner.path(UID).asText())) {
        return false;
      }
    }
    return true;
  }
}
