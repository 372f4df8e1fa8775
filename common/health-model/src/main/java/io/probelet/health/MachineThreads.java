package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** The JVM's own threads and waits. */
enum MachineThreads implements Threads {
  INSTANCE;

  @Override
  public long nanoTime() {
    return SystemClock.INSTANCE.nanoTime();
  }

  @Override
  public Thread.Builder ofVirtual() {
    return Thread.ofVirtual();
  }

  @Override
  public Thread.Builder ofPlatform() {
    return Thread.ofPlatform().daemon();
  }

  @Override
  public void sleep(Duration length) throws InterruptedException {
    Thread.sleep(bounded(length));
  }

  @Override
  public <T> T get(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException {
    return latch.await(bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean awaitEnd(ExecutorService executor, Duration timeout) throws InterruptedException {
    return executor.awaitTermination(bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> completeOnTimeout(
      CompletableFuture<T> future, T value, Duration timeout) {
    return future.completeOnTimeout(value, bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public Condition condition(Lock lock) {
    return lock.newCondition();
  }

  private static Duration bounded(Duration length) {
    return length.compareTo(LONGEST) < 0 ? length : LONGEST;
  }
}
