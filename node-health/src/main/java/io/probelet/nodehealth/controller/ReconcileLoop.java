package io.probelet.nodehealth.controller;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits to be reconciled, done in batches on a serial loop. A task takes the place of an older
 * one with the same key that still waits, so that as many wait at most as there are objects.
 */
final class ReconcileLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);

  /** One of them is for the batch, the others are for questions. */
  private static final int MAX_WAITING = 100;

  /** The wall clock may be set; asked so often, it cannot make us late by more. */
  private static final Duration MAX_SLEEP = Duration.ofSeconds(1);

  /** No task takes nearly as long, unless the machine is starved. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final SerialLoop loop;
  private final TimeSource time;
  private final Alarm alarm;
  private LinkedHashMap<Object, Runnable> waiting = new LinkedHashMap<>();
  private Runnable afterEachBatch = () -> {};
  private Supplier<@Nullable Instant> nextMoment = () -> null;

  /**
   * Uses a loop, and nobody else may.
   *
   * @param loop to be closed with this
   * @param time says when a moment has come
   */
  ReconcileLoop(SerialLoop loop, TimeSource time) {
    this.loop = loop;
    this.time = time;
    this.alarm = loop.alarm(this::drain);
  }

  /** Starts a loop as is needed here, on a thread of its own. */
  static SerialLoop thread() {
    return SerialLoop.start("remediation", MAX_WAITING, ReconcileLoop::report);
  }

  /**
   * Begins.
   *
   * @param work done after each batch of tasks and at each next moment
   * @param next asked after the work for when it has to be done again; null for not by itself
   */
  void start(Runnable work, Supplier<@Nullable Instant> next) {
    post(
        this,
        () -> {
          afterEachBatch = work;
          nextMoment = next;
        });
  }

  /** Runs a task soon and after all that wait, instead of one with an equal key among them. */
  void post(Object key, Runnable task) {
    boolean first;
    synchronized (this) {
      first = waiting.isEmpty();
      waiting.putLast(key, task);
    }
    if (first && !loop.offer(this::drain)) {
      LOG.debug("a task came after the end of the term");
    }
  }

  /** Runs a task soon, whatever else waits. */
  void post(Runnable task) {
    post(new Object(), task);
  }

  void postAfter(Duration delay, Runnable task) {
    var _ = loop.after(delay, () -> post(task));
  }

  /**
   * Asks for something that only the loop may read.
   *
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  <T> CompletableFuture<T> ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, loop);
  }

  /** Drops what waits; returns when nothing runs any more. */
  @Override
  public void close() {
    loop.close();
    var _ = loop.awaitEnd(CLOSE_TIMEOUT);
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
    setAlarm(nextMoment.get());
  }

  private void setAlarm(@Nullable Instant next) {
    if (next == null) {
      alarm.cancel();
      return;
    }
    Duration delay = Duration.between(time.wallTime(), next);
    alarm.set(delay.compareTo(MAX_SLEEP) > 0 ? MAX_SLEEP : delay);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException mistake) {
      report(mistake);
    }
  }

  private static void report(Throwable mistake) {
    LOG.error("remediation goes on after a mistake of ours", mistake);
  }

  /**
   * Hands what a watch shows to the loop. Of several changes of one object that wait, only the last
   * counts, so that no more wait than there are objects.
   *
   * @param <T> what is kept of an object
   */
  static class WatchFeed<T> implements Observer<T> {
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
     * @param gone takes those that are gone
     * @param listed called once all that exist have been shown
     */
    WatchFeed(
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
