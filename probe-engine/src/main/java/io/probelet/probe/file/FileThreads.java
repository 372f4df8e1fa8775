package io.probelet.probe.file;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A few platform threads for work on files, each piece against a deadline. A file that hangs in the
 * kernel holds one of them for as long as it does, and never a thread that others need. They end
 * when there is nothing to do.
 */
public final class FileThreads {
  /**
   * How long one piece of work may take, the wait for a thread included. A probe that needs it
   * waits no longer than its own timeout; making the first TLS context takes seconds on a starved
   * machine.
   */
  public static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final int THREADS = 4;

  /** More work than that is refused. */
  public static final int MAX_WAITING = 256;

  private static final int IDLE_SECONDS = 5;

  private final ThreadPoolExecutor threads;
  private final Duration deadline;

  /** Creates an idle pool. */
  public FileThreads() {
    this(DEADLINE);
  }

  FileThreads(Duration deadline) {
    this.deadline = deadline;
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().daemon().name("files-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** {@return pieces of work that wait for a thread, of at most {@link #MAX_WAITING}} */
  public int waiting() {
    return threads.getQueue().size();
  }

  /**
   * Does a piece of work.
   *
   * @param <T> what comes of it
   * @param work may block; interrupted when the deadline has passed
   * @param freed run when the work holds no thread any more, which may be long after the deadline
   * @return completed on one of the threads or, past the deadline, on another; fails with what the
   *     work threw, whatever that is, and with {@link BadFileException} when it was not done in
   *     time
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the answer carries the outcome
  <T> CompletableFuture<T> call(Callable<T> work, Runnable freed) {
    Work<T> running = new Work<>(work, freed);
    try {
      threads.execute(running);
    } catch (RejectedExecutionException full) {
      freed.run();
      return CompletableFuture.failedFuture(
          new BadFileException("more than " + MAX_WAITING + " files are waiting to be read", full));
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    running
        .result
        .orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((value, failure) -> {
          if (failure == null) {
            answer.complete(value);
          } else if (failure instanceof TimeoutException) {
            running.giveUp();
            answer.completeExceptionally(
                new BadFileException(
                    "files were not read within " + deadline.toMillis() + " ms", failure));
          } else {
            answer.completeExceptionally(failure);
          }
        });
    return answer;
  }

  /** One piece of work, from the queue to its end. */
  private static final class Work<T> implements Runnable {
    private final Callable<T> work;
    private final Runnable freed;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable Thread thread;

    Work(Callable<T> work, Runnable freed) {
      this.work = work;
      this.freed = freed;
    }

    @Override
    public void run() {
      try {
        if (begin()) {
          result.complete(work.call());
        }
      } catch (Throwable thrown) { // whoever waits must not wait for ever
        result.completeExceptionally(thrown);
      } finally {
        end();
        freed.run();
      }
    }

    private synchronized boolean begin() {
      thread = Thread.currentThread();
      return !result.isDone(); // given up on before its turn came
    }

    private synchronized void end() {
      thread = null;
      Thread.interrupted(); // meant for this work and not for the next
    }

    synchronized void giveUp() {
      if (thread != null) {
        thread.interrupt();
      }
    }
  }
}
