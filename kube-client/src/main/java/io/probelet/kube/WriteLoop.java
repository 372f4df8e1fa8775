package io.probelet.kube;

import io.probelet.kube.ApiResult.Unanswered;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of its own that writes one thing after another while there is something to write, and
 * asks for more when it is woken, or after a while. What fails holds it for as long as the API
 * server wants, longer each time.
 */
public final class WriteLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLoop.class);

  private final String name;
  private final Supplier<Duration> period;
  private final Task task;
  private final ApiRetry retry;
  private final Semaphore woken = new Semaphore(0);
  private final Semaphore serverBack = new Semaphore(0);
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  // On the loop's own thread only.
  private boolean held;
  private boolean cutShort;

  /** Writes what is next. */
  @FunctionalInterface
  public interface Task {
    /**
     * Writes one thing, if there is one.
     *
     * @return whether there may be more to write
     * @throws InterruptedException if the writing ends
     */
    boolean writeNext() throws InterruptedException;
  }

  /**
   * Creates one that has not begun.
   *
   * @param name of what is written, for the log
   * @param period after which it asks the task again without being woken; asked each time
   * @param task writes
   * @param random spreads what the agents of a cluster do
   */
  public WriteLoop(String name, Supplier<Duration> period, Task task, RandomGenerator random) {
    this(name, period, task, new ApiRetry(random));
  }

  /** Creates one that waits after failures as {@code retry} says. */
  WriteLoop(String name, Supplier<Duration> period, Task task, ApiRetry retry) {
    this.name = name;
    this.period = period;
    this.task = task;
    this.retry = retry;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** {@return whether it is about to end: what is to be written at all is to be written now} */
  public boolean isEnding() {
    return ending.getCount() == 0;
  }

  /**
   * Says, from any thread, that another has reached the server again: what got no answer is tried
   * now, unless the server asked to be left alone. In a row of failures that helps once, so that a
   * writer whose trouble is its own does not run at the rate of others' successes.
   */
  public void serverIsBack() {
    serverBack.release();
  }

  /** Says, from any thread, that there may be something to write. */
  public void wake() {
    woken.release();
  }

  /**
   * To be called by the task after a success.
   *
   * @return whether it is the first after a time in which the writing was held
   */
  public boolean succeeded() {
    retry.succeeded();
    boolean again = held;
    held = false;
    cutShort = false;
    serverBack.drainPermits();
    return again;
  }

  /**
   * To be called by the task after a failure; holds the writing, unless it ends meanwhile.
   *
   * @param failure what came of the request
   * @throws InterruptedException if the writing ends
   */
  public void failed(ApiResult failure) throws InterruptedException {
    if (closed.getCount() == 0) {
      return; // which is why it failed
    }
    Duration wait = retry.failed(failure.requestedWait());
    if (!held) {
      LOG.warn("{}=held reason=\"{}\" again-in={}ms", name, failure.summary(), wait.toMillis());
    }
    if (held && isEnding()) {
      closed.countDown(); // it failed before, and there is no time left to wait
      return;
    }
    held = true;
    if (cutShort
        || isEnding()
        || !(failure instanceof Unanswered)
        || failure.requestedWait().isPresent()) {
      var _ = ending.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    } else if (serverBack.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
      cutShort = true;
      retry.succeeded();
    }
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        boolean last = isEnding();
        if (writeNext()) {
          continue;
        }
        if (last) {
          return;
        }
        if (woken.tryAcquire(period.get().toNanos(), TimeUnit.NANOSECONDS)) {
          woken.drainPermits();
        }
      }
    } catch (InterruptedException end) {
      LOG.debug("{}=ended", name);
    }
  }

  /** Nobody would notice that a thread is gone: a mistake of ours holds the writing, no more. */
  private boolean writeNext() throws InterruptedException {
    try {
      return task.writeNext();
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
   *
   * @param atMost how long
   */
  public void finish(Duration atMost) {
    ending.countDown();
    serverBack.release();
    wake();
    try {
      if (thread.isAlive()) {
        var _ = thread.join(atMost);
      }
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  /** Ends the writing; what has not been written is lost. */
  @Override
  public void close() {
    closed.countDown();
    ending.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
  }
}
