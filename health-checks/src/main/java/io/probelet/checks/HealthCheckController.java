package io.probelet.checks;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.probelet.checks.error.ApiErrorText;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the registered checks of one kind: for each object at once when it appears or changes, and a
 * sync period after each round (CH-5). Rounds of one object never overlap.
 *
 * @param <T> the kind of resource
 */
public final class HealthCheckController<T extends HasMetadata> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthCheckController.class);

  private final ObjectCycle<T> cycle;
  private final Predicate<T> selected;
  private final BiPredicate<T, T> changed;
  private final Predicate<T> checkedBefore;
  private final Supplier<Duration> spread;
  private final Duration period;
  private final Map<String, Watched> objects = new HashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("health-checks").factory());
  private final ExecutorService workers;
  private final SharedIndexInformer<T> informer;

  HealthCheckController(
      ObjectCycle<T> cycle,
      Predicate<T> selected,
      BiPredicate<T, T> changed,
      Predicate<T> checkedBefore,
      Supplier<Duration> spread,
      Duration period,
      ExecutorService workers,
      Function<ResourceEventHandler<T>, SharedIndexInformer<T>> watch) {
    this.cycle = cycle;
    this.selected = selected;
    this.changed = changed;
    this.checkedBefore = checkedBefore;
    this.spread = spread;
    this.period = period;
    this.workers = workers;
    informer = watch.apply(new Events());
  }

  /** Stops watching and interrupts checks under way; what was written stays. */
  @Override
  public void close() {
    informer.close();
    synchronized (this) { // or what plans a round might find the threads gone
      timer.shutdownNow();
      workers.shutdownNow();
    }
  }

  /** One object and where it is in its rounds; guarded by the controller. */
  private final class Watched {
    T object;
    boolean running;
    boolean again;
    boolean complained;
    @Nullable ScheduledFuture<?> next;

    Watched(T object) {
      this.object = object;
    }
  }

  private final class Events implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      see(object, true, true);
    }

    @Override
    public void onUpdate(T old, T object) {
      // CH-3: our own status writes come back as updates and must not cause another round.
      see(object, changed.test(old, object), false);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      forget(key(object));
    }
  }

  private synchronized void see(T object, boolean now, boolean found) {
    String key = key(object);
    if (!selected.test(object)) {
      forget(key);
      return;
    }
    Watched known = objects.get(key);
    Watched watched = known == null ? new Watched(object) : known;
    objects.put(key, watched);
    watched.object = object;
    if (known == null && found && checkedBefore.test(object)) {
      later(key, watched, spread.get()); // CH-49: it says how it is; all at once is too much
    } else if (now || known == null) {
      begin(key, watched);
    }
  }

  private synchronized void forget(String key) {
    Watched watched = objects.remove(key);
    if (watched != null && watched.next != null) {
      watched.next.cancel(false);
    }
  }

  private synchronized void begin(String key, Watched watched) {
    if (workers.isShutdown() || objects.get(key) != watched) {
      return;
    }
    if (watched.running) {
      watched.again = true;
      return;
    }
    if (watched.next != null) {
      watched.next.cancel(false);
    }
    watched.running = true;
    T object = watched.object;
    workers.execute(() -> round(key, watched, object));
  }

  private void round(String key, Watched watched, T object) {
    try {
      cycle.run(object);
      watched.complained = false;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      complain(key, watched, e);
    } finally {
      end(key, watched);
    }
  }

  private synchronized void end(String key, Watched watched) {
    watched.running = false;
    if (timer.isShutdown() || objects.get(key) != watched) {
      return;
    }
    if (watched.again) {
      watched.again = false;
      begin(key, watched);
      return;
    }
    later(key, watched, period);
  }

  private synchronized void later(String key, Watched watched, Duration wait) {
    if (!timer.isShutdown()) {
      watched.next =
          timer.schedule(() -> begin(key, watched), wait.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private static void complain(String key, HealthCheckController<?>.Watched watched, Exception e) {
    if (!watched.complained) {
      LOG.warn("status not written object={} error=\"{}\"", key, ApiErrorText.of(e));
      watched.complained = true;
    }
  }

  private static String key(HasMetadata object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    return namespace == null ? name : namespace + "/" + name;
  }
}
