package io.probelet.checks;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.checks.result.CheckAggregator;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Carries out all checks of one object side by side, within the time they are given (CH-5). */
final class CheckRunner<T> {
  private final List<RegisteredCheck<T>> checks;
  private final KubernetesClient source;
  private final @Nullable Function<T, KubernetesClient> targets;
  private final Duration budget;
  private final ExecutorService workers;
  private final SharedReads reads;
  private final Semaphore requests;

  CheckRunner(
      List<RegisteredCheck<T>> checks,
      KubernetesClient source,
      @Nullable Function<T, KubernetesClient> targets,
      Duration budget,
      ExecutorService workers,
      SharedReads reads,
      Semaphore requests) {
    this.reads = reads;
    this.requests = requests;
    this.checks = checks;
    this.source = source;
    this.targets = targets;
    this.budget = budget;
    this.workers = workers;
  }

  /** {@return one update per condition type, in the order of registration} */
  Map<String, ConditionUpdate> check(T object) throws InterruptedException {
    Target<T> target = new Target<>(object, source, targets);
    Set<RegisteredCheck<T>> begun = ConcurrentHashMap.newKeySet();
    List<Callable<CheckResult>> calls = new ArrayList<>();
    for (RegisteredCheck<T> check : checks) {
      Run<T> run = new Run<>(object, source, target, reads, check.logger());
      calls.add(() -> execute(check, run, begun));
    }
    // What is not done in time is interrupted, and not waited for in case it ignores that.
    List<Future<CheckResult>> results =
        workers.invokeAll(calls, budget.toNanos(), TimeUnit.NANOSECONDS);
    Map<String, List<CheckResult>> byType = new LinkedHashMap<>();
    for (int i = 0; i < checks.size(); i++) {
      byType
          .computeIfAbsent(checks.get(i).conditionType(), type -> new ArrayList<>())
          .add(result(results.get(i), begun.contains(checks.get(i))));
    }
    return mapped(byType, CheckAggregator::aggregate);
  }

  /** {@return the same update for every condition type} */
  Map<String, ConditionUpdate> all(ConditionUpdate update) {
    Map<String, ConditionUpdate> updates = new LinkedHashMap<>();
    checks.forEach(check -> updates.put(check.conditionType(), update));
    return updates;
  }

  /** CH-49: so many at a time, as the API server and what is between bear no more at once. */
  private CheckResult execute(RegisteredCheck<T> check, Run<T> run, Set<RegisteredCheck<T>> begun)
      throws InterruptedException {
    requests.acquire();
    try {
      begun.add(check);
      return check.execute(run);
    } finally {
      requests.release();
    }
  }

  private CheckResult result(Future<CheckResult> future, boolean begun) {
    return future.state() == Future.State.SUCCESS
        ? future.resultNow()
        : CheckResult.notExecuted(
            begun
                ? "timed out after " + GoDuration.format(budget)
                : "not started within "
                    + GoDuration.format(budget)
                    + " because other checks took too long");
  }

  private static <A, B> Map<String, B> mapped(Map<String, A> map, Function<A, B> function) {
    Map<String, B> mapped = new LinkedHashMap<>();
    map.forEach((key, value) -> mapped.put(key, function.apply(value)));
    return mapped;
  }

  /** What one check of an object is given. */
  private record Run<T>(
      T object, KubernetesClient source, Target<T> targets, SharedReads reads, Logger logger)
      implements CheckRun<T> {

    @Override
    public <D extends HasMetadata> Optional<D> find(
        KubernetesClient client, ObjectKind<D> kind, @Nullable String namespace, String name)
        throws InterruptedException {
      return reads.find(client, kind, namespace, name);
    }

    @Override
    public KubernetesClient target() {
      return targets.client();
    }
  }

  /** Builds an object's target client for the first check that asks; all get its failure. */
  private static final class Target<T> {
    private final T object;
    private final KubernetesClient source;
    private final @Nullable Function<T, KubernetesClient> targets;
    private @Nullable KubernetesClient target;
    private @Nullable TargetUnavailableException failure;

    Target(T object, KubernetesClient source, @Nullable Function<T, KubernetesClient> targets) {
      this.object = object;
      this.source = source;
      this.targets = targets;
    }

    synchronized KubernetesClient client() {
      if (targets == null) {
        return source;
      }
      if (failure != null) {
        throw failure;
      }
      if (target == null) {
        try {
          target = targets.apply(object);
        } catch (RuntimeException e) {
          failure = new TargetUnavailableException(e);
          throw failure;
        }
      }
      return target;
    }
  }
}
