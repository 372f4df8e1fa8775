package io.probelet.nodehealth.controller;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frame of a controller for one term of leadership. Watches add tasks, a serial loop runs them
 * in batches, and requests run beside the loop and post their results. A task replaces a waiting
 * one with the same key, so at most as many wait as there are objects.
 */
public final class ReconcileLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);

  /** One is for the batch, the others are for queries. */
  private static final int MAX_WAITING = 100;

  /** The wall clock may be changed; with this interval that delays a timer by no more. */
  private static final Duration MAX_SLEEP = Duration.ofSeconds(1);

  /** No task takes nearly as long, unless the machine is overloaded. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Of running requests, in the order in which they began: they are interrupted in it, while an
   * executor has an order of its own in each process. Guarded by itself.
   */
  private final Set<Thread> requests = new LinkedHashSet<>();

  private boolean closed; // guarded by the requests
  private final SerialLoop loop;
  private final TimeSource time;
  private final Alarm alarm;

  /**
   * Separate from the other timer, which each batch sets again, because news may arrive meanwhile.
   */
  private final Alarm news;

  private final List<ResourceWatch<?>> watches = new ArrayList<>();
  private LinkedHashMap<Object, Runnable> waiting = new LinkedHashMap<>();
  private Runnable afterEachBatch = () -> {};
  private Supplier<@Nullable Duration> wait = () -> null;

  /**
   * Uses a loop exclusively.
   *
   * @param loop to be closed with this
   */
  public ReconcileLoop(SerialLoop loop, TimeSource time) {
    this.loop = loop;
    this.time = time;
    this.alarm = loop.alarm(this::drain);
    this.news = loop.alarm(this::drain);
  }

  /**
   * Starts a suitable loop on a new thread.
   *
   * @param name of the thread
   * @param threads where it runs
   * @return the loop
   */
  public static SerialLoop thread(String name, Threads threads) {
    return SerialLoop.start(threads, name, MAX_WAITING, ReconcileLoop::report);
  }

  /**
   * Starts.
   *
   * @param work runs after each batch of tasks, and after each wait
   * @param waiting called after the work; returns the time until it must run again, null for no
   *     timer
   */
  public void start(Runnable work, Supplier<@Nullable Duration> waiting) {
    post(
        this,
        () -> {
          afterEachBatch = work;
          wait = waiting;
        });
  }

  /**
   * {@return how long to wait for a moment of the wall clock, or until that clock must be read
   * again; null if there is no such moment}
   *
   * @param moment the moment; null for never
   */
  public @Nullable Duration until(@Nullable Instant moment) {
    if (moment == null) {
      return null;
    }
    Duration delay = Duration.between(time.wallTime(), moment);
    return delay.compareTo(MAX_SLEEP) > 0 ? MAX_SLEEP : delay;
  }

  /**
   * Watches until the end. Called by one thread.
   *
   * @param format reads the cached part of an object
   * @param random spreads retries
   * @return the watch, which may be closed earlier
   */
  public <T> ResourceWatch<T> watch(
      ApiServer api,
      Selection selection,
      Format<T> format,
      WatchFeed<T> feed,
      RandomGenerator random) {
    ResourceWatch<T> watch = ResourceWatch.start(api, selection, format, feed, time, random);
    watches.add(watch);
    return watch;
  }

  /**
   * Runs blocking code, such as a request, on its own thread. It posts its result.
   *
   * @param request the code; interrupted at the end
   */
  public void beside(Runnable request) {
    Thread thread =
        time.threads()
            .ofVirtual()
            .unstarted(() -> {
              try {
                request.run();
              } finally {
                synchronized (requests) {
                  requests.remove(Thread.currentThread());
                }
              }
            });
    synchronized (requests) {
      if (closed) {
        throw new RejectedExecutionException("closed");
      }
      requests.add(thread);
    }
    thread.start();
  }

  /** Runs a task after all waiting ones; it replaces a waiting task with an equal key. */
  void post(Object key, Runnable task) {
    boolean first;
    synchronized (this) {
      first = waiting.isEmpty();
      waiting.putLast(key, task);
    }
    if (first) {
      news.set(Duration.ZERO); // never rejected, unlike a task while many queries wait
    }
  }

  /** Runs a task soon, before waiting ones. */
  public void post(Runnable task) {
    post(new Object(), task);
  }

  /** Runs a task later. */
  public void postAfter(Duration delay, Runnable task) {
    var _ = loop.after(delay, () -> post(task));
  }

  /**
   * Queries something that only the loop may read.
   *
   * @param question runs on the loop
   * @return the answer, when available
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  public <T> CompletableFuture<T> ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, loop);
  }

  /**
   * Drops waiting tasks and ends the watches and requests; returns after the last task has ended.
   */
  @Override
  public void close() {
    loop.close();
    var _ = loop.awaitEnd(CLOSE_TIMEOUT);
    watches.forEach(ResourceWatch::close);
    synchronized (requests) {
      closed = true;
      requests.forEach(Thread::interrupt);
    }
  }

  private void drain() {
    loop.requireInLoop();
    Map<Object, Runnable> batch;
    synchronized (this) {
      batch = waiting;
      waiting = new LinkedHashMap<>();
    }
    batch.values().forEach(ReconcileLoop::run);
    run(afterEachBatch);
    Duration delay = wait.get();
    if (delay == null) {
      alarm.cancel();
    } else {
      alarm.set(delay);
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException mistake) {
      report(mistake);
    }
  }

  private static void report(Throwable mistake) {
    LOG.error("internal error in remediation, continuing", mistake);
  }

  /**
   * Passes a watch's changes to the loop. Of several waiting changes of one object only the last
   * counts, so that at most as many wait as there are objects.
   */
  public static class WatchFeed<T> implements Observer<T> {
    private final ReconcileLoop loop;
    private final Object kind;
    private final Consumer<Item<T>> changed;
    private final Consumer<Item<T>> gone;
    private final Runnable listed;

    private record Key(Object kind, @Nullable String namespace, String name) {}

    /**
     * Creates a feed.
     *
     * @param kind of the objects; unique among the feeds of the loop
     * @param changed receives new and changed objects, on the loop's thread
     * @param listed called once after all existing objects were shown
     */
    public WatchFeed(
        ReconcileLoop loop,
        Object kind,
        Consumer<Item<T>> changed,
        Consumer<Item<T>> gone,
        Runnable listed) {
      this.loop = loop;
      this.kind = kind;
      this.changed = changed;
      this.gone = gone;
      this.listed = listed;
    }

    @Override
    public void changed(Item<T> item) {
      loop.post(new Key(kind, item.namespace(), item.name()), () -> changed.accept(item));
    }

    @Override
    public void gone(Item<T> item) {
      // Does not replace a waiting change, which may belong to another object of the same name.
      loop.post(() -> gone.accept(item));
    }

    @Override
    public void listed() {
      loop.post(listed);
    }
  }
}
