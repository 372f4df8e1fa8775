package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.ReconcileLoop.WatchFeed;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.KindState;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the kinds of templates and remediations that NodeHealthChecks name, as long as one names
 * them. Used only on the loop's thread.
 */
final class KindWatches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KindWatches.class);
  private static final Duration DISCOVERY_INTERVAL =
      Duration.ofSeconds(15); // a missing kind may be installed at any time
  private static final Duration REVIEW_INTERVAL =
      Duration.ofSeconds(2); // a missing permission may be granted

  /** Kinds that need not be installed. */
  private static final Set<Kind.Name> OPTIONAL =
      Set.of(Kind.POLICY.name(), Kind.MAINTENANCE.name());

  private final ApiServer api;
  private final ReconcileLoop loop;
  private final TimeSource time;
  private final RandomGenerator random;
  private final Listener listener;
  private final Map<Kind.Name, Entry> entries = new HashMap<>();
  private final Map<Kind.Name, Kind> known = new ConcurrentHashMap<>();

  /** Receives changes, on the loop's thread. */
  interface Listener {
    void changed(JsonNode object);

    void gone(JsonNode object);

    /** The kind was listed, found missing, or is no longer watched. */
    void settled(Kind.Name kind);
  }

  private static final class Entry {
    private @Nullable ResourceWatch<JsonNode> watch;
    private @Nullable Kind kind;
    private @Nullable String missing;
    private @Nullable MissingPermission missingPermission;

    KindState state() {
      if (missingPermission != null) {
        return new TemplateLookup.Forbidden(missingPermission.advice());
      }
      if (missing != null) {
        return new TemplateLookup.Missing(missing);
      }
      return kind == null ? new KindState.Pending() : new KindState.Known(kind.namespaced());
    }

    void stop() {
      if (watch != null) {
        watch.close();
        watch = null;
      }
      kind = null;
    }
  }

  KindWatches(
      ApiServer api,
      ReconcileLoop loop,
      TimeSource time,
      RandomGenerator random,
      Listener listener) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.random = random;
    this.listener = listener;
  }

  /** Watches exactly these kinds. */
  void watch(Set<Kind.Name> wanted) {
    for (Kind.Name kind : new HashSet<>(entries.keySet())) {
      if (!wanted.contains(kind)) {
        LOG.info("watch stopped kind={} apiVersion={}", kind.kind(), kind.apiVersion());
        Objects.requireNonNull(entries.remove(kind)).stop();
        known.remove(kind);
        listener.settled(kind);
      }
    }
    for (Kind.Name kind : wanted) {
      if (!entries.containsKey(kind)) {
        LOG.info("watch started kind={} apiVersion={}", kind.kind(), kind.apiVersion());
        Entry entry = new Entry();
        entries.put(kind, entry);
        discover(kind, entry);
      }
    }
  }

  /** Lists a kind again, and watches it from then on. */
  void relist(Kind.Name kind) {
    Set<Kind.Name> wanted = new HashSet<>(entries.keySet());
    if (wanted.remove(kind)) {
      watch(wanted);
      wanted.add(kind);
      watch(wanted);
    }
  }

  KindState state(Kind.Name kind) {
    Entry entry = entries.get(kind);
    return entry == null ? new KindState.Pending() : entry.state();
  }

  /** Returns the kind if all of its objects are known. May be called from any thread. */
  Optional<Kind> known(Kind.Name kind) {
    return Optional.ofNullable(known.get(kind));
  }

  @Override
  public void close() {
    entries.values().forEach(Entry::stop);
    entries.clear();
  }

  /** Records that a request was denied because a permission is missing. */
  void forbidden(MissingPermission permission) {
    Kind.Name name = name(permission.kind());
    Entry entry = entries.get(name);
    if (entry != null) {
      withhold(name, entry, permission);
    }
  }

  /** a kind that cannot be watched is unknown; one that cannot be written is still known. */
  private void withhold(Kind.Name name, Entry entry, MissingPermission permission) {
    if (permission.isForWatching()) {
      entry.stop();
      known.remove(name);
    }
    if (entry.missingPermission == null) {
      LOG.warn(
          "kind cannot be used kind={} apiVersion={} reason=\"{}\"",
          name.kind(),
          name.apiVersion(),
          permission.advice());
    }
    entry.missingPermission = permission;
    listener.settled(name);
    reviewLater(name, entry, permission);
  }

  private void reviewLater(Kind.Name name, Entry entry, MissingPermission permission) {
    loop.postAfter(
        REVIEW_INTERVAL,
        () ->
            loop.beside(() -> {
              MissingPermission.Review review = permission.ask(api);
              loop.post(() -> {
                if (entries.get(name) == entry && permission.equals(entry.missingPermission)) {
                  reviewed(name, entry, permission, review);
                }
              });
            }));
  }

  private void reviewed(
      Kind.Name name, Entry entry, MissingPermission permission, MissingPermission.Review review) {
    switch (review) {
      case MISSING -> reviewLater(name, entry, permission);
      case GRANTED -> resume(name, entry);
      case UNKNOWN -> // without an answer it is retried, but less often
          loop.postAfter(
              DISCOVERY_INTERVAL,
              () -> {
                if (entries.get(name) == entry && permission.equals(entry.missingPermission)) {
                  resume(name, entry);
                }
              });
    }
  }

  /** A kind keeps its state until it has been listed. */
  private void resume(Kind.Name name, Entry entry) {
    if (entry.watch == null) {
      discover(name, entry);
    } else {
      entry.missingPermission = null;
      listener.settled(name);
    }
  }

  private void discover(Kind.Name kind, Entry entry) {
    loop.beside(() -> {
      ApiResult answer = api.get(ApiPath.root(kind.apiVersion()));
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
              kind.format(),
              new Feed(kind, entry),
              time,
              random);
      return;
    }
    if (answer instanceof Done || answer.isNotFound()) {
      missing(name, entry, "the API server does not know kind " + name.kind());
    }
    loop.postAfter(
        DISCOVERY_INTERVAL,
        () -> {
          if (entries.get(name) == entry && entry.watch == null) {
            discover(name, entry);
          }
        });
  }

  private void missing(Kind.Name name, Entry entry, String why) {
    if (entry.missing == null) {
      entry.missing = why;
      entry.missingPermission = null;
      known.remove(name);
      if (OPTIONAL.contains(name)) {
        LOG.info(
            "optional kind not installed kind={} apiVersion={}", name.kind(), name.apiVersion());
      } else {
        LOG.warn(
            "kind not available kind={} apiVersion={} reason=\"{}\"",
            name.kind(),
            name.apiVersion(),
            why);
      }
      listener.settled(name);
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

  /** The watch of a kind applies until the kind is no longer needed. */
  private final class Feed extends WatchFeed<JsonNode> {
    private final Kind kind;
    private final Entry entry;

    Feed(Kind kind, Entry entry) {
      super(
          loop,
          kind,
          object -> ifCurrent(kind, entry, () -> listener.changed(object.value())),
          object -> ifCurrent(kind, entry, () -> listener.gone(object.value())),
          () -> ifCurrent(kind, entry, () -> complete(kind, entry)));
      this.kind = kind;
      this.entry = entry;
    }

    @Override
    public void refused(String verb) {
      MissingPermission permission = new MissingPermission(kind, verb, null);
      loop.post(() -> ifCurrent(kind, entry, () -> withhold(name(kind), entry, permission)));
    }

    @Override
    public void unserved() {
      loop.post(() -> ifCurrent(kind, entry, () -> vanished(kind, entry)));
    }
  }

  private void ifCurrent(Kind kind, Entry entry, Runnable task) {
    if (entries.get(name(kind)) == entry) {
      task.run();
    }
  }

  private void complete(Kind kind, Entry entry) {
    entry.kind = kind;
    entry.missing = null;
    if (entry.missingPermission != null && entry.missingPermission.isForWatching()) {
      entry.missingPermission = null;
    }
    known.put(name(kind), kind);
    listener.settled(name(kind));
  }

  private void vanished(Kind kind, Entry entry) {
    entry.stop();
    missing(name(kind), entry, "the API server no longer serves kind " + kind.kind());
    discover(name(kind), entry);
  }
}
