package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.checks.result.CheckAggregator;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One round for one object: check, then write. Each has a sync period of its own, so that checks
 * that took all of theirs are still reported (CH-5).
 */
final class ObjectCycle<T extends HasMetadata> {
  private final Function<GenericKubernetesResource, T> typed;
  private final CheckRunner<T> runner;
  private final ConditionWriter writer;
  private final Predicate<T> migrating;
  private final Predicate<T> hibernated;
  private final Duration budget;
  private final ExecutorService workers;
  private final Semaphore requests;

  ObjectCycle(
      Function<GenericKubernetesResource, T> typed,
      CheckRunner<T> runner,
      ConditionWriter writer,
      Predicate<T> migrating,
      Predicate<T> hibernated,
      Duration budget,
      ExecutorService workers,
      Semaphore requests) {
    this.typed = typed;
    this.requests = requests;
    this.runner = runner;
    this.writer = writer;
    this.migrating = migrating;
    this.hibernated = hibernated;
    this.budget = budget;
    this.workers = workers;
  }

  /** Throws what kept the status from being written. */
  void run(GenericKubernetesResource object)
      throws ExecutionException, TimeoutException, InterruptedException {
    if (object.getMetadata().getDeletionTimestamp() != null) {
      return; // CH-6: what leaves is not checked any more
    }
    Map<String, ConditionUpdate> updates = updatesOf(object);
    if (!updates.isEmpty()) {
      write(object, updates);
    }
  }

  private void write(GenericKubernetesResource object, Map<String, ConditionUpdate> updates)
      throws ExecutionException, TimeoutException, InterruptedException {
    Callable<Boolean> write =
        () -> {
          requests.acquire();
          try {
            writer.write(object, updates);
          } finally {
            requests.release();
          }
          return true;
        };
    Future<Boolean> written =
        workers.invokeAll(List.of(write), budget.toNanos(), TimeUnit.NANOSECONDS).getFirst();
    if (written.isCancelled()) {
      throw new TimeoutException("timed out after " + GoDuration.format(budget));
    }
    written.get();
  }

  private Map<String, ConditionUpdate> updatesOf(GenericKubernetesResource object)
      throws InterruptedException {
    T read;
    try {
      read = typed.apply(object);
    } catch (IllegalArgumentException e) { // CH-10: its class cannot hold it
      return runner.all(
          CheckAggregator.notExecuted(
              "cannot be read as a " + object.getKind() + ": " + ApiErrorText.of(e)));
    }
    return migrating.test(read) ? Map.of() : updates(read);
  }

  private Map<String, ConditionUpdate> updates(T object) throws InterruptedException {
    if (hibernated.test(object)) {
      return runner.all(CheckAggregator.hibernated(object.getKind())); // CH-6: asleep on purpose
    }
    try {
      return runner.check(object);
    } catch (RuntimeException e) {
      // CH-10: not checked is Unknown, never fine
      return runner.all(CheckAggregator.notExecuted(ApiErrorText.of(e)));
    }
  }
}
