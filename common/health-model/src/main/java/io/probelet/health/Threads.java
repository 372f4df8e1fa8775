package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Creates threads, and waits for a limited time. It belongs to a {@link TimeSource}: a wait of a
 * second ends when that time has advanced by a second. In a simulation all threads take turns on a
 * single one, so that a seed always leads to the same history; there only waits through this
 * interface end in time. Unlimited waits, such as for a lock or a queue, need no such care.
 *
 * <p>A duration of zero or less does not wait, and one above {@link #LONGEST} counts as that. All
 * methods are thread-safe.
 */
public interface Threads {
  /** The threads and the time of this machine. */
  Threads MACHINE = MachineThreads.INSTANCE;

  /** Longer than any process runs, and short enough that sums in nanoseconds do not overflow. */
  Duration LONGEST = Duration.ofDays(36_500);

  /** {@return the monotonic time in which its waits pass, as {@link TimeSource#nanoTime}} */
  long nanoTime();

  /** {@return a builder of virtual threads, for work that waits more than it computes} */
  Thread.Builder ofVirtual();

  /**
   * {@return a builder of daemon platform threads, for work that computes or blocks in the kernel}
   */
  Thread.Builder ofPlatform();

  /**
   * Waits.
   *
   * @param length the duration
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  void sleep(Duration length) throws InterruptedException;

  /**
   * Waits for a result.
   *
   * @param future the future result
   * @param timeout the longest wait
   * @param <T> its type
   * @return the result
   * @throws ExecutionException if the future failed
   * @throws TimeoutException if it is not done in time; it stays as it is
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  <T> T get(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, ExecutionException, TimeoutException;

  /**
   * Waits until a latch is open.
   *
   * @param latch the latch
   * @param timeout the longest wait
   * @return whether it is open
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException;

  /**
   * Waits until an executor that was shut down has ended.
   *
   * @param executor the executor
   * @param timeout the longest wait
   * @return whether it has ended
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  boolean awaitEnd(ExecutorService executor, Duration timeout) throws InterruptedException;

  /**
   * Lets an executor finish its tasks; it accepts no more. An interrupt ends the wait, and is
   * preserved.
   *
   * @param threads where the wait passes
   * @param executor the executor
   * @param timeout the longest wait
   * @return whether all tasks are done
   */
  static boolean finish(Threads threads, ExecutorService executor, Duration timeout) {
    executor.shutdown();
    try {
      return threads.awaitEnd(executor, timeout);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Completes a future that is not done in time.
   *
   * @param future the future
   * @param value its result in that case
   * @param timeout the time it has
   * @param <T> the type of its result
   * @return the same future
   */
  <T extends @Nullable Object> CompletableFuture<T> completeOnTimeout(
      CompletableFuture<T> future, T value, Duration timeout);

  /**
   * {@return a condition of a lock, whose limited waits end in this time}
   *
   * @param lock the lock
   */
  Condition condition(Lock lock);
}
