package io.probelet.nodehealth.controller;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frame in which a controller lives for one term: watches bring tasks, a serial loop does them
 * in batches, and requests run beside the loop and post what came of them. A task takes the place
 * of an older one with the same key that still waits, so at most as many wait as there are objects.
 */
public final class ReconcileLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);

  /** One of them is for the batch, the others are for questions. */
  private static final int MAX_WAITING = 100;

  /** The wall clock may be set; asked so often, it cannot make us late by more. */
  private static final Duration MAX_SLEEP = Duration.ofSeconds(1);

  /** No task takes nearly as long, unless the machine is starved. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SerialLoop loop;
  private final TimeSource time;
  private final Alarm alarm;

  /** Apart from the other alarm, which each batch sets anew: news may come meanwhile. */
  private final Alarm news;

  private final List<ResourceWatch<?>> watches = new ArrayList<>();
  private LinkedHashMap<Object, Runnable> waiting = new LinkedHashMap<>();
  private Runnable afterEachBatch = () -> {};
  private Supplier<@Nullable Duration> wait = () -> null;

  /**
   * Uses a loop, and nobody else may.
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
   * Starts a loop as is needed here, on a thread of its own.
   *
   * @param name of the thread
   * @return the loop
   */
  public static SerialLoop thread(String name) {
    return SerialLoop.start(name, MAX_WAITING, ReconcileLoop::report);
  }

  /**
   * Begins.
   *
   * @param work done after each batch of tasks, and after each wait
   * @param waiting asked after the work for how long until it has to be done again; null for not by
   *     itself
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
   * {@return how long to wait for a moment of the wall clock, or to read that clock again; null if
   * there is no such moment}
   *
   * @param moment when; null for never
   */
  public @Nullable Duration until(@Nullable Instant moment) {
    if (moment == null) {
      return null;
    }
    Duration delay = Duration.between(time.wallTime(), moment);
    return delay.compareTo(MAX_SLEEP) > 0 ? MAX_SLEEP : delay;
  }

  /**
   * Watches until the end. To be called by one thread.
   *
   * @param format reads what is kept of one
   * @param random spreads when the API server is asked again
   */
  public <T> void watch(
      ApiServer api,
      Selection selection,
      Format<T> format,
      WatchFeed<T> feed,
      RandomGenerator random) {
    watches.add(ResourceWatch.start(api, selection, format, feed, time, random));
  }

  /**
   * Runs what may block, such as a request, on a thread of its own. It posts what came of it.
   *
   * @param request what to run; interrupted at the end
   */
  public void beside(Runnable request) {
    threads.execute(request);
  }

  /** Runs a task soon and after all that wait, instead of one with an equal key among them. */
  void post(Object key, Runnable task) {
    boolean first;
    synchronized (this) {
      first = waiting.isEmpty();
      waiting.putLast(key, task);
    }
    if (first) {
      news.set(Duration.ZERO); // never refused, as a task is when many questions wait
    }
  }

  /** Runs a task soon, whatever else waits. */
  public void post(Runnable task) {
    post(new Object(), task);
  }

  /** Runs a task later. */
  public void postAfter(Duration delay, Runnable task) {
    var _ = loop.after(delay, () -> post(task));
  }

  /**
   * Asks for something that only the loop may read.
   *
   * @param question asked on the loop
   * @return the answer, once it is there
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  public <T> CompletableFuture<T> ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, loop);
  }

  /** Drops what waits, and ends the watches and requests; returns when no task runs any more. */
  @Override
  public void close() {
    loop.close();
    var _ = loop.awaitEnd(CLOSE_TIMEOUT);
    watches.forEach(ResourceWatch::close);
    threads.shutdownNow();
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
   * Hands what a watch shows to the loop. Of several changes of one object that wait, only the last
   * counts, so that no more wait than there are objects.
   */
  public static class WatchFeed<T> implements Observer<T> {
    private final ReconcileLoop loop;
    private final Object kind;
    private final Consumer<Item<T>> changed;
    private final Consumer<Item<T>> gone;
    private final Runnable listed;

    private record Key(Object kind, @Nullable String namespace, String name) {}

    /**
     * Begins.
     *
     * @param kind of the objects, as no other feed of the loop names it
     * @param changed takes new and changed objects, on the loop's thread
     * @param listed called once all that exist have been shown
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
      // Not in place of a waiting change: that may be of another object of the same name.
      loop.post(() -> gone.accept(item));
    }

    @Override
    public void listed() {
      loop.post(listed);
    }
  }
}
