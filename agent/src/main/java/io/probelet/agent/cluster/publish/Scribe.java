package io.probelet.agent.cluster.publish;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of its own that writes one thing after another while there is something to write, and
 * looks again when there is news, or after 10 s.
 */
final class Scribe implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scribe.class);
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final Task task;
  private final Semaphore news = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Writes what is next. */
  @FunctionalInterface
  interface Task {
    /** {@return whether there was something to write} */
    boolean writeNext() throws InterruptedException;
  }

  /** Creates one that has not begun. */
  Scribe(String name, Task task) {
    this.task = task;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Says, from any thread, that there may be something to write. */
  void news() {
    news.release();
  }

  /** Holds the writing, unless it ends meanwhile. */
  void pause(Duration wait) throws InterruptedException {
    var _ = closed.await(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        if (!task.writeNext() && news.tryAcquire(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
          news.drainPermits();
        }
      }
    } catch (InterruptedException end) {
      LOG.debug("{}=ended", thread.getName());
    }
  }

  /** Ends the writing; what has not been written is lost. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
  }
}
