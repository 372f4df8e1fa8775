package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ObjectWatch.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stores objects of any kind like an API server: each change has a version, conflicts are rejected,
 * finalizers hold deleted objects, and watches receive missed changes. It does not validate: there
 * are no schemas, and a status may be written with the rest.
 */
final class ObjectStore {
  private final TimeSource time;
  private final Map<String, NavigableMap<String, ObjectNode>> collections = new HashMap<>();
  private final List<Change> history = new ArrayList<>();
  private final List<ObjectWatch> watches = new ArrayList<>();
  private long version = 100;
  private long oldest;

  ObjectStore(TimeSource time) {
    this.time = time;
  }

  /** Creates or replaces an object without checks, and sets its version. */
  synchronized void put(ObjectPath path, ObjectNode object) {
    ObjectNode before = objects(path).get(path.key());
    touch(path, object, before);
    store(path, before, object.deepCopy());
  }

  synchronized @Nullable ObjectNode find(ObjectPath path) {
    ObjectNode object = objects(path).get(path.key());
    return object == null ? null : object.deepCopy();
  }

  synchronized ObjectNode get(ObjectPath path) {
    ObjectNode object = find(path);
    if (object == null) {
      throw new RefusedRequest(404, path.collection() + " \"" + path.name() + "\" not found");
    }
    return object;
  }

  synchronized ObjectNode create(ObjectPath collection, ObjectNode object) {
    ObjectNode metadata = object.withObject("metadata");
    if (!metadata.has("name") && metadata.has("generateName")) {
      metadata.put("name", metadata.path("generateName").asText() + version);
    }
    if (!metadata.has("name")) {
      return object; // such as a review: answered but not stored
    }
    if (!collection.namespace().isEmpty()) {
      metadata.put("namespace", collection.namespace());
    }
    ObjectPath path = collection.named(metadata.path("name").asText());
    if (objects(path).containsKey(path.key())) {
      throw new RefusedRequest(409, path.collection() + " \"" + path.name() + "\" already exists");
    }
    touch(path, object, null);
    store(path, null, object);
    return object.deepCopy();
  }

  synchronized ObjectNode replace(ObjectPath path, ObjectNode object) {
    return change(path, get(path), object);
  }

  synchronized ObjectNode patch(ObjectPath path, String type, JsonNode patch) {
    ObjectNode before = find(path);
    if (before == null && type.startsWith("application/apply-patch") && patch.has("metadata")) {
      return create(path.named(""), (ObjectNode) patch);
    }
    before = get(path);
    return change(path, before, ObjectPatch.apply(type, patch, before));
  }

  private ObjectNode change(ObjectPath path, ObjectNode before, ObjectNode wanted) {
    for (String fixed : new String[] {"resourceVersion", "uid"}) {
      requireSame(wanted.path("metadata").path(fixed), before.path("metadata").path(fixed));
    }
    ObjectNode after = wanted;
    if (path.subresource().equals("status")) {
      after = before.deepCopy();
      after.set("metadata", wanted.path("metadata"));
      after.set("status", wanted.path("status"));
    }
    for (String fixed : new String[] {"resourceVersion", "uid", "creationTimestamp"}) {
      after.withObject("metadata").set(fixed, before.path("metadata").path(fixed));
    }
    if (after.equals(before)) {
      return before;
    }
    ObjectPath object = path.named(path.name());
    touch(object, after, before);
    boolean held = !before.at("/metadata/finalizers").isEmpty();
    boolean let = held && after.at("/metadata/finalizers").isEmpty();
    boolean deleted = let && after.at("/metadata/deletionTimestamp").isTextual();
    store(object, before, deleted ? null : after);
    return after.deepCopy();
  }

  /** Deletes an object; returns it if finalizers hold it, otherwise null. */
  synchronized @Nullable ObjectNode delete(ObjectPath path, JsonNode preconditions) {
    ObjectNode before = get(path);
    preconditions
        .properties()
        .forEach(each -> requireSame(each.getValue(), before.path("metadata").path(each.getKey())));
    if (before.at("/metadata/finalizers").isEmpty()) {
      version++;
      store(path, before, null);
      return null;
    }
    ObjectNode held = before.deepCopy();
    held.withObject("metadata").put("deletionTimestamp", WireTime.seconds(time.wallTime()));
    return change(path, before, held);
  }

  private static void requireSame(JsonNode wanted, JsonNode found) {
    if (wanted.isTextual() && !wanted.asText().isEmpty() && !wanted.equals(found)) {
      throw new RefusedRequest(409, "the object has been modified: %s".formatted(found));
    }
  }

  /**
   * A page of the matching objects.
   *
   * @param after the continue token of the previous page; empty for the first. All pages have the
   *     version of the first: watches report later changes.
   */
  synchronized ObjectNode list(ObjectPath path, ObjectSelector selector, String after, int limit) {
    int split = after.indexOf(' ');
    String from = after.substring(split + 1);
    String listed = split < 0 ? Long.toString(version) : after.substring(0, split);
    ObjectNode list = JsonNodeFactory.instance.objectNode().put("kind", "List");
    ObjectNode metadata = list.put("apiVersion", "v1").putObject("metadata");
    metadata.put("resourceVersion", listed);
    ArrayNode items = list.putArray("items");
    String last = from;
    int remaining = 0;
    for (var entry : objects(path).tailMap(from, false).entrySet()) {
      if (!entry.getKey().startsWith(path.namespace().isEmpty() ? "" : path.namespace() + "/")
          || !selector.matches(entry.getValue())) {
        continue;
      }
      if (items.size() < limit) {
        items.add(entry.getValue().deepCopy());
        last = entry.getKey();
      } else {
        remaining++;
      }
    }
    if (remaining > 0) {
      metadata.put("continue", listed + " " + last);
      if (selector.isAll()) {
        metadata.put("remainingItemCount", remaining);
      }
    }
    return list;
  }

  /** Begins a watch with the changes since a version; 0 begins with all objects. */
  synchronized ObjectWatch watch(
      ObjectPath path, ObjectSelector selector, long since, boolean protobuf) {
    if (since > 0 && since < oldest) {
      throw new RefusedRequest(410, "too old resource version: " + since);
    }
    ObjectWatch watch = new ObjectWatch(path, selector, protobuf);
    if (since == 0) {
      list(path, selector, "", Integer.MAX_VALUE)
          .path("items")
          .forEach(item -> watch.tell("ADDED", item));
    }
    history.stream().filter(each -> since > 0 && each.version() > since).forEach(watch::changed);
    watches.add(watch);
    return watch;
  }

  synchronized void ended(ObjectWatch watch) {
    watches.remove(watch);
  }

  synchronized int openWatches() {
    return watches.size();
  }

  /** Ends all watches; all are closed when this returns. */
  synchronized void endWatches() {
    watches.forEach(ObjectWatch::end);
    watches.clear();
  }

  /** Does the same within an event. */
  synchronized void cutWatches() {
    watches.forEach(ObjectWatch::cut);
    watches.clear();
  }

  /** Sends all watches an event that is not a change of an object. */
  synchronized void tellWatches(String type, ObjectNode object) {
    watches.forEach(watch -> watch.tell(type, object));
  }

  /** Advances the version without changes; returns the last. */
  synchronized long pass(int versions) {
    return version += versions;
  }

  /** Expires all earlier versions: watches from them are rejected. */
  synchronized void compact() {
    oldest = ++version;
    history.clear();
  }

  /** Sets the next version, and the fields assigned at creation. */
  private void touch(ObjectPath path, ObjectNode object, @Nullable ObjectNode before) {
    ObjectNode metadata = object.withObject("metadata");
    metadata.put("resourceVersion", Long.toString(++version));
    JsonNode first = before == null ? newborn(path) : before.path("metadata");
    for (String fixed : new String[] {"uid", "creationTimestamp"}) {
      if (!metadata.has(fixed)) {
        metadata.set(fixed, first.path(fixed));
      }
    }
  }

  private ObjectNode newborn(ObjectPath path) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("uid", path.name() + "-" + version)
        .put("creationTimestamp", WireTime.seconds(time.wallTime()));
  }

  private void store(ObjectPath path, @Nullable ObjectNode before, @Nullable ObjectNode after) {
    if (after == null) {
      objects(path).remove(path.key());
    } else {
      objects(path).put(path.key(), after);
    }
    Change change = new Change(version, path, before, after);
    history.add(change);
    watches.forEach(watch -> watch.changed(change));
  }

  private NavigableMap<String, ObjectNode> objects(ObjectPath path) {
    return collections.computeIfAbsent(path.collection(), _ -> new TreeMap<>());
  }
}
