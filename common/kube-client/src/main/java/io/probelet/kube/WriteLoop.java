package io.probelet.kube;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.kube.ApiResult.Unanswered;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one thing after another, on a loop of its own, while there is something to write, and asks
 * for more when it is woken, or after a while. What fails holds it for as long as the API server
 * wants, longer each time.
 */
public final class WriteLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLoop.class);

  /** A request that is interrupted ends at once. */
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

  // Of the loop only.
  private boolean held;
  private boolean cutShort;

  /** Whether it waits after a failure. */
  private boolean waiting;

  /** Whether that wait ends when another reaches the server. */
  private boolean hopeful;

  /**
   * Creates one that has not begun.
   *
   * @param period after which it asks the task again without being woken; asked each time
   * @param task writes one thing, if there is one, on a thread that may wait for it; returns
   *     whether there may be more to write
   */
  public WriteLoop(
      String name, Supplier<Duration> period, BooleanSupplier task, RandomGenerator random) {
    this(name, period, task, new ApiRetry(random), thread(name));
  }

  /**
   * Creates one that has not begun, on a loop of the caller's.
   *
   * @param period after which it asks the task again without being woken; asked each time
   * @param task writes one thing, if there is one; returns whether there may be more to write
   * @param retry says how long it waits after failures
   * @param loop for nobody else; closed with this
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
    this.again = loop.alarm(this::goOn);
  }

  /**
   * {@return a loop as is needed here, on a thread of its own}
   *
   * @param name of the thread
   */
  public static SerialLoop thread(String name) {
    return SerialLoop.start(
        Thread.ofVirtual().name(name).factory(),
        1, // one round does for all who wake it
        bug -> LOG.error("{}=failed", name, bug));
  }

  /** Begins. */
  public void start() {
    started = true;
    wake();
  }

  /** {@return whether it is about to end: what is to be written at all is to be written now} */
  public boolean isEnding() {
    return ending;
  }

  /**
   * Says, from any thread, that another has reached the server again: what got no answer is tried
   * now, unless the server asked to be left alone. In a row of failures that helps once, so that a
   * writer whose trouble is its own does not run at the rate of others' successes.
   */
  public void serverIsBack() {
    serverBack = true;
    wake();
  }

  /** Says, from any thread, that there may be something to write. */
  public void wake() {
    var _ = loop.offer(this::round); // the one that waits already will find it
  }

  /**
   * To be called by the task after a success.
   *
   * @return whether it is the first after a time in which the writing was held
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

  /** To be called by the task after a failure, at its end: it is not asked again for a while. */
  public void failed(ApiResult failure) {
    loop.requireInLoop();
    if (closed) {
      return; // which is why it failed
    }
    Duration wait = retry.failed(failure.requestedWait());
    if (!held) {
      LOG.warn(
          "{} failed, retrying reason=\"{}\" again-in={}ms",
          name,
          failure.summary(),
          wait.toMillis());
    }
    if (held && ending) {
      closed = true; // it failed before, and there is no time left to wait
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

  private void goOn() {
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

  /** Nobody would notice that nothing is written: a mistake of ours holds the writing, no more. */
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
   * Ends the writing as soon as the task has nothing to write, or fails, and no later than so long
   * from now; what has not been written by then is lost.
   */
  public void finish(Duration atMost) {
    ending = true;
    wake();
    var _ = loop.finish(atMost);
    close();
  }

  /** Ends the writing; what has not been written is lost. */
  @Override
  public void close() {
    closed = true;
    ending = true;
    loop.close();
    var _ = loop.awaitEnd(TIMEOUT);
  }
}
