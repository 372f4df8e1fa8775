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
 * The registration of checks for one kind of resource (CH-3).
 *
 * <pre>{@code
 * HealthChecks.of(Shop.class)
 *     .check("DatabaseHealthy", ObjectInCluster.named(StatefulSet.class, "db"))
 *     .start(client);
 * }</pre>
 *
 * <p>Not safe for use by several threads; what {@link #start} returns is.
 *
 * @param <T> the kind of resource
 */
public final class HealthChecks<T extends HasMetadata> {

  /** How often each object is checked unless set otherwise (CH-5). */
  public static final Duration DEFAULT_SYNC_PERIOD = Duration.ofSeconds(30);

  /** How many checks and writes are under way at once unless set otherwise (CH-49). */
  public static final int DEFAULT_CONCURRENCY = 32;

  /** For how long at most an object that several checks need is read once. */
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
   * Adds a check; several may feed one condition type, and are reported in this order.
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
   * @param codes finds error codes in the details of what is wrong
   * @return this registration
   * @throws IllegalArgumentException if the type is blank
   */
  public HealthChecks<T> check(
      String conditionType,
      Predicate<CheckRun<T>> preCheck,
      HealthCheck<? super T> check,
      ErrorCodeClassifier codes) {
    if (conditionType.isBlank()) {
      throw new IllegalArgumentException("a check needs a condition type, such as Ready");
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

  /** {@return the name for a check of a condition type that so many others were added for} */
  static String loggerName(String kind, String conditionType, long before) {
    return "%s.%s.%s%s"
        .formatted(
            HealthChecks.class.getPackageName(),
            kind,
            conditionType,
            before == 0 ? "" : "." + (before + 1));
  }

  /**
   * Watches one namespace only; all of them otherwise.
   *
   * @param name the namespace
   * @return this registration
   */
  public HealthChecks<T> inNamespace(String name) {
    namespace = name;
    return this;
  }

  /**
   * Watches only objects with this label; may be given several times.
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
   * Checks only objects for which this holds; may be given several times.
   *
   * @param predicate the condition
   * @return this registration
   */
  public HealthChecks<T> when(Predicate<? super T> predicate) {
    selected = selected.and(predicate);
    return this;
  }

  /**
   * Says which updates are checked at once; a new {@code metadata.generation} otherwise.
   *
   * @param predicate given the old and the new object
   * @return this registration
   */
  public HealthChecks<T> onChange(BiPredicate<T, T> predicate) {
    changed = predicate;
    return this;
  }

  /**
   * Says which objects are on their way elsewhere: they are left alone, as are deleted ones (CH-6).
   *
   * @param predicate holds for them
   * @return this registration
   */
  public HealthChecks<T> migratingWhen(Predicate<T> predicate) {
    migrating = predicate;
    return this;
  }

  /**
   * Says which objects are hibernated: all their conditions are True without a check (CH-6).
   *
   * @param predicate holds for them
   * @return this registration
   */
  public HealthChecks<T> hibernatedWhen(Predicate<T> predicate) {
    hibernated = predicate;
    return this;
  }

  /**
   * Takes condition types out of the status that an earlier version wrote (CH-2).
   *
   * @param types the types
   * @return this registration
   */
  public HealthChecks<T> removing(String... types) {
    removedTypes.addAll(List.of(types));
    return this;
  }

  /**
   * Sets how conditions of this kind say that something is progressing.
   *
   * @param status {@link ProgressingStatus#WHERE_ACCEPTED} unless set otherwise
   * @return this registration
   */
  public HealthChecks<T> progressing(ProgressingStatus status) {
    progressing = status;
    return this;
  }

  /**
   * Names the cluster that objects represent.
   *
   * @param client builds a client for it, asked at most once per object and round, and only if a
   *     check wants it; whoever builds it closes it
   * @return this registration
   */
  public HealthChecks<T> target(Function<T, KubernetesClient> client) {
    target = client;
    return this;
  }

  /**
   * Sets how often each object is checked, which is also how long a round of checks may take.
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
   * Sets how many checks and writes are under way at once; the others wait, and their waiting
   * counts to their period.
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

  /** Sets what spreads the first rounds; for tests. */
  HealthChecks<T> random(RandomGenerator generator) {
    random = generator;
    return this;
  }

  /**
   * Sets the clock that conditions are dated by.
   *
   * @param source the clock
   * @return this registration
   */
  public HealthChecks<T> clock(TimeSource source) {
    time = source;
    return this;
  }

  /**
   * Begins to watch and to check.
   *
   * @param client for the cluster that holds the objects; the author's to close, after the
   *     controller
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
    } catch (RuntimeException e) { // it cannot be watched, and nobody will close it
      loop.close();
      throw e;
    }
  }

  /** Begins, with rounds that are planned by a loop of the caller's; for tests. */
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

  /** Whether an object has all its conditions already, from before this controller began. */
  private boolean wasChecked(GenericKubernetesResource object) {
    ConditionList said;
    try {
      said = ConditionList.of(ResourceAccess.conditions(object));
    } catch (IllegalStateException otherForm) {
      return false;
    }
    return checks.stream().allMatch(check -> said.find(check.conditionType()).isPresent());
  }

  /** An object that its class cannot hold is checked, to say so, if it was before. */
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
