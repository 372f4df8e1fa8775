package io.probelet.simulation.api;

import io.probelet.simulation.kernel.SimulatedProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future whose limited waits, and those of all futures derived from it, end in the time of a
 * process.
 */
final class ProcessFuture<T> extends CompletableFuture<T> {
  private final SimulatedProcess process;

  ProcessFuture(SimulatedProcess process) {
    this.process = process;
  }

  /** {@return one that is done when another is; cancelling it cancels the other} */
  static <T> ProcessFuture<T> of(SimulatedProcess process, CompletableFuture<T> other) {
    ProcessFuture<T> future = new ProcessFuture<>(process);
    var _ =
        other.whenComplete((value, failure) -> {
          if (failure == null) {
            future.complete(value);
          } else {
            future.completeExceptionally(failure);
          }
        });
    var _ =
        future.whenComplete((_, _) -> {
          if (future.isCancelled()) {
            other.cancel(true);
          }
        });
    return future;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new ProcessFuture<>(process);
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return process.get(this, Duration.ofNanos(unit.toNanos(timeout)));
  }
}
