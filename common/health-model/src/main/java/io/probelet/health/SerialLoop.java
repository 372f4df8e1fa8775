package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A single thread that runs tasks in order, and alarms when they are due. State used only by its
 * tasks needs no lock.
 *
 * <pre>
 *   execute A  execute B     alarm.set(2 s)                       rings
 *      |          |             |────────────── 2 s ──────────────|
 *      └─ A ──────┴─ B ─                                          └─ its task
 * </pre>
 *
 * <p>Tasks run in order of arrival; a due alarm is ordered among them by its time. A task that
 * throws is reported, and the loop continues. The number of waiting tasks is limited, and further
 * ones are rejected; alarms do not count, as each belongs to its owner and is set once at a time.
 *
 * <p>Its alarms follow the time of its {@link Threads}. Tests drive the same class in virtual time,
 * with {@code VirtualTime} of this module's test-jar. All methods are thread-safe.
 */
public final class SerialLoop implements Executor, AutoCloseable {
  private final Threads threads;
  private final String name;
  private final LoopTasks tasks;
  private final Consumer<? super Throwable> onFailure;
  private final @Nullable Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** The thread that runs tasks; null while there is none. */
  private volatile @Nullable Thread runner;

  private SerialLoop(
      Threads threads,
      Thread.Builder builder,
      String name,
      int maxWaiting,
      int reserved,
      Consumer<? super Throwable> onFailure) {
    this.threads = threads;
    this.tasks = new LoopTasks(threads::nanoTime, threads::condition, maxWaiting, reserved);
    this.onFailure = onFailure;
    this.name = name;
    this.thread = builder.name(name).unstarted(this::run);
  }

  /** Creates a loop without a thread, whose tasks run when {@link #runNext} is called. */
  SerialLoop(TimeSource time, String name, int maxWaiting, Consumer<? super Throwable> onFailure) {
    this.threads = Threads.MACHINE;
    this.name = name;
    this.tasks = new LoopTasks(time::nanoTime, Lock::newCondition, maxWaiting, 0);
    this.onFailure = onFailure;
    this.thread = null;
  }

  /**
   * Starts a loop on a daemon platform thread.
   *
   * @param threads where it runs, and whose time its alarms follow
   * @param name of the thread
   * @param maxWaiting the most waiting tasks, at least 1; further ones are rejected
   * @param onFailure receives everything a task throws, on the loop's thread
   * @return the loop, to be closed
   */
  public static SerialLoop start(
      Threads threads, String name, int maxWaiting, Consumer<? super Throwable> onFailure) {
    return start(threads, name, maxWaiting, 0, onFailure);
  }

  /**
   * Starts a loop on a daemon platform thread, with room reserved for tasks other than a flood.
   *
   * @param threads where it runs, and whose time its alarms follow
   * @param name of the thread
   * @param maxWaiting the most waiting tasks, at least 1; further ones are rejected
   * @param reserved how many of these {@link #put} may not use, less than {@code maxWaiting}
   * @param onFailure receives everything a task throws, on the loop's thread
   * @return the loop, to be closed
   */
  public static SerialLoop start(
      Threads threads,
      String name,
      int maxWaiting,
      int reserved,
      Consumer<? super Throwable> onFailure) {
    return started(
        new SerialLoop(threads, threads.ofPlatform(), name, maxWaiting, reserved, onFailure));
  }

  /**
   * Starts a loop on a virtual thread, where there are many loops with little to do.
   *
   * @param threads where it runs, and whose time its alarms follow
   * @param name of the thread
   * @param maxWaiting the most waiting tasks, at least 1; further ones are rejected
   * @param onFailure receives everything a task throws, on the loop's thread
   * @return the loop, to be closed
   */
  public static SerialLoop startVirtual(
      Threads threads, String name, int maxWaiting, Consumer<? super Throwable> onFailure) {
    return started(new SerialLoop(threads, threads.ofVirtual(), name, maxWaiting, 0, onFailure));
  }

  private static SerialLoop started(SerialLoop loop) {
    if (loop.thread != null) {
      loop.thread.start();
    }
    return loop;
  }

  /**
   * Adds a task.
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
   * Adds a task if the loop is open and its queue not full.
   *
   * @param task the task
   * @return whether it was added; it runs unless the loop is closed before
   */
  public boolean offer(Runnable task) {
    return tasks.offer(task, inLoop());
  }

  /**
   * Adds a task, waiting until there is room: this slows down the sender of a flood. Tasks of the
   * loop must not call it, since it would deadlock.
   *
   * @param task what to run
   * @return whether it was added
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
   * Runs a task later. The caller must limit the number of such tasks.
   *
   * @param delay the time from now; zero or less for as soon as possible
   * @param task what to run
   * @return the alarm that was set, to cancel it or to set it again
   */
  public Alarm after(Duration delay, Runnable task) {
    Alarm alarm = alarm(task);
    alarm.set(delay);
    return alarm;
  }

  /** {@return the number of waiting tasks without alarms; 0 to the limit} */
  public int waiting() {
    return tasks.waiting();
  }

  /** {@return the number of tasks rejected because the queue was full} */
  public long refused() {
    return tasks.refused();
  }

  /** {@return whether the caller is a task of this loop} */
  public boolean inLoop() {
    return Thread.currentThread().equals(runner);
  }

  /**
   * Asserts that the caller is a task of this loop.
   *
   * @throws IllegalStateException if it is not
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
   * Closes gracefully: alarms are canceled, no tasks are accepted from outside, and waiting tasks
   * run together with those they add. Tasks not done in time are dropped as by {@link #close()}. If
   * a task of the loop calls it, it does not wait for the end.
   *
   * @param timeout how long to wait for the end
   * @return whether all tasks were done in time
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
   * Closes immediately: waiting tasks are dropped, and a running one is interrupted without waiting
   * for it. A task of the loop itself is not interrupted.
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
   * Waits until no task runs any more after closing.
   *
   * @param timeout how long to wait
   * @return whether this is so; false immediately if the caller is a task of the loop, or is
   *     interrupted, which is preserved
   */
  public boolean awaitEnd(Duration timeout) {
    if (inLoop()) {
      return false;
    }
    try {
      return threads.await(ended, timeout);
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
    } catch (Throwable failure) { // any failure; the loop continues with other tasks
      report(failure);
    }
  }

  private void report(Throwable failure) {
    try {
      onFailure.accept(failure);
    } catch (RuntimeException notReportable) {
      // the loop continues
    }
  }

  /** {@return how long until the next is due, zero or more; null if there is none} */
  @Nullable Duration untilNext() {
    return tasks.untilNext();
  }

  /**
   * Runs the next due task, on the caller's thread.
   *
   * @return whether there was one
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
