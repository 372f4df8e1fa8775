package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the registered checks of one kind: immediately for each new or changed object, and one sync
 * period after each round (CH-5). Rounds of one object never overlap.
 *
 * @param <T> the kind of resource
 */
public final class HealthCheckController<T extends HasMetadata> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthCheckController.class);
  private static final int MAX_WAITING = 1024;

  /** Tasks end much sooner, unless the machine is overloaded. */
  private static final Duration LAST_TASK = Duration.ofSeconds(1);

  private final ObjectCycle<T> cycle;
  private final Predicate<GenericKubernetesResource> selected;
  private final BiPredicate<GenericKubernetesResource, GenericKubernetesResource> changed;
  private final Predicate<GenericKubernetesResource> checkedBefore;
  private final Supplier<Duration> spread;
  private final Duration period;
  private final SerialLoop loop;
  private final ExecutorService workers;
  private final SharedIndexInformer<GenericKubernetesResource> informer;

  /** Of the loop only. */
  private final Map<String, Watched> objects = new HashMap<>();

  HealthCheckController(
      ObjectCycle<T> cycle,
      Predicate<GenericKubernetesResource> selected,
      BiPredicate<GenericKubernetesResource, GenericKubernetesResource> changed,
      Predicate<GenericKubernetesResource> checkedBefore,
      Supplier<Duration> spread,
      Duration period,
      SerialLoop loop,
      ExecutorService workers,
      Function<
              ResourceEventHandler<GenericKubernetesResource>,
              SharedIndexInformer<GenericKubernetesResource>>
          watch) {
    this.cycle = cycle;
    this.selected = selected;
    this.changed = changed;
    this.checkedBefore = checkedBefore;
    this.spread = spread;
    this.period = period;
    this.loop = loop;
    this.workers = workers;
    informer = watch.apply(new Events());
  }

  /** {@return the loop of a controller; its tasks are short} */
  static SerialLoop loop() {
    return SerialLoop.start(
        Threads.MACHINE,
        "health-checks",
        MAX_WAITING,
        bug -> LOG.error("internal error in health checks, continuing", bug));
  }

  /** Stops watching and interrupts running checks. Written conditions stay. */
  @Override
  public void close() {
    informer.close();
    loop.close();
    loop.awaitEnd(LAST_TASK); // otherwise it might start a round after the workers have stopped
    workers.shutdownNow();
  }

  /** One object and where it is in its rounds; of the loop only. */
  private final class Watched {
    final Alarm next;
    GenericKubernetesResource object;
    boolean running;
    boolean again;

    /** Of its rounds, which do not overlap. */
    volatile boolean failureLogged;

    Watched(String key, GenericKubernetesResource object) {
      this.object = object;
      this.next = loop.alarm(() -> begin(key, this));
    }
  }

  private final class Events implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource object) {
      post(() -> see(object, true, true));
    }

    @Override
    public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource object) {
      // CH-3: our own status writes come back as updates and must not cause another round.
      post(() -> see(object, changed.test(old, object), false));
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
      post(() -> forget(key(object)));
    }
  }

  /** Events must not be lost: the informer's thread waits until the loop has room. */
  private void post(Runnable task) {
    try {
      loop.put(task);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void see(GenericKubernetesResource object, boolean now, boolean found) {
    String key = key(object);
    if (!selected.test(object)) {
      forget(key);
      return;
    }
    Watched known = objects.get(key);
    Watched watched = known == null ? new Watched(key, object) : known;
    objects.put(key, watched);
    watched.object = object;
    if (known == null && found && checkedBefore.test(object)) {
      watched.next.set(
          spread.get()); // CH-49: it has its conditions; checking all objects at once would be too
      // much
    } else if (now || known == null) {
      begin(key, watched);
    }
  }

  private void forget(String key) {
    Watched watched = objects.remove(key);
    if (watched != null) {
      watched.next.cancel();
    }
  }

  private void begin(String key, Watched watched) {
    loop.requireInLoop();
    if (watched.running) {
      watched.again = true;
      return;
    }
    watched.next.cancel();
    watched.running = true;
    GenericKubernetesResource object = watched.object;
    workers.execute(() -> round(key, watched, object));
  }

  private void round(String key, Watched watched, GenericKubernetesResource object) {
    try {
      cycle.run(object);
      watched.failureLogged = false;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      logOnce(key, watched, e);
    } finally {
      post(() -> end(key, watched));
    }
  }

  private void end(String key, Watched watched) {
    watched.running = false;
    if (objects.get(key) != watched) {
      return;
    }
    if (watched.again) {
      watched.again = false;
      begin(key, watched);
      return;
    }
    watched.next.set(period);
  }

  private static void logOnce(String key, HealthCheckController<?>.Watched watched, Exception e) {
    if (!watched.failureLogged) {
      LOG.warn("status not written object={} reason=\"{}\"", key, ApiErrorText.of(e));
      watched.failureLogged = true;
    }
  }

  private static String key(HasMetadata object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    return namespace == null ? name : namespace + "/" + name;
  }
}
