package io.probelet.health;

import java.time.Duration;

/**
 * A timer that runs a task once on a {@link SerialLoop}. It can be set again, also by the task
 * itself. All methods are thread-safe.
 */
public final class Alarm {
  private final LoopTasks tasks;
  private final Runnable task;

  Alarm(LoopTasks tasks, Runnable task) {
    this.tasks = tasks;
    this.task = task;
  }

  Runnable task() {
    return task;
  }

  /**
   * Sets the time, replacing an earlier one. Does nothing once the loop is closed.
   *
   * @param delay the time from now; zero or less for as soon as possible; at most 36,500 days
   */
  public void set(Duration delay) {
    Duration bounded = delay.compareTo(Threads.LONGEST) < 0 ? delay : Threads.LONGEST;
    setAt(tasks.now() + (bounded.isNegative() ? 0 : bounded.toNanos()));
  }

  /**
   * Sets the time, replacing an earlier one. Does nothing once the loop is closed.
   *
   * @param nanos the time on the loop's monotonic clock; a past time for as soon as possible
   */
  public void setAt(long nanos) {
    tasks.set(this, nanos);
  }

  /** Cancels the alarm; its task may be running already. */
  public void cancel() {
    tasks.cancel(this);
  }

  /** {@return whether it is set and not yet due} */
  public boolean isSet() {
    return tasks.isSet(this);
  }
}
