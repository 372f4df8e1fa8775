package io.probelet.kube;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.kube.ApiResult.Unanswered;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a write task on its own loop while there is something to write, and again when woken or
 * after a period. After a failure it waits with increasing back-off, or as long as the API server
 * requests.
 */
public final class WriteLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLoop.class);

  /** An interrupted request ends immediately. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final String name;
  private final Supplier<Duration> period;
  private final BooleanSupplier task;
  private final ApiRetry retry;
  private final SerialLoop loop;
  private final Alarm next;
  private final Alarm again;
  private volatile boolean started;
  private volatile boolean serverBack;
  private volatile boolean ending;
  private volatile boolean closed;

  // Owned by the loop.
  private boolean held;
  private boolean cutShort;

  /** Whether it waits after a failure. */
  private boolean waiting;

  /** Whether that wait ends when another reaches the server. */
  private boolean hopeful;

  /**
   * Creates one that has not begun.
   *
   * @param period the time after which the task runs without being woken; evaluated each time
   * @param task makes one write, if there is any, and may block; returns whether there may be more
   *     to write
   * @param threads where it runs
   */
  public WriteLoop(
      String name,
      Supplier<Duration> period,
      BooleanSupplier task,
      RandomGenerator random,
      Threads threads) {
    this(name, period, task, new ApiRetry(random), thread(name, threads));
  }

  /**
   * Creates one that has not begun, on the caller's loop.
   *
   * @param period the time after which the task runs without being woken; evaluated each time
   * @param task makes one write, if there is any; returns whether there may be more to write
   * @param retry the back-off after failures
   * @param loop used by this only; closed with it
   */
  public WriteLoop(
      String name,
      Supplier<Duration> period,
      BooleanSupplier task,
      ApiRetry retry,
      SerialLoop loop) {
    this.name = name;
    this.period = period;
    this.task = task;
    this.retry = retry;
    this.loop = loop;
    this.next = loop.alarm(this::round);
    this.again = loop.alarm(this::runAgain);
  }

  /**
   * {@return a suitable loop on its own thread}
   *
   * @param name of the thread
   * @param threads where it runs
   */
  public static SerialLoop thread(String name, Threads threads) {
    return SerialLoop.startVirtual(
        threads,
        name,
        1, // one run serves all wake-ups
        bug -> LOG.error("{}=failed", name, bug));
  }

  /** Begins. */
  public void start() {
    started = true;
    wake();
  }

  /** {@return whether it is ending: pending writes must be made now} */
  public boolean isEnding() {
    return ending;
  }

  /**
   * Records, from any thread, that another sender has reached the server again: an unanswered write
   * is retried immediately, unless the server requested a wait. This works once per series of
   * failures, so that a writer with its own problem does not retry at the rate of others'
   * successes.
   */
  public void serverIsBack() {
    serverBack = true;
    wake();
  }

  /** Wakes the loop, from any thread, because there may be something to write. */
  public void wake() {
    var _ = loop.offer(this::round); // the pending run will find it
  }

  /**
   * To be called by the task after a success.
   *
   * @return whether it is the first after failures
   */
  public boolean succeeded() {
    loop.requireInLoop();
    retry.succeeded();
    boolean afterwards = held;
    held = false;
    cutShort = false;
    serverBack = false;
    return afterwards;
  }

  /** To be called by the task at its end after a failure: delays the next run. */
  public void failed(ApiResult failure) {
    loop.requireInLoop();
    if (closed) {
      return; // the close has caused the failure
    }
    Duration wait = retry.failed(failure.requestedWait());
    if (!held) {
      LOG.warn(
          "{} failed, retrying reason=\"{}\" retry_seconds={}",
          name,
          failure.summary(),
          wait.toMillis() / 1000.0);
    }
    if (held && ending) {
      closed = true; // second failure, and no time left to wait
      return;
    }
    held = true;
    hopeful = !cutShort && failure instanceof Unanswered && failure.requestedWait().isEmpty();
    waiting = true;
    again.set(wait);
    if (serverBack) { // since this attempt began
      wake();
    }
  }

  private void runAgain() {
    waiting = false;
    round();
  }

  private void round() {
    loop.requireInLoop();
    if (waiting && hopeful && serverBack) {
      serverBack = false;
      cutShort = true;
      retry.succeeded();
      waiting = false;
    }
    if (!started || (waiting && !ending)) {
      return;
    }
    again.cancel();
    boolean last;
    boolean more;
    do {
      waiting = false;
      last = ending;
      more = !closed && writeNext();
    } while ((more && (ending || !waiting)) || (ending && !last));
    if (!waiting) {
      next.set(period.get());
    }
  }

  /** An internal error only delays the writes; otherwise they would stop unnoticed. */
  private boolean writeNext() {
    try {
      return task.getAsBoolean();
    } catch (RuntimeException bug) {
      if (!held) {
        LOG.error("{}=failed", name, bug);
      }
      failed(new Unanswered(bug.toString()));
      return true;
    }
  }

  /**
   * Ends as soon as the task has nothing to write or fails, at most after a timeout; unwritten
   * changes are lost.
   */
  public void finish(Duration atMost) {
    ending = true;
    wake();
    var _ = loop.finish(atMost);
    close();
  }

  /** Ends immediately; unwritten changes are lost. */
  @Override
  public void close() {
    closed = true;
    ending = true;
    loop.close();
    var _ = loop.awaitEnd(TIMEOUT);
  }
}
