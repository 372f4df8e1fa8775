package io.probelet.cluster.care;

import com.fasterxml.jackson.core.JsonParser;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import java.io.IOException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The results of a watch on one selection. They are current only from a list or bookmark until the
 * watch ends (CH-51). Thread-safe.
 */
final class FollowedObjects implements AutoCloseable {
  /** CRDs are large. */
  private static final int PAGE = 50;

  private final ConcurrentSkipListMap<String, ObjectVerdict> verdicts =
      new ConcurrentSkipListMap<>(); // in list order
  private final AtomicInteger room;
  private final ResourceWatch<ObjectVerdict> watch;
  private volatile boolean current;
  private volatile boolean hopeless;

  /**
   * Starts the watch.
   *
   * @param labelSelector selects objects; empty for all
   * @param room remaining number of objects, shared with other watches
   */
  FollowedObjects(
      ApiServer api,
      Class<? extends HasMetadata> kind,
      String collection,
      String labelSelector,
      AtomicInteger room,
      TimeSource time,
      RandomGenerator random) {
    this.room = room;
    watch =
        ResourceWatch.start(
            api,
            new Selection(HasMetadata.getKind(kind), collection, "", labelSelector, PAGE),
            new Bounded(new VerdictFormat(kind)),
            new Feed(),
            time,
            random);
  }

  /**
   * Passes all results.
   *
   * @return whether they are current; if false, the objects must be listed
   */
  boolean each(Consumer<? super ObjectVerdict> taker) {
    if (!current) {
      return false;
    }
    verdicts.values().forEach(taker);
    return true;
  }

  /** {@return whether the watch cannot work: no permission, unknown kind, or no room} */
  boolean isHopeless() {
    return hopeless;
  }

  @Override
  public void close() {
    watch.close();
    synchronized (verdicts) { // further objects have no room
      hopeless = true;
      current = false;
      room.addAndGet(verdicts.size());
      verdicts.clear();
    }
  }

  /** Objects without room are neither read nor kept by the watch. */
  private final class Bounded implements Format<ObjectVerdict> {
    private final VerdictFormat format;

    Bounded(VerdictFormat format) {
      this.format = format;
    }

    @Override
    public @Nullable Item<ObjectVerdict> read(
        JsonParser object, Function<String, @Nullable ObjectVerdict> before) throws IOException {
      return hopeless ? null : format.read(object, before);
    }
  }

  private final class Feed implements Observer<ObjectVerdict> {
    @Override
    public void changed(Item<ObjectVerdict> item) {
      synchronized (verdicts) {
        if (hopeless) {
          return;
        }
        if (verdicts.containsKey(item.key()) || room.getAndDecrement() > 0) {
          verdicts.put(item.key(), item.value());
        } else {
          room.incrementAndGet();
          giveUp();
        }
      }
    }

    @Override
    public void gone(Item<ObjectVerdict> item) {
      synchronized (verdicts) {
        if (verdicts.remove(item.key()) != null) {
          room.incrementAndGet();
        }
      }
    }

    @Override
    public void listed() {
      current();
    }

    @Override
    public void bookmarked() {
      current();
    }

    private void current() {
      synchronized (verdicts) {
        current = !hopeless;
      }
    }

    @Override
    public void ended() {
      current = false;
    }

    @Override
    public void refused(String verb) {
      giveUp();
    }

    @Override
    public void unserved() {
      giveUp();
    }

    private void giveUp() {
      synchronized (verdicts) {
        hopeless = true;
        current = false;
      }
    }
  }
}
