package io.probelet.agent.fleet;

import com.fasterxml.jackson.core.JsonParser;
import io.probelet.agent.fleet.FleetGap.Kind;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind as a watch shows them, and whether that is all there is. Of more than its
 * bound it keeps those that came first. May be used by several threads.
 *
 * @param <T> what is kept of an object
 */
final class WatchedKind<T> implements Observer<T> {
  private final String plural;
  private final String resource;
  private final String collection;
  private final boolean essential;
  private final int max;
  private final Runnable changed;
  private final TreeMap<String, T> objects = new TreeMap<>();
  private boolean listed;
  private boolean absent;
  private boolean full;
  private String refused = "";
  private String trouble = "";

  /**
   * Begins without any.
   *
   * @param plural what they are called, such as RemediationPolicies
   * @param resource what a right names, such as remediationpolicies.probelet.io
   * @param collection the path of the objects
   * @param essential whether nobody can say that all is well without them
   * @param max the most that are kept
   * @param changed called when anything is different; returns at once
   */
  WatchedKind(
      String plural,
      String resource,
      String collection,
      boolean essential,
      int max,
      Runnable changed) {
    this.plural = plural;
    this.resource = resource;
    this.collection = collection;
    this.essential = essential;
    this.max = max;
    this.changed = changed;
  }

  /** {@return a format that passes over what there is no room for} */
  Format<T> bounded(Format<T> format) {
    return new Format<>() {
      @Override
      public @Nullable Item<T> read(JsonParser object, Function<String, @Nullable T> before)
          throws IOException {
        Item<T> item = format.read(object, before);
        return item == null || hasRoomFor(item) ? item : null;
      }
    };
  }

  private synchronized boolean hasRoomFor(Item<T> item) {
    boolean room = objects.size() < max || objects.containsKey(item.key());
    full |= !room;
    return room;
  }

  @Override
  public void changed(Item<T> item) {
    synchronized (this) {
      objects.put(item.key(), item.value());
      answered();
    }
    changed.run();
  }

  @Override
  public void gone(Item<T> item) {
    synchronized (this) {
      objects.remove(item.key());
      answered();
    }
    changed.run();
  }

  @Override
  public void listed() {
    synchronized (this) {
      listed = true;
      answered();
    }
    changed.run();
  }

  @Override
  public void bookmarked() {
    synchronized (this) {
      if (refused.isEmpty() && trouble.isEmpty()) {
        return;
      }
      answered();
    }
    changed.run();
  }

  @Override
  public void interrupted(String why) {
    synchronized (this) {
      trouble = why;
    }
    changed.run();
  }

  @Override
  public void refused(String verb) {
    synchronized (this) {
      refused = verb;
    }
    changed.run();
  }

  @Override
  public void unserved() {
    synchronized (this) {
      absent = true;
      listed = false;
      objects.clear();
    }
    changed.run();
  }

  /**
   * Asks whether a broken watch will go on: it does so without a word, as nothing may happen for
   * long.
   */
  void recheck(ApiServer api) {
    if (isInterrupted() && api.get(collection + "?limit=1") instanceof Done) {
      synchronized (this) {
        trouble = "";
      }
      changed.run();
    }
  }

  private void answered() {
    trouble = "";
    refused = "";
    absent = false;
  }

  /** {@return the objects by namespace and name} */
  synchronized List<T> all() {
    return List.copyOf(objects.values());
  }

  /** {@return an object in no namespace; empty if there is none of that name} */
  synchronized Optional<T> find(String name) {
    return Optional.ofNullable(objects.get(name));
  }

  String plural() {
    return plural;
  }

  synchronized boolean isAbsent() {
    return absent;
  }

  /** {@return whether there was some answer} */
  synchronized boolean isSettled() {
    return listed || absent || !refused.isEmpty() || !trouble.isEmpty();
  }

  private synchronized boolean isInterrupted() {
    return listed && !absent && refused.isEmpty() && !trouble.isEmpty();
  }

  /** {@return what is not known; empty if all is, or if there is no such kind} */
  synchronized Optional<FleetGap> gap() {
    if (absent) {
      return Optional.empty();
    }
    if (!refused.isEmpty()) {
      return gap(
          Kind.FORBIDDEN,
          "not allowed: it takes the rights list and watch on %s, and %s was refused"
              .formatted(resource, refused));
    }
    if (!trouble.isEmpty()) {
      return gap(Kind.UNREACHABLE, FleetText.of(trouble, FleetText.SENTENCE));
    }
    if (!listed) {
      return gap(Kind.PENDING, "not read yet");
    }
    return full
        ? gap(Kind.TOO_MANY, "there are more than " + max + ", which is all that is kept")
        : Optional.empty();
  }

  private Optional<FleetGap> gap(Kind kind, String why) {
    return Optional.of(new FleetGap(plural, kind, why, essential));
  }
}
