package io.probelet.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.StartEvaluationEvent;

/**
 * Loops in virtual time, for tests: the test's own thread runs their tasks in order while it
 * advances the time. Other threads may add tasks.
 *
 * <pre>{@code
 * VirtualTime time = new VirtualTime();
 * var publisher = new NodePublisher(api, time.clock(), time.loop("publisher"));
 * publisher.conditionChanged(ready);
 * time.advance(Duration.ofSeconds(1)); // everything due by now has happened
 * }</pre>
 */
public final class VirtualTime {
  /** The default wall time at the start. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** A test with more tasks than this has a loop that never becomes idle. */
  private static final int MAX_TASKS = 1_000_000;

  private static final int MAX_WAITING = 10_000;
  private static final Duration POLL = Duration.ofMillis(10);

  private final ManualClock clock;
  private final List<SerialLoop> loops = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  /** Creates a time that begins at {@link #START}. */
  public VirtualTime() {
    this(new ManualClock(START));
  }

  /**
   * Creates a time with a clock; only this may advance the clock from now on.
   *
   * @param clock the clock
   */
  public VirtualTime(ManualClock clock) {
    this.clock = clock;
  }

  /** {@return the clock; only its wall time may be stepped} */
  public ManualClock clock() {
    return clock;
  }

  /**
   * {@return a loop in this time; {@link #advance} rethrows exceptions of its tasks}
   *
   * @param name of the loop
   */
  public SerialLoop loop(String name) {
    return loop(name, MAX_WAITING);
  }

  /**
   * {@return the same with a limit of waiting tasks}
   *
   * @param name of the loop
   * @param maxWaiting the most waiting tasks, at least 1
   */
  public SerialLoop loop(String name, int maxWaiting) {
    SerialLoop loop = new SerialLoop(clock, name, maxWaiting, failures::add);
    loops.add(loop);
    return loop;
  }

  /** Runs the tasks due now, including those they add. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  /**
   * Advances the time. Tasks and alarms run in order of their times; of several loops, the one
   * created first runs first.
   *
   * @param step the duration, zero or more
   * @throws AssertionError if a task threw, or if tasks never end
   */
  public void advance(Duration step) {
    long until = clock.nanoTime() + step.toNanos();
    for (int tasks = 0; tasks < MAX_TASKS; tasks++) {
      Duration left = Duration.ofNanos(until - clock.nanoTime());
      SerialLoop next = next(left);
      if (next == null) {
        clock.advance(left);
        rethrow();
        return;
      }
      Duration wait = next.untilNext();
      clock.advance(wait == null ? Duration.ZERO : wait);
      next.runNext();
    }
    throw new AssertionError("after %d tasks there are still more".formatted(MAX_TASKS));
  }

  /**
   * {@return an await for threads and servers outside of this time; it advances the time before
   * each check}
   *
   * @param step the duration per check, zero or more
   */
  public ConditionFactory await(Duration step) {
    return Awaitility.await()
        .pollInterval(POLL)
        .conditionEvaluationListener(
            new ConditionEvaluationListener<Object>() {
              @Override
              public void beforeEvaluation(StartEvaluationEvent<Object> condition) {
                advance(step);
              }

              @Override
              public void conditionEvaluated(EvaluatedCondition<Object> condition) {
                if (!condition.isSatisfied()) {
                  advance(step);
                }
              }
            });
  }

  /** {@return the loop with the earliest task due by then; null if there is none} */
  private SerialLoop next(Duration left) {
    SerialLoop next = null;
    Duration least = left;
    for (SerialLoop loop : loops) {
      Duration wait = loop.untilNext();
      if (wait != null && (next == null ? wait.compareTo(left) <= 0 : wait.compareTo(least) < 0)) {
        next = loop;
        least = wait;
      }
    }
    return next;
  }

  private void rethrow() {
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("a task failed: " + failures.getFirst());
      failures.forEach(error::addSuppressed);
      failures.clear();
      throw error;
    }
  }
}
