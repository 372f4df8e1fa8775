package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The objects that rounds check (CH-51). Each selection is watched from the first round that needs
 * it to the first that does not. If a watch has no current results, the objects are listed. Used by
 * one thread; any thread may close it.
 */
final class ClusterObjects implements AutoCloseable {
  /** Selections beyond this number are listed in each round. */
  static final int MAX_WATCHES = 32;

  /** Selections whose objects exceed this number are listed in each round. */
  static final int MAX_OBJECTS = 30_000;

  /** Delay before another attempt to watch. */
  static final Duration HOPELESS = Duration.ofMinutes(10);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ClusterReader reader;
  private final ApiServer api;
  private final TimeSource time;
  private final RandomGenerator random;
  private final AtomicInteger room;
  private final Map<Selected, FollowedObjects> followed = new ConcurrentHashMap<>();
  private volatile boolean closed;

  // Used only on the thread of the rounds.
  private final Map<Selected, Long> hopelessSince = new HashMap<>();
  private final Set<Selected> asked = new HashSet<>();

  /** The selection of a list or watch; an empty namespace means all. */
  private record Selected(
      Class<? extends HasMetadata> kind, String namespace, LabelSelector selector) {
    String collection() {
      return ApiPath.root(HasMetadata.getApiVersion(kind))
          + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
          + "/"
          + HasMetadata.getPlural(kind);
    }
  }

  ClusterObjects(KubernetesClient client, TimeSource time, RandomGenerator random) {
    this(client, time, random, MAX_OBJECTS);
  }

  ClusterObjects(KubernetesClient client, TimeSource time, RandomGenerator random, int max) {
    this.reader = new ClusterReader(client, time.threads());
    this.api = ApiServer.of(client, TIMEOUT, time.threads());
    this.time = time;
    this.random = random;
    this.room = new AtomicInteger(max);
  }

  /**
   * Passes the verdict on each object.
   *
   * @param namespaces the namespaces; empty for all, and for cluster-scoped kinds
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the objects cannot be read
   */
  void each(
      Class<? extends HasMetadata> kind,
      List<String> namespaces,
      LabelSelector selector,
      Consumer<? super ObjectVerdict> taker) {
    for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
      Selected selected = new Selected(kind, namespace, selector);
      FollowedObjects watched = follow(selected);
      if (watched == null || !watched.each(taker)) {
        reader.each(
            kind,
            namespace.isEmpty() ? List.of() : List.of(namespace),
            selector,
            object -> taker.accept(ObjectVerdict.of(object)),
            large -> taker.accept(ObjectVerdict.tooLarge(HasMetadata.getKind(kind), large)));
      }
    }
  }

  private @Nullable FollowedObjects follow(Selected selected) {
    asked.add(selected);
    FollowedObjects watched = followed.get(selected);
    if (watched != null) {
      return watched;
    }
    if (followed.size() >= MAX_WATCHES || hopelessSince.containsKey(selected)) {
      return null;
    }
    FollowedObjects begun =
        new FollowedObjects(
            api,
            selected.kind(),
            selected.collection(),
            selected.selector().query(),
            room,
            time,
            random);
    followed.put(selected, begun);
    if (closed) {
      begun.close();
    }
    return begun;
  }

  /** Stops watches that this round did not need, and those that failed for good. */
  void roundEnded() {
    long now = time.nanoTime();
    hopelessSince.values().removeIf(since -> now - since >= HOPELESS.toNanos());
    hopelessSince.keySet().retainAll(asked);
    followed.forEach((selected, watched) -> {
      if (watched.isHopeless()) {
        hopelessSince.put(selected, now);
      }
      if (watched.isHopeless() || !asked.contains(selected)) {
        watched.close();
        followed.remove(selected);
      }
    });
    asked.clear();
  }

  /** {@return the number of watches} */
  int watches() {
    return followed.size();
  }

  @Override
  public void close() {
    closed = true;
    followed.values().forEach(FollowedObjects::close);
  }
}
