package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.checks.error.ErrorCodeClassifier;
import io.probelet.health.SerialLoop;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers checks for one kind of resource (CH-3).
 *
 * <pre>{@code
 * HealthChecks.of(Shop.class)
 *     .check("DatabaseHealthy", ObjectInCluster.named(StatefulSet.class, "db"))
 *     .start(client);
 * }</pre>
 *
 * <p>Not thread-safe; the controller that {@link #start} returns is.
 *
 * @param <T> the kind of resource
 */
public final class HealthChecks<T extends HasMetadata> {

  /** Default interval between the rounds of an object (CH-5). */
  public static final Duration DEFAULT_SYNC_PERIOD = Duration.ofSeconds(30);

  /** Default maximum number of concurrent checks and writes (CH-49). */
  public static final int DEFAULT_CONCURRENCY = 32;

  /** Maximum time for which an object that several checks need is cached. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final ResourceAccess<T> access;
  private final List<RegisteredCheck<T>> checks = new ArrayList<>();
  private final Map<String, String> labels = new HashMap<>();
  private final Set<String> removedTypes = new HashSet<>();
  private @Nullable String namespace;
  private Duration syncPeriod = DEFAULT_SYNC_PERIOD;
  private Predicate<T> selected = object -> true;
  private BiPredicate<T, T> changed = HealthChecks::isNewGeneration;
  private Predicate<T> migrating = object -> false;
  private Predicate<T> hibernated = object -> false;
  private @Nullable Function<T, KubernetesClient> target;
  private TimeSource time = SystemClock.INSTANCE;
  private ProgressingStatus progressing = ProgressingStatus.WHERE_ACCEPTED;
  private Predicate<GenericKubernetesResource> ofSpecType = object -> true;
  private int concurrency = DEFAULT_CONCURRENCY;
  private RandomGenerator random = RandomGenerator.getDefault();

  private HealthChecks(ResourceAccess<T> access) {
    this.access = access;
  }

  /**
   * {@return an empty registration for a kind with a model class}
   *
   * @param kind the class, fabric8's or the author's own
   * @param <T> the kind of resource
   */
  public static <T extends HasMetadata> HealthChecks<T> of(Class<T> kind) {
    return new HealthChecks<>(ResourceAccess.typed(kind));
  }

  /**
   * {@return an empty registration for any kind}
   *
   * @param kind group, version, kind, plural name and scope
   */
  public static HealthChecks<GenericKubernetesResource> of(ResourceDefinitionContext kind) {
    return new HealthChecks<>(ResourceAccess.generic(kind));
  }

  /**
   * Adds a check. Several checks may feed one condition type; they are reported in the order of
   * registration.
   *
   * @param conditionType the condition it feeds, for example {@code DatabaseHealthy}
   * @param check the check
   * @return this registration
   * @throws IllegalArgumentException if the type is blank
   */
  public HealthChecks<T> check(String conditionType, HealthCheck<? super T> check) {
    return check(conditionType, run -> true, check, ErrorCodeClassifier.NONE);
  }

  /**
   * Adds a check with a pre-check.
   *
   * @param conditionType the condition it feeds
   * @param preCheck whether the check applies; where it does not, it counts as successful (CH-6)
   * @param check the check
   * @return this registration
   * @throws IllegalArgumentException if the type is blank
   */
  public HealthChecks<T> check(
      String conditionType, Predicate<CheckRun<T>> preCheck, HealthCheck<? super T> check) {
    return check(conditionType, preCheck, check, ErrorCodeClassifier.NONE);
  }

  /**
   * Adds a check with a pre-check and a classifier of its own.
   *
   * @param conditionType the condition it feeds
   * @param preCheck whether the check applies; where it does not, it counts as successful (CH-6)
   * @param check the check
   * @param codes detects error codes in the details of a result
   * @return this registration
   * @throws IllegalArgumentException if the type is blank
   */
  public HealthChecks<T> check(
      String conditionType,
      Predicate<CheckRun<T>> preCheck,
      HealthCheck<? super T> check,
      ErrorCodeClassifier codes) {
    if (conditionType.isBlank()) {
      throw new IllegalArgumentException("a check requires a condition type, such as Ready");
    }
    checks.add(
        new RegisteredCheck<>(
            conditionType, logger(conditionType), preCheck, narrowed(check), codes));
    return this;
  }

  private Logger logger(String conditionType) {
    long before =
        checks.stream().filter(check -> check.conditionType().equals(conditionType)).count();
    return LoggerFactory.getLogger(loggerName(access.kind(), conditionType, before));
  }

  /**
   * {@return the logger's name for a check, given the number of earlier checks of the same
   * condition type}
   */
  static String loggerName(String kind, String conditionType, long before) {
    return "%s.%s.%s%s"
        .formatted(
            HealthChecks.class.getPackageName(),
            kind,
            conditionType,
            before == 0 ? "" : "." + (before + 1));
  }

  /**
   * Watches one namespace only. By default all namespaces are watched.
   *
   * @param name the namespace
   * @return this registration
   */
  public HealthChecks<T> inNamespace(String name) {
    namespace = name;
    return this;
  }

  /**
   * Watches only objects with this label. Call it again to require further labels.
   *
   * @param key the label
   * @param value its value
   * @return this registration
   */
  public HealthChecks<T> labelled(String key, String value) {
    labels.put(key, value);
    return this;
  }

  /**
   * Checks only objects whose {@code spec.type} is this.
   *
   * @param type the value
   * @return this registration
   */
  public HealthChecks<T> ofSpecType(String type) {
    // of the untyped object: a model class may leave out spec.type
    ofSpecType = ofSpecType.and(object -> ResourceAccess.hasSpecType(object, type));
    return this;
  }

  /**
   * Checks only objects that match. Call it again to add further predicates.
   *
   * @param predicate the condition
   * @return this registration
   */
  public HealthChecks<T> when(Predicate<? super T> predicate) {
    selected = selected.and(predicate);
    return this;
  }

  /**
   * Sets which updates are checked immediately. By default those with a new {@code
   * metadata.generation}.
   *
   * @param predicate given the old and the new object
   * @return this registration
   */
  public HealthChecks<T> onChange(BiPredicate<T, T> predicate) {
    changed = predicate;
    return this;
  }

  /**
   * Sets which objects are being migrated. They are skipped, like objects that are being deleted
   * (CH-6).
   *
   * @param predicate holds for them
   * @return this registration
   */
  public HealthChecks<T> migratingWhen(Predicate<T> predicate) {
    migrating = predicate;
    return this;
  }

  /**
   * Sets which objects are hibernated. All their conditions are True without a check (CH-6).
   *
   * @param predicate holds for them
   * @return this registration
   */
  public HealthChecks<T> hibernatedWhen(Predicate<T> predicate) {
    hibernated = predicate;
    return this;
  }

  /**
   * Removes condition types from the status that an earlier version of the operator wrote (CH-2).
   *
   * @param types the types
   * @return this registration
   */
  public HealthChecks<T> removing(String... types) {
    removedTypes.addAll(List.of(types));
    return this;
  }

  /**
   * Sets which status conditions of this kind have while something is progressing.
   *
   * @param status {@link ProgressingStatus#WHERE_ACCEPTED} unless set otherwise
   * @return this registration
   */
  public HealthChecks<T> progressing(ProgressingStatus status) {
    progressing = status;
    return this;
  }

  /**
   * Sets the target cluster that an object represents.
   *
   * @param client builds a client for the target cluster. Called at most once per object and round,
   *     and only if a check needs it. The library does not close the client
   * @return this registration
   */
  public HealthChecks<T> target(Function<T, KubernetesClient> client) {
    target = client;
    return this;
  }

  /**
   * Sets the sync period: the interval between rounds, which is also the time limit of a round.
   *
   * @param period more than 0
   * @return this registration
   * @throws IllegalArgumentException if it is not
   */
  public HealthChecks<T> every(Duration period) {
    if (!period.isPositive()) {
      throw new IllegalArgumentException("sync period is " + period + "; use more than 0");
    }
    syncPeriod = period;
    return this;
  }

  /**
   * Sets the maximum number of concurrent checks and writes. Others wait; their waiting time counts
   * towards their period.
   *
   * @param most 1 or more
   * @return this registration
   * @throws IllegalArgumentException if it is less
   */
  public HealthChecks<T> concurrency(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("concurrency is " + most + "; use 1 or more");
    }
    concurrency = most;
    return this;
  }

  /** Sets the random generator that spreads the first rounds; for tests. */
  HealthChecks<T> random(RandomGenerator generator) {
    random = generator;
    return this;
  }

  /**
   * Sets the clock for the times in conditions.
   *
   * @param source the clock
   * @return this registration
   */
  public HealthChecks<T> clock(TimeSource source) {
    time = source;
    return this;
  }

  /**
   * Starts watching and checking. Returns immediately.
   *
   * @param client for the cluster that holds the objects. Close it yourself, after the controller
   * @return the running controller, to be closed
   * @throws IllegalStateException if no check was registered
   */
  public HealthCheckController<T> start(KubernetesClient client) {
    if (checks.isEmpty()) {
      throw new IllegalStateException("no check was registered; add one with check(…)");
    }
    SerialLoop loop = HealthCheckController.loop();
    try {
      return start(client, loop);
    } catch (RuntimeException e) { // the watch failed, and the caller gets nothing to close
      loop.close();
      throw e;
    }
  }

  /** Starts with a loop given by the caller; for tests. */
  HealthCheckController<T> start(KubernetesClient client, SerialLoop loop) {
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    Semaphore requests = new Semaphore(concurrency);
    Duration quarter = syncPeriod.dividedBy(4);
    SharedReads reads = new SharedReads(quarter.compareTo(FRESH) < 0 ? quarter : FRESH, time);
    CheckRunner<T> runner =
        new CheckRunner<>(
            List.copyOf(checks), client, target, syncPeriod, workers, reads, requests);
    ConditionWriter writer =
        new ConditionWriter(access, client, Set.copyOf(removedTypes), progressing, time);
    Function<GenericKubernetesResource, T> typed = object -> access.typed(client, object);
    return new HealthCheckController<>(
        new ObjectCycle<>(
            typed, runner, writer, migrating, hibernated, syncPeriod, workers, requests),
        object -> ofSpecType.test(object) && isSelected(typed, object),
        (old, object) -> isChanged(typed, old, object),
        this::wasChecked,
        () -> Duration.ofNanos(random.nextLong(syncPeriod.toNanos())),
        syncPeriod,
        loop,
        workers,
        events -> access.watch(client, namespace, Map.copyOf(labels), events));
  }

  /** Whether an object already has all its conditions, from before this controller started. */
  private boolean wasChecked(GenericKubernetesResource object) {
    ConditionList said;
    try {
      said = ConditionList.of(ResourceAccess.conditions(object));
    } catch (IllegalStateException otherForm) {
      return false;
    }
    return checks.stream().allMatch(check -> said.find(check.conditionType()).isPresent());
  }

  /**
   * An object that does not fit its class is still checked if it was before, so that its conditions
   * report that.
   */
  private boolean isSelected(
      Function<GenericKubernetesResource, T> typed, GenericKubernetesResource object) {
    T read;
    try {
      read = typed.apply(object);
    } catch (IllegalArgumentException unreadable) {
      return wasChecked(object);
    }
    return selected.test(read);
  }

  private boolean isChanged(
      Function<GenericKubernetesResource, T> typed,
      GenericKubernetesResource old,
      GenericKubernetesResource now) {
    T before;
    T after;
    try {
      before = typed.apply(old);
      after = typed.apply(now);
    } catch (IllegalArgumentException unreadable) {
      return isNewGeneration(old, now);
    }
    return changed.test(before, after);
  }

  private static boolean isNewGeneration(HasMetadata old, HasMetadata now) {
    return !Objects.equals(old.getMetadata().getGeneration(), now.getMetadata().getGeneration());
  }

  @SuppressWarnings("unchecked") // a check only reads from its run
  private static <T> HealthCheck<T> narrowed(HealthCheck<? super T> check) {
    return (HealthCheck<T>) check;
  }
}
