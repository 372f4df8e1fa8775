package io.probelet.fleet;

import com.fasterxml.jackson.core.JsonParser;
import io.probelet.fleet.FleetGap.Kind;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind as a watch shows them, and whether that is all there is. Of more than its
 * limits it keeps those that came first, and a namespace that is full leaves room for the others.
 * May be used by several threads.
 */
final class WatchedKind<T> implements Observer<Weighed<T>> {
  private static final int MAX_NAMED = 20;

  private static final String NO_API_SERVER =
      "the server answered 404 and is not a Kubernetes API server; check the server in the kubeconfig";

  private final String plural;
  private final String resource;
  private final String collection;
  private final boolean essential;
  private final Runnable changed;
  private final TreeMap<String, T> objects = new TreeMap<>();
  private final Shares shares;
  private final SkippedObjects skipped = new SkippedObjects();
  private final TreeSet<String> fullNamespaces = new TreeSet<>();
  private final TreeSet<String> fullNamespacesAgain = new TreeSet<>();
  private boolean listed;
  private boolean absent;
  private boolean full;
  private boolean fullAgain;
  private String refused = "";
  private String trouble = "";

  /**
   * Begins without any.
   *
   * @param plural what they are called, such as RemediationPolicies
   * @param resource what a right names, such as remediationpolicies.probelet.io
   * @param essential whether the verdict is unknown without them
   * @param limits the most that is kept
   * @param changed called when anything is different; returns at once
   */
  WatchedKind(
      String plural,
      String resource,
      String collection,
      boolean essential,
      Shares.Limits limits,
      Runnable changed) {
    this.plural = plural;
    this.resource = resource;
    this.collection = collection;
    this.essential = essential;
    this.shares = new Shares(limits);
    this.changed = changed;
  }

  /** {@return a format that skips objects for which there is no room} */
  Format<Weighed<T>> bounded(Format<Weighed<T>> format) {
    return new Format<>() {
      @Override
      public @Nullable Item<Weighed<T>> read(
          JsonParser object, Function<String, @Nullable Weighed<T>> before) throws IOException {
        Item<Weighed<T>> item = format.read(object, before);
        return item == null || hasRoomFor(item) ? item : null;
      }
    };
  }

  private synchronized boolean hasRoomFor(Item<Weighed<T>> item) {
    String key = item.key();
    Shares.Refusal refusal = shares.put(namespace(item), key, item.value().weight());
    if (refusal == Shares.Refusal.NONE) {
      return true;
    }
    if (objects.remove(key) != null) { // the known object is outdated
      shares.remove(namespace(item), key);
    }
    if (refusal == Shares.Refusal.ALL) {
      full = true;
      fullAgain = true;
    } else if (fullNamespaces.size() < MAX_NAMED) {
      fullNamespaces.add(FleetText.of(namespace(item), FleetText.NAME));
      fullNamespacesAgain.add(FleetText.of(namespace(item), FleetText.NAME));
    }
    return false;
  }

  private static String namespace(Item<?> item) {
    return item.namespace() == null ? "" : item.namespace();
  }

  @Override
  public void changed(Item<Weighed<T>> item) {
    synchronized (this) {
      objects.put(item.key(), item.value().value());
      skipped.remove(item.key());
      answered();
    }
    changed.run();
  }

  @Override
  public void gone(Item<Weighed<T>> item) {
    synchronized (this) {
      objects.remove(item.key());
      shares.remove(namespace(item), item.key());
      skipped.remove(item.key());
      answered();
    }
    changed.run();
  }

  @Override
  public void listed() {
    synchronized (this) {
      listed = true;
      skipped.listed();
      full = fullAgain; // what was refused before this list is gone, or was refused again
      fullAgain = false;
      fullNamespaces.retainAll(fullNamespacesAgain);
      fullNamespacesAgain.clear();
      answered();
    }
    changed.run();
  }

  @Override
  public void tooLarge(TooLarge object) {
    synchronized (this) {
      skipped.add(object);
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
      shares.clear();
      skipped.clear();
    }
    changed.run();
  }

  /**
   * Asks whether a broken watch will go on: it does so without a word, as nothing may happen for
   * long.
   */
  void recheck(ApiServer api) {
    if (isInterrupted() && api.get(collection + "?limit=1", KeptFields.of()) instanceof Done) {
      synchronized (this) {
        trouble = "";
      }
      changed.run();
    }
  }

  /** Every API server serves it, so a 404 comes from something else. */
  private boolean isBuiltIn() {
    return collection.startsWith("/api/v1/") || collection.startsWith("/apis/coordination.k8s.io/");
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
    return absent && !isBuiltIn();
  }

  /** {@return whether there was some answer} */
  synchronized boolean isSettled() {
    return listed || absent || !refused.isEmpty() || !trouble.isEmpty();
  }

  private synchronized boolean isInterrupted() {
    return listed && !absent && refused.isEmpty() && !trouble.isEmpty();
  }

  /** {@return what could not be read; empty if all was, or if there is no such kind} */
  synchronized Optional<FleetGap> gap() {
    if (absent) {
      return isBuiltIn() ? gap(Kind.UNREACHABLE, NO_API_SERVER) : Optional.empty();
    }
    if (!refused.isEmpty()) {
      return gap(
          Kind.FORBIDDEN,
          "requires permission: list and watch %s; %s was denied".formatted(resource, refused));
    }
    if (!trouble.isEmpty()) {
      return gap(Kind.UNREACHABLE, FleetText.of(trouble, FleetText.SENTENCE));
    }
    if (!listed) {
      return gap(Kind.PENDING, "not read yet");
    }
    List<String> why = new ArrayList<>();
    if (!skipped.text().isEmpty()) {
      why.add(skipped.text());
    }
    if (full) {
      why.add("more than the limit of %s".formatted(shares.text()));
    }
    if (!fullNamespaces.isEmpty()) {
      why.add(
          "more than the limit of %s per namespace in %s"
              .formatted(shares.textOfNamespace(), String.join(", ", fullNamespaces)));
    }
    return why.isEmpty()
        ? Optional.empty()
        : gap(
            skipped.text().isEmpty() ? Kind.TOO_MANY : Kind.TOO_LARGE,
            FleetText.of(String.join("; ", why), FleetText.SENTENCE));
  }

  private Optional<FleetGap> gap(Kind kind, String why) {
    return Optional.of(new FleetGap(plural, kind, why, essential));
  }
}
