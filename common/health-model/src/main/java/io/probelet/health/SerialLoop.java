package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread that runs tasks one after the other, and alarms when their time has come. What is only
 * touched by its tasks needs no lock.
 *
 * <pre>
 *   execute A  execute B     alarm.set(2 s)                       rings
 *      |          |             |────────────── 2 s ──────────────|
 *      └─ A ──────┴─ B ─                                          └─ its task
 * </pre>
 *
 * <p>Tasks run in the order in which they came; an alarm that is due takes its place among them by
 * its time. A task that throws is reported, and the next one goes on. So many tasks may wait, and
 * more are refused; alarms are not counted, as each is an object of its owner's and set once at a
 * time.
 *
 * <p>It waits by the machine's monotonic clock. Tests drive the same class in virtual time, with
 * {@code VirtualTime} of this module's test-jar. All methods may be called by any thread.
 */
public final class SerialLoop implements Executor, AutoCloseable {
  private final String name;
  private final LoopTasks tasks;
  private final Consumer<? super Throwable> onFailure;
  private final @Nullable Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Whoever runs tasks now; null while nobody does. */
  private volatile @Nullable Thread runner;

  private SerialLoop(
      ThreadFactory threads, int maxWaiting, int reserved, Consumer<? super Throwable> onFailure) {
    this.tasks = new LoopTasks(SystemClock.INSTANCE, maxWaiting, reserved);
    this.onFailure = onFailure;
    Thread made = threads.newThread(this::run);
    this.name = made.getName();
    this.thread = made;
  }

  /** Creates one without a thread, whose tasks run when {@link #runNext} is called. */
  SerialLoop(TimeSource time, String name, int maxWaiting, Consumer<? super Throwable> onFailure) {
    this.name = name;
    this.tasks = new LoopTasks(time, maxWaiting, 0);
    this.onFailure = onFailure;
    this.thread = null;
  }

  /**
   * Starts a loop on a daemon platform thread.
   *
   * @param name of the thread
   * @param maxWaiting how many tasks may wait, at least 1; more are refused
   * @param onFailure takes whatever a task throws, on the loop's thread
   * @return the loop, to be closed
   */
  public static SerialLoop start(
      String name, int maxWaiting, Consumer<? super Throwable> onFailure) {
    return start(platform(name), maxWaiting, 0, onFailure);
  }

  /**
   * Starts a loop on a daemon platform thread, which keeps room for others than those who bring a
   * flood.
   *
   * @param name of the thread
   * @param maxWaiting how many tasks may wait, at least 1; more are refused
   * @param reserved how many of these are not for {@link #put}, less than {@code maxWaiting}
   * @param onFailure takes whatever a task throws, on the loop's thread
   * @return the loop, to be closed
   */
  public static SerialLoop start(
      String name, int maxWaiting, int reserved, Consumer<? super Throwable> onFailure) {
    return start(platform(name), maxWaiting, reserved, onFailure);
  }

  private static ThreadFactory platform(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }

  /**
   * Starts a loop on a thread of the caller's choice, for example a virtual one where there are
   * many loops with little to do.
   *
   * @param threads asked for one thread, whose name is the loop's
   * @param maxWaiting how many tasks may wait, at least 1; more are refused
   * @param onFailure takes whatever a task throws, on the loop's thread
   * @return the loop, to be closed
   */
  public static SerialLoop start(
      ThreadFactory threads, int maxWaiting, Consumer<? super Throwable> onFailure) {
    return start(threads, maxWaiting, 0, onFailure);
  }

  private static SerialLoop start(
      ThreadFactory threads, int maxWaiting, int reserved, Consumer<? super Throwable> onFailure) {
    SerialLoop loop = new SerialLoop(threads, maxWaiting, reserved, onFailure);
    if (loop.thread != null) {
      loop.thread.start();
    }
    return loop;
  }

  /**
   * Runs a task after those that wait already.
   *
   * @throws RejectedExecutionException if the loop is closed or too many tasks wait
   */
  @Override
  public void execute(Runnable task) {
    if (!offer(task)) {
      throw new RejectedExecutionException(
          isClosed()
              ? "loop \"%s\" is closed".formatted(name)
              : "queue of loop \"%s\" is full: %d tasks are waiting".formatted(name, waiting()));
    }
  }

  /**
   * Runs a task after those that wait already, if the loop is open and not too many do.
   *
   * @param task what to run
   * @return whether it will be run, unless the loop is closed before
   */
  public boolean offer(Runnable task) {
    return tasks.offer(task, inLoop());
  }

  /**
   * Runs a task after those that wait already, and waits until there is room for it: so a flood
   * slows down who brings it. Not to be called by tasks of the loop, which would wait for itself.
   *
   * @param task what to run
   * @return whether it will be run, unless the loop is closed before
   * @throws IllegalStateException if the caller is a task of the loop
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public boolean put(Runnable task) throws InterruptedException {
    if (inLoop()) {
      throw new IllegalStateException(
          "called from loop \"" + name + "\" itself, which would deadlock");
    }
    return tasks.put(task);
  }

  /**
   * {@return an alarm that is not set yet}
   *
   * @param task run by the loop each time the alarm rings
   */
  public Alarm alarm(Runnable task) {
    return new Alarm(tasks, task);
  }

  /**
   * Runs a task later. The caller sees to it that there are not too many.
   *
   * @param delay how long from now; zero or less for as soon as possible
   * @param task what to run
   * @return the alarm that was set, to cancel it or to set it again
   */
  public Alarm after(Duration delay, Runnable task) {
    Alarm alarm = alarm(task);
    alarm.set(delay);
    return alarm;
  }

  /** {@return how many tasks wait, alarms not counted; 0 to the most that may} */
  public int waiting() {
    return tasks.waiting();
  }

  /** {@return how many tasks have been refused because too many waited} */
  public long refused() {
    return tasks.refused();
  }

  /** {@return whether the caller is a task of this loop} */
  public boolean inLoop() {
    return Thread.currentThread().equals(runner);
  }

  /**
   * To be called first by what may only be called by tasks of this loop.
   *
   * @throws IllegalStateException if the caller is none
   */
  public void requireInLoop() {
    if (!inLoop()) {
      throw new IllegalStateException(
          "called on thread \"%s\", must be called on loop \"%s\""
              .formatted(Thread.currentThread().getName(), name));
    }
  }

  /** {@return whether it has been closed, or is finishing} */
  public boolean isClosed() {
    return !tasks.isOpen();
  }

  /**
   * Closes in good order: alarms ring no more, nothing is taken from outside, and what waits is run
   * together with what that still adds. What is not done in time is dropped as by {@link #close()}.
   * A task of the loop itself does not wait for the end, which comes after it.
   *
   * @param timeout how long to wait for the end
   * @return whether all was done in time
   */
  public boolean finish(Duration timeout) {
    tasks.finish();
    if (inLoop()) {
      return false;
    }
    if (thread == null) {
      do {} while (runNext());
      ended.countDown();
    }
    boolean done = awaitEnd(timeout);
    close();
    return done;
  }

  /**
   * Closes at once: what waits is dropped, and what runs is interrupted and not waited for. A task
   * of the loop itself is not interrupted.
   */
  @Override
  public void close() {
    tasks.close();
    if (thread == null) {
      ended.countDown();
    } else if (!inLoop()) {
      thread.interrupt();
    }
  }

  /**
   * Waits until nothing runs any more after the loop was closed.
   *
   * @param timeout how long to wait
   * @return whether it has come to that; false at once if the caller is a task of the loop, or is
   *     interrupted, which it stays
   */
  public boolean awaitEnd(Duration timeout) {
    if (inLoop()) {
      return false;
    }
    try {
      return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void run() {
    runner = Thread.currentThread();
    try {
      Runnable next = tasks.take();
      while (next != null) {
        run(next);
        next = tasks.take();
      }
    } finally {
      ended.countDown();
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // whatever it is, the loop has others to serve
      report(failure);
    }
  }

  private void report(Throwable failure) {
    try {
      onFailure.accept(failure);
    } catch (RuntimeException notReportable) {
      // the loop goes on all the same
    }
  }

  /** {@return how long until the next is due, zero or more; null if there is none} */
  @Nullable Duration untilNext() {
    return tasks.untilNext();
  }

  /**
   * Runs what is due first, on the caller's thread.
   *
   * @return whether anything was
   */
  boolean runNext() {
    Runnable due = tasks.poll();
    if (due == null) {
      return false;
    }
    runner = Thread.currentThread();
    try {
      run(due);
    } finally {
      runner = null;
    }
    return true;
  }
}
