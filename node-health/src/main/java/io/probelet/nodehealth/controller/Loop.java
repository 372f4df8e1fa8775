package io.probelet.nodehealth.controller;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which everything is decided. A task takes the place of an older one with the
 * same key that still waits, so that as many wait at most as there are objects.
 */
final class Loop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

  /** The wall clock may be set; looked at so often, it cannot make us late by more. */
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

  /** None takes nearly as long, unless the machine is starved. */
  private static final Duration LAST_TASK = Duration.ofSeconds(10);

  private final TimeSource time;
  private final ScheduledThreadPoolExecutor thread;
  private LinkedHashMap<Object, Runnable> waiting = new LinkedHashMap<>();
  private Runnable afterEachBatch = () -> {};
  private Supplier<@Nullable Instant> nextMoment = () -> null;
  private @Nullable ScheduledFuture<?> alarm;
  private @Nullable Instant alarmFor;

  Loop(TimeSource time) {
    this.time = time;
    thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("remediation").factory());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
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
    if (first) {
      unlessClosed(() -> thread.execute(this::drain));
    }
  }

  /** Runs a task soon, whatever else waits. */
  void post(Runnable task) {
    post(new Object(), task);
  }

  void postAfter(Duration delay, Runnable task) {
    unlessClosed(() -> {
      var _ = thread.schedule(() -> post(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    });
  }

  /** Others may close it at any time, also right after it has been asked whether it is closed. */
  private static void unlessClosed(Runnable submission) {
    try {
      submission.run();
    } catch (RejectedExecutionException closed) {
      LOG.debug("a task came after the end of the term");
    }
  }

  /** Asks for something that only this thread may look at. */
  <T> CompletableFuture<T> ask(Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, thread);
  }

  /** Drops what waits; returns when nothing runs any more. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      var _ = thread.awaitTermination(LAST_TASK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void drain() {
    Map<Object, Runnable> batch;
    synchronized (this) {
      batch = waiting;
      waiting = new LinkedHashMap<>();
    }
    batch.values().forEach(Loop::run);
    run(afterEachBatch);
    setAlarm();
  }

  private void setAlarm() {
    Instant next = nextMoment.get();
    if (alarm != null) {
      if (Objects.equals(next, alarmFor)) {
        return;
      }
      alarm.cancel(false);
      alarm = null;
    }
    alarmFor = next;
    if (next != null && !thread.isShutdown()) {
      Duration delay = Duration.between(time.wallTime(), next);
      long nanos =
          delay.compareTo(LONGEST_SLEEP) > 0
              ? LONGEST_SLEEP.toNanos()
              : Math.max(0, delay.toNanos());
      alarm = thread.schedule(this::ring, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void ring() {
    alarm = null;
    drain();
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException mistake) {
      LOG.error("remediation goes on after a mistake of ours", mistake);
    }
  }
}
