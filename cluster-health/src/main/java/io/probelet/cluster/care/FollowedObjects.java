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
 * What a watch knows of the objects of one kind, and whether that is how they are: only from a list
 * or a bookmark on, and until the watch breaks (CH-51). May be used by several threads.
 */
final class FollowedObjects implements AutoCloseable {
  /** CRDs are large. */
  private static final int PAGE = 50;

  private final ConcurrentSkipListMap<String, ObjectVerdict> verdicts =
      new ConcurrentSkipListMap<>(); // in the order of a list
  private final AtomicInteger room;
  private final ResourceWatch<ObjectVerdict> watch;
  private volatile boolean current;
  private volatile boolean hopeless;

  /**
   * Begins.
   *
   * @param labelSelector which of them; empty for all
   * @param room for how many objects there is, shared with others
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
   * Hands over all of them.
   *
   * @return whether it is known how they are; false if they have to be listed
   */
  boolean each(Consumer<? super ObjectVerdict> taker) {
    if (!current) {
      return false;
    }
    verdicts.values().forEach(taker);
    return true;
  }

  /** {@return whether there is no use in following them: no right, no such kind, or no room} */
  boolean isHopeless() {
    return hopeless;
  }

  @Override
  public void close() {
    watch.close();
    synchronized (verdicts) { // what still comes finds no room
      hopeless = true;
      current = false;
      room.addAndGet(verdicts.size());
      verdicts.clear();
    }
  }

  /** What there is no room for is not read, nor kept by the watch. */
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
