package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects and their recent past, as etcd and the watch cache before it hold them: one version
 * counts all writes. Stored objects are never changed, only replaced.
 */
final class ObjectStore {
  /** Real clusters have a past. */
  private static final long FIRST_VERSION = 1000;

  /** As with the option of etcd that the Kubernetes documentation gives. */
  private static final long BUMP = 1_000_000_000;

  private final Map<String, Collection> collections = new TreeMap<>();
  private final List<Consumer<Change>> listeners = new ArrayList<>();
  private long version = FIRST_VERSION;

  /** Changes up to this version are no longer in etcd. */
  private long compacted = FIRST_VERSION;

  /** Changes up to this version are not in the watch cache. */
  private long cachedSince = FIRST_VERSION;

  private static final class Collection {
    private final NavigableMap<String, ObjectNode> objects = new TreeMap<>();
    private final Deque<Change> changes = new ArrayDeque<>();
    private final Map<String, Text> texts = new HashMap<>();
  }

  /** An object's JSON, kept so that all its readers share one serialization. */
  private record Text(ObjectNode object, String json) {}

  /**
   * A write.
   *
   * @param before null if the object was created
   * @param after null if it was deleted
   */
  record Change(
      long version,
      String collection,
      String namespace,
      String name,
      @Nullable ObjectNode before,
      @Nullable ObjectNode after) {}

  /** All objects at a moment. */
  record Snapshot(long version, Map<String, NavigableMap<String, ObjectNode>> objects) {}

  /** Adds a listener to all writes. */
  void listen(Consumer<Change> listener) {
    listeners.add(listener);
  }

  long version() {
    return version;
  }

  private Collection collection(String path) {
    return collections.computeIfAbsent(path, _ -> new Collection());
  }

  static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  @Nullable ObjectNode find(String collection, String namespace, String name) {
    return collection(collection).objects.get(key(namespace, name));
  }

  /** {@return a stored object as JSON} */
  @SuppressWarnings("ReferenceEquality") // stored objects are replaced, never changed
  String json(String collection, ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    String key = key(metadata.path("namespace").asText(""), metadata.path("name").asText());
    Collection found = collection(collection);
    Text known = found.texts.get(key);
    if (known == null || known.object() != object) {
      known = new Text(object, object.toString());
      if (found.objects.get(key) == object) {
        found.texts.put(key, known);
      }
    }
    return known.json();
  }

  /** {@return the objects of a collection by {@link #key}} */
  NavigableMap<String, ObjectNode> objects(String collection) {
    return Collections.unmodifiableNavigableMap(collection(collection).objects);
  }

  /**
   * {@return the objects that a collection had at an earlier version}
   *
   * @throws RefusedRequest if that was forgotten
   */
  NavigableMap<String, ObjectNode> objectsAt(String collection, long then) {
    if (then < compacted || then > version) {
      throw RefusedRequest.expired(
          "The provided continue parameter is too old to display a consistent list result. You can"
              + " start a new list without the continue parameter.");
    }
    Collection found = collection(collection);
    NavigableMap<String, ObjectNode> objects = new TreeMap<>(found.objects);
    Iterator<Change> newestFirst = found.changes.descendingIterator();
    while (newestFirst.hasNext()) {
      Change change = newestFirst.next();
      if (change.version() <= then) {
        break;
      }
      String key = key(change.namespace(), change.name());
      if (change.before() == null) {
        objects.remove(key);
      } else {
        objects.put(key, change.before());
      }
    }
    return objects;
  }

  /**
   * Creates, replaces or deletes an object.
   *
   * @param after gets the new version; null to delete
   */
  void write(
      String collection,
      String namespace,
      String name,
      @Nullable ObjectNode before,
      @Nullable ObjectNode after) {
    version++;
    Collection found = collection(collection);
    if (after == null) {
      found.objects.remove(key(namespace, name));
      found.texts.remove(key(namespace, name));
    } else {
      after.withObject("/metadata").put("resourceVersion", Long.toString(version));
      found.objects.put(key(namespace, name), after);
    }
    Change change = new Change(version, collection, namespace, name, before, after);
    found.changes.add(change);
    List.copyOf(listeners).forEach(listener -> listener.accept(change));
  }

  /**
   * {@return the changes of a collection after a version, the oldest first}
   *
   * @throws RefusedRequest if they were forgotten
   */
  List<Change> since(String collection, long then) {
    if (then < Math.max(compacted, cachedSince)) {
      throw RefusedRequest.expired(
          "too old resource version: %d (%d)".formatted(then, Math.max(compacted, cachedSince)));
    }
    return collection(collection).changes.stream()
        .filter(change -> change.version() > then)
        .toList();
  }

  /** Forgets what changed up to a version. */
  void compact(long upTo) {
    compacted = Math.max(compacted, Math.min(upTo, version));
    for (Collection each : collections.values()) {
      while (!each.changes.isEmpty() && each.changes.getFirst().version() <= compacted) {
        each.changes.removeFirst();
      }
    }
  }

  /** Loses the watch cache, as at a restart. */
  void forgetCache() {
    cachedSince = version;
  }

  Snapshot snapshot() {
    Map<String, NavigableMap<String, ObjectNode>> objects = new TreeMap<>();
    collections.forEach((path, each) -> objects.put(path, new TreeMap<>(each.objects)));
    return new Snapshot(version, objects);
  }

  /**
   * Goes back to a snapshot.
   *
   * @param bumped whether versions go on far behind all that were given, instead of back
   */
  void restore(Snapshot snapshot, boolean bumped) {
    collections.clear();
    snapshot.objects().forEach((path, objects) -> collection(path).objects.putAll(objects));
    version = bumped ? version + BUMP : snapshot.version();
    compacted = version;
    cachedSince = version;
  }
}
