package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects that checks need, each once for all checks that ask for it while it is fresh: a
 * database that five hundred objects depend on is one request, not five hundred at once (CH-49).
 */
final class SharedReads {
  private final Duration fresh;
  private final TimeSource time;
  private final Map<Key, Read> reads = new HashMap<>();
  private long cleaned;

  private record Key(
      KubernetesClient client,
      List<@Nullable String> kind,
      @Nullable String namespace,
      String name) {}

  private record Read(long at, CompletableFuture<Optional<GenericKubernetesResource>> found) {}

  /** Keeps what was read for as long as it is fresh, not longer. */
  SharedReads(Duration fresh, TimeSource time) {
    this.fresh = fresh;
    this.time = time;
    cleaned = time.nanoTime();
  }

  /**
   * {@return the object, empty if it is not there}
   *
   * @throws RuntimeException what the client threw when it was read, or an {@code
   *     IllegalArgumentException} if its class cannot hold it
   */
  <D extends HasMetadata> Optional<D> find(
      KubernetesClient client, ObjectKind<D> kind, @Nullable String namespace, String name)
      throws InterruptedException {
    return read(client, kind, namespace, name).map(object -> kind.typed(client, object));
  }

  private Optional<GenericKubernetesResource> read(
      KubernetesClient client, ObjectKind<?> kind, @Nullable String namespace, String name)
      throws InterruptedException {
    Key key = new Key(client, kind.key(), namespace, name);
    CompletableFuture<Optional<GenericKubernetesResource>> mine = new CompletableFuture<>();
    Read begun = new Read(time.nanoTime(), mine);
    Read others = begin(key, begun);
    if (others != null) {
      return await(others.found());
    }
    try {
      Optional<GenericKubernetesResource> found =
          Optional.ofNullable(kind.get(client, namespace, name));
      mine.complete(found);
      return found;
    } catch (RuntimeException | Error e) {
      forget(key, begun); // who asks next tries again
      mine.completeExceptionally(e);
      throw e;
    }
  }

  /** {@return what somebody else reads or has read, still fresh; null if it is ours to read} */
  private synchronized @Nullable Read begin(Key key, Read mine) {
    if (mine.at() - cleaned > fresh.toNanos()) {
      reads.values().removeIf(read -> !isFresh(read, mine.at()));
      cleaned = mine.at();
    }
    Read known = reads.get(key);
    if (known != null && isFresh(known, mine.at())) {
      return known;
    }
    reads.put(key, mine);
    return null;
  }

  private boolean isFresh(Read read, long now) {
    return now - read.at() <= fresh.toNanos();
  }

  private synchronized void forget(Key key, Read read) {
    reads.remove(key, read);
  }

  private static Optional<GenericKubernetesResource> await(
      CompletableFuture<Optional<GenericKubernetesResource>> found) throws InterruptedException {
    try {
      return found.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
