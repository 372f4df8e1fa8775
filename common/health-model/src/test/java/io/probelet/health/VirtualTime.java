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
 * Loops in virtual time, for tests: what they are to do is done by the test's own thread, in order,
 * while it lets time pass. Other threads may give the loops tasks meanwhile.
 *
 * <pre>{@code
 * VirtualTime time = new VirtualTime();
 * var publisher = new NodePublisher(api, time.clock(), time.loop("publisher"));
 * publisher.conditionChanged(ready);
 * time.advance(Duration.ofSeconds(1)); // all that was due meanwhile has happened
 * }</pre>
 */
public final class VirtualTime {
  /** The wall time at which it begins unless another is given. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** A test that runs so many tasks without getting to the end has a loop that never rests. */
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
   * Creates a time that is a clock's; only this may move it forward from now on.
   *
   * @param clock the clock
   */
  public VirtualTime(ManualClock clock) {
    this.clock = clock;
  }

  /** {@return the clock; its wall time may be stepped, and nothing else} */
  public ManualClock clock() {
    return clock;
  }

  /**
   * {@return a loop that goes by this time; what its tasks throw is thrown by {@link #advance}}
   *
   * @param name of the loop
   */
  public SerialLoop loop(String name) {
    return loop(name, MAX_WAITING);
  }

  /**
   * {@return the same, in which fewer tasks may wait}
   *
   * @param name of the loop
   * @param maxWaiting how many tasks may wait, at least 1
   */
  public SerialLoop loop(String name, int maxWaiting) {
    SerialLoop loop = new SerialLoop(clock, name, maxWaiting, failures::add);
    loops.add(loop);
    return loop;
  }

  /** Runs what is due now, and what that makes due now. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  /**
   * Lets time pass. Tasks and alarms run at their time, in the order of their times; of several
   * loops, the one that was made first goes first.
   *
   * @param step how far, zero or more
   * @throws AssertionError if a task threw, with what it threw, or if there is no end of them
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
   * {@return waits for what threads and servers outside of this time still have to do; each time
   * before it asks whether that has come, time passes}
   *
   * @param step how much each time, zero or more
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

  /** {@return the loop with the earliest that is due by then; null if nothing is} */
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
