package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the kinds of templates and remediations that NodeHealthChecks name, from when one names
 * them until none does. Lives on the loop's thread.
 */
final class KindWatches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KindWatches.class);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);
  private static final Duration ASK_AGAIN = Duration.ofSeconds(2);

  private final ApiServer api;
  private final Executor requests;
  private final Loop loop;
  private final TimeSource time;
  private final Observer observer;
  private final Map<Kind.Name, Entry> entries = new HashMap<>();
  private final Map<Kind.Name, Kind> known = new ConcurrentHashMap<>();

  /** Told what happens, on the loop's thread. */
  interface Observer {
    void changed(Kind kind, JsonNode object);

    void gone(Kind kind, JsonNode object);

    /** The kind has been listed, was found missing, or is not watched any more. */
    void settled(Kind.Name kind);
  }

  /** What is known of a kind. */
  sealed interface State {
    /** Nobody knows yet. */
    record Looking() implements State {}

    /** The API server does not serve it. */
    record Missing(String why) implements State {}

    /** We lack a right that is needed for it. */
    record Forbidden(String why) implements State {}

    /** All its objects are known. */
    record Known(Kind kind) implements State {}
  }

  private static final class Entry {
    private @Nullable ResourceWatch<JsonNode> watch;
    private @Nullable Kind kind;
    private @Nullable String missing;
    private @Nullable MissingRight lacking;

    State state() {
      if (lacking != null) {
        return new State.Forbidden(lacking.advice());
      }
      if (missing != null) {
        return new State.Missing(missing);
      }
      return kind == null ? new State.Looking() : new State.Known(kind);
    }

    void stop() {
      if (watch != null) {
        watch.close();
        watch = null;
      }
      kind = null;
    }
  }

  KindWatches(ApiServer api, Executor requests, Loop loop, TimeSource time, Observer observer) {
    this.api = api;
    this.requests = requests;
    this.loop = loop;
    this.time = time;
    this.observer = observer;
  }

  /** Says which kinds are named now. */
  void want(Set<Kind.Name> wanted) {
    for (Kind.Name kind : new HashSet<>(entries.keySet())) {
      if (!wanted.contains(kind)) {
        LOG.info("kind={} apiVersion={} not watched any more", kind.kind(), kind.apiVersion());
        Objects.requireNonNull(entries.remove(kind)).stop();
        known.remove(kind);
        observer.settled(kind);
      }
    }
    for (Kind.Name kind : wanted) {
      if (!entries.containsKey(kind)) {
        LOG.info("kind={} apiVersion={} watched from now on", kind.kind(), kind.apiVersion());
        Entry entry = new Entry();
        entries.put(kind, entry);
        look(kind, entry);
      }
    }
  }

  State state(Kind.Name kind) {
    Entry entry = entries.get(kind);
    return entry == null ? new State.Looking() : entry.state();
  }

  /** The kind, if all of its objects are known. May be asked by any thread. */
  Optional<Kind> known(Kind.Name kind) {
    return Optional.ofNullable(known.get(kind));
  }

  @Override
  public void close() {
    entries.values().forEach(Entry::stop);
    entries.clear();
  }

  /** Takes that a request was refused for want of a right. */
  void refused(MissingRight right) {
    Kind.Name name = name(right.kind());
    Entry entry = entries.get(name);
    if (entry != null) {
      lack(name, entry, right);
    }
  }

  /** what cannot be watched is not known any more; what cannot be changed still is. */
  private void lack(Kind.Name name, Entry entry, MissingRight right) {
    if (right.isForWatching()) {
      entry.stop();
      known.remove(name);
    }
    if (entry.lacking == null) {
      LOG.warn("kind={} apiVersion={} {}", name.kind(), name.apiVersion(), right.advice());
    }
    entry.lacking = right;
    observer.settled(name);
    askLater(name, entry, right);
  }

  private void askLater(Kind.Name name, Entry entry, MissingRight right) {
    loop.postAfter(
        ASK_AGAIN,
        () ->
            requests.execute(() -> {
              MissingRight.Verdict verdict = right.ask(api);
              loop.post(() -> {
                if (entries.get(name) == entry && right.equals(entry.lacking)) {
                  heard(name, entry, right, verdict);
                }
              });
            }));
  }

  private void heard(
      Kind.Name name, Entry entry, MissingRight right, MissingRight.Verdict verdict) {
    switch (verdict) {
      case MISSING -> askLater(name, entry, right);
      case GRANTED -> resume(name, entry);
      case UNKNOWN -> // who cannot say lets us try, but not so often
          loop.postAfter(
              LOOK_AGAIN,
              () -> {
                if (entries.get(name) == entry && right.equals(entry.lacking)) {
                  resume(name, entry);
                }
              });
    }
  }

  /** What is not watched stays as it is until it has been listed. */
  private void resume(Kind.Name name, Entry entry) {
    if (entry.watch == null) {
      look(name, entry);
    } else {
      entry.lacking = null;
      observer.settled(name);
    }
  }

  private void look(Kind.Name kind, Entry entry) {
    requests.execute(() -> {
      ApiResult answer = api.get(Kind.root(kind.apiVersion()));
      loop.post(() -> {
        if (entries.get(kind) == entry) {
          found(kind, entry, answer);
        }
      });
    });
  }

  private void found(Kind.Name name, Entry entry, ApiResult answer) {
    Kind kind = answer instanceof Done(JsonNode list) ? find(name, list) : null;
    if (kind != null) {
      entry.watch =
          ResourceWatch.start(
              api,
              Selection.all(kind.kind(), kind.collection(null)),
              new TreeFormat(kind),
              new Forwarder(kind, entry),
              time);
      return;
    }
    if (answer instanceof Done || answer.isNotFound()) {
      miss(name, entry, "the API server does not know kind " + name.kind());
    }
    loop.postAfter(
        LOOK_AGAIN,
        () -> {
          if (entries.get(name) == entry && entry.watch == null) {
            look(name, entry);
          }
        });
  }

  private void miss(Kind.Name name, Entry entry, String why) {
    if (entry.missing == null) {
      entry.missing = why;
      entry.lacking = null;
      known.remove(name);
      LOG.warn("kind={} apiVersion={} missing", name.kind(), name.apiVersion());
      observer.settled(name);
    }
  }

  private static Kind.Name name(Kind kind) {
    return new Kind.Name(kind.apiVersion(), kind.kind());
  }

  private static @Nullable Kind find(Kind.Name name, JsonNode list) {
    for (JsonNode resource : list.path("resources")) {
      String plural = resource.path("name").asText();
      if (resource.path("kind").asText().equals(name.kind()) && plural.indexOf('/') < 0) {
        return new Kind(
            name.apiVersion(), name.kind(), plural, resource.path("namespaced").asBoolean());
      }
    }
    return null;
  }

  private final class Forwarder implements io.probelet.kube.watch.Observer<JsonNode> {
    private final Kind kind;
    private final Entry entry;

    Forwarder(Kind kind, Entry entry) {
      this.kind = kind;
      this.entry = entry;
    }

    private record Key(Kind kind, @Nullable String namespace, String name) {}

    @Override
    public void changed(Item<JsonNode> object) {
      loop.post(
          new Key(kind, object.namespace(), object.name()),
          () -> ifCurrent(() -> observer.changed(kind, object.value())));
    }

    @Override
    public void gone(Item<JsonNode> object) {
      // Not in place of a waiting change: that may be of another object of the same name.
      loop.post(() -> ifCurrent(() -> observer.gone(kind, object.value())));
    }

    @Override
    public void listed() {
      loop.post(() ->
          ifCurrent(() -> {
            entry.kind = kind;
            entry.missing = null;
            if (entry.lacking != null && entry.lacking.isForWatching()) {
              entry.lacking = null;
            }
            known.put(name(kind), kind);
            observer.settled(name(kind));
          }));
    }

    @Override
    public void refused(String verb) {
      loop.post(() -> ifCurrent(() -> lack(name(kind), entry, new MissingRight(kind, verb, null))));
    }

    @Override
    public void unserved() {
      loop.post(() ->
          ifCurrent(() -> {
            entry.stop();
            miss(name(kind), entry, "the API server serves kind " + kind.kind() + " no more");
            look(name(kind), entry);
          }));
    }

    private void ifCurrent(Runnable task) {
      if (entries.get(name(kind)) == entry) {
        task.run();
      }
    }
  }
}
