package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/** The parts of the control plane that follow the objects. */
final class ControlPlane {
  private static final Duration EVENTS_LIVE = Duration.ofHours(1);
  private static final Duration HISTORY = Duration.ofMinutes(5);
  private static final Duration NAMESPACE_ROUND = Duration.ofSeconds(1);
  private static final String NAMESPACE_CONTROLLER = "namespace-controller";

  private final Simulation world;
  private final ApiKinds kinds;
  private final ObjectStore store;
  private final ObjectWrites writes;
  private final BiConsumer<String, Runnable> as;
  private final GarbageCollector garbage;
  private final DisruptionBudgets budgets;

  /**
   * Starts the parts.
   *
   * @param as runs a task under a name
   */
  @SuppressWarnings("this-escape")
  ControlPlane(
      Simulation world,
      ApiKinds kinds,
      ObjectStore store,
      ObjectWrites writes,
      BiConsumer<String, Runnable> as) {
    this.world = world;
    this.kinds = kinds;
    this.store = store;
    this.writes = writes;
    this.as = as;
    garbage = new GarbageCollector(world, kinds, store, writes, as);
    budgets = new DisruptionBudgets(world, store, as);
    store.listen(this::changed);
    planCompaction();
  }

  /** Looks at everything again, after etcd was restored from a backup. */
  void restored() {
    garbage.restored();
    for (ObjectNode namespace : store.objects(ApiKinds.NAMESPACES).values()) {
      if (ObjectFields.isDeleting(namespace)) {
        planEmptying(ObjectFields.name(namespace));
      }
    }
  }

  private void planCompaction() {
    long now = store.version();
    world.after(
        HISTORY,
        () -> {
          store.compact(now);
          planCompaction();
        });
  }

  private void changed(ObjectStore.Change change) {
    garbage.changed(change);
    budgets.changed(change);
    ObjectNode after = change.after();
    if (after != null && change.collection().equals(ApiKinds.EVENTS)) {
      world.after(EVENTS_LIVE, () -> expire(change, after));
    }
    if (after != null
        && change.collection().equals(ApiKinds.NAMESPACES)
        && ObjectFields.isDeleting(after)) {
      planEmptying(change.name());
    }
  }

  /** Removes an event unless it was written again. */
  @SuppressWarnings("ReferenceEquality") // stored objects are replaced, never changed
  private void expire(ObjectStore.Change change, ObjectNode event) {
    if (store.find(change.collection(), change.namespace(), change.name()) == event) {
      as.accept(
          "etcd",
          () -> store.write(change.collection(), change.namespace(), change.name(), event, null));
    }
  }

  private void planEmptying(String namespace) {
    world.after(NAMESPACE_ROUND, () -> as.accept(NAMESPACE_CONTROLLER, () -> empty(namespace)));
  }

  /** Deletes what is in a namespace, and finally the namespace. */
  private void empty(String namespace) {
    ObjectNode object = store.find(ApiKinds.NAMESPACES, "", namespace);
    if (object == null || !ObjectFields.isDeleting(object)) {
      return;
    }
    boolean isEmpty = true;
    for (ApiKind kind : kinds.all()) {
      for (ObjectNode each : List.copyOf(store.objects(kind.collection()).values())) {
        if (kind.namespaced() && ObjectFields.namespace(each).equals(namespace)) {
          isEmpty &=
              writes.delete(
                      kind, ResourcePath.of(kind, each), JsonNodeFactory.instance.objectNode())
                  == null;
        }
      }
    }
    if (isEmpty) {
      store.write(ApiKinds.NAMESPACES, "", namespace, object, null);
    } else {
      planEmptying(namespace);
    }
  }
}
