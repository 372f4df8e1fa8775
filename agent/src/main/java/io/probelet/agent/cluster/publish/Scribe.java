package io.probelet.agent.cluster.publish;

import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.Pace;
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
 * looks again when there is news, or after a while. What fails holds it for as long as the API
 * server wants, longer each time.
 */
final class Scribe implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scribe.class);

  private final String name;
  private final Supplier<Duration> look;
  private final Task task;
  private final Pace pace;
  private final Semaphore news = new Semaphore(0);
  private final Semaphore hurry = new Semaphore(0);
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  // On the scribe's own thread only.
  private boolean held;
  private boolean hurried;

  /** Writes what is next. */
  @FunctionalInterface
  interface Task {
    /** {@return whether there may be more to write} */
    boolean writeNext() throws InterruptedException;
  }

  /**
   * Creates one that has not begun.
   *
   * @param name of what is written, for the log
   * @param look after which it looks again without news; asked each time
   * @param task writes
   * @param random spreads what the agents of a cluster do
   */
  Scribe(String name, Supplier<Duration> look, Task task, RandomGenerator random) {
    this(name, look, task, new Pace(random));
  }

  /** Creates one that waits after failures as {@code pace} says. */
  Scribe(String name, Supplier<Duration> look, Task task, Pace pace) {
    this.name = name;
    this.look = look;
    this.task = task;
    this.pace = pace;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Whether it is about to end: what is to be written at all is to be written now. */
  boolean isEnding() {
    return ending.getCount() == 0;
  }

  /**
   * Says, from any thread, that another has reached the server again: what got no answer is tried
   * now, unless the server asked to be left alone. In a row of failures that helps once, so that a
   * writer whose trouble is its own does not run at the pace of others' successes.
   */
  void serverIsBack() {
    hurry.release();
  }

  /** Says, from any thread, that there may be something to write. */
  void news() {
    news.release();
  }

  /**
   * To be told by the task of what was written.
   *
   * @return whether it is the first after a time in which the writing was held
   */
  boolean written() {
    pace.succeeded();
    boolean again = held;
    held = false;
    hurried = false;
    hurry.drainPermits();
    return again;
  }

  /**
   * To be told by the task of what was not written; holds the writing, unless it ends meanwhile.
   */
  void hold(ApiResult failure) throws InterruptedException {
    if (closed.getCount() == 0) {
      return; // which is why it failed
    }
    Duration wait = pace.failed(failure.requestedWait());
    if (!held) {
      LOG.warn("{}=held reason=\"{}\" again-in={}ms", name, failure.summary(), wait.toMillis());
    }
    if (held && isEnding()) {
      closed.countDown(); // it failed before, and there is no time left to wait
      return;
    }
    held = true;
    if (hurried
        || isEnding()
        || !(failure instanceof Unanswered)
        || failure.requestedWait().isPresent()) {
      var _ = ending.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    } else if (hurry.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
      hurried = true;
      pace.succeeded();
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
        if (news.tryAcquire(look.get().toNanos(), TimeUnit.NANOSECONDS)) {
          news.drainPermits();
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
      hold(new Unanswered(bug.toString()));
      return true;
    }
  }

  /**
   * Ends the writing as soon as the task has nothing to write, or fails, and no later than so long
   * from now; what has not been written by then is lost.
   */
  void finish(Duration atMost) {
    ending.countDown();
    hurry.release();
    news();
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
