package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Deletes objects whose owners are all gone, in the background. */
final class GarbageCollector {
  /** The name under which it writes. */
  static final String NAME = "garbage-collector";

  private static final Duration LAG = Duration.ofMillis(200);

  private final Simulation world;
  private final ApiKinds kinds;
  private final ObjectStore store;
  private final ObjectWrites writes;
  private boolean planned;

  GarbageCollector(Simulation world, ApiKinds kinds, ObjectStore store, ObjectWrites writes) {
    this.world = world;
    this.kinds = kinds;
    this.store = store;
    this.writes = writes;
  }

  /** Looks at a change: an object is gone, or one has come whose owner may be gone. */
  void changed(ObjectStore.Change change, Runnable writing) {
    ObjectNode after = change.after();
    boolean relevant = after == null || (change.before() == null && !owners(after).isEmpty());
    if (relevant && !planned) {
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
    return object.at("/metadata/ownerReferences");
  }

  /** Deletes the garbage that there is now. */
  void collect() {
    Set<String> uids = new HashSet<>();
    for (ApiKind kind : kinds.all()) {
      store
          .objects(kind.collection())
          .values()
          .forEach(object -> uids.add(object.at("/metadata/uid").asText()));
    }
    for (ApiKind kind : kinds.all()) {
      for (Map.Entry<String, ObjectNode> each :
          List.copyOf(store.objects(kind.collection()).entrySet())) {
        ObjectNode object = each.getValue();
        if (isOrphan(object, uids) && !object.path("metadata").has("deletionTimestamp")) {
          ObjectNode options = JsonNodeFactory.instance.objectNode();
          options.putObject("preconditions").set("uid", object.at("/metadata/uid"));
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
      if (uids.contains(owner.path("uid").asText())) {
        return false;
      }
    }
    return true;
  }
}
