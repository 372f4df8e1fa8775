package io.probelet.health;

import java.time.Duration;

/**
 * Makes a {@link SerialLoop} run a task once, at the time the alarm is set to; it can be set again,
 * also by that task. All methods may be called by any thread.
 */
public final class Alarm {
  /** Longer than any program runs, and short enough for sums of it in nanoseconds. */
  private static final Duration MAX_DELAY = Duration.ofDays(36_500);

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
   * Sets it, instead of what it was set to before. Does nothing once the loop is closed.
   *
   * @param delay how long from now; zero or less for as soon as possible; more than 36,500 days
   *     count as that many
   */
  public void set(Duration delay) {
    Duration bounded = delay.compareTo(MAX_DELAY) < 0 ? delay : MAX_DELAY;
    setAt(tasks.now() + (bounded.isNegative() ? 0 : bounded.toNanos()));
  }

  /**
   * Sets it, instead of what it was set to before. Does nothing once the loop is closed.
   *
   * @param nanos when, by the monotonic clock that the loop goes by; the past for as soon as
   *     possible
   */
  public void setAt(long nanos) {
    tasks.set(this, nanos);
  }

  /** Makes it not ring; its task may be running just now. */
  public void cancel() {
    tasks.cancel(this);
  }

  /** {@return whether it is set and has not rung yet} */
  public boolean isSet() {
    return tasks.isSet(this);
  }
}
