package io.probelet.runtime.cri;

import io.probelet.health.RetryBackoff;
import io.probelet.health.TimeSource;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.runtime.cri.Inventory.Changes;
import io.probelet.runtime.cri.Inventory.Listing;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.VersionResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the runtime, on a virtual thread of its own, and reports what has changed. It also is what
 * connects, and connects again: 100 ms after a failure, then 200 ms, up to a second.
 *
 * <p>Where the runtime has an event stream, events say only that it is time to poll; a poll costs
 * little, and an event lost costs nothing.
 */
final class PodWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);

  static final RetryBackoff BACKOFF =
      RetryBackoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(1));

  /** Between polls of a runtime whose events are known to come. */
  private static final Duration WITH_EVENTS = Duration.ofSeconds(10);

  /** Events come in bursts; what happens within this time is one poll. */
  private static final Duration BURST = Duration.ofMillis(100);

  /** A runtime that misses its timeout this often in a row is connected to anew. */
  private static final int MAX_FAILURES = 3;

  private final Path endpoint;
  private final CriConnection connection;
  private final CriCalls calls;
  private final TimeSource time;
  private final CriOptions options;
  private final Thread thread = Thread.ofVirtual().name("cri-watch").unstarted(this::run);

  /** Holds at most one request to poll soon. */
  private final BlockingQueue<Boolean> requests = new ArrayBlockingQueue<>(1);

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable RuntimeListener listener;
  private volatile Health health = Health.NEVER;

  // On the watch's own thread only.
  private Duration retry = Duration.ZERO;
  private int failures;
  private @Nullable EventStream events;
  private @Nullable RuntimeListener informed;
  private Inventory inventory;

  /** How the runtime is. */
  record Health(
      boolean connected,
      String problem,
      String runtime,
      long disconnects,
      long relists,
      Duration relisting) {
    static final Health NEVER = new Health(false, "not connected yet", "", 0, 0, Duration.ZERO);

    Health up(String name, Duration relist) {
      return new Health(true, "", name, disconnects, relists + 1, relisting.plus(relist));
    }

    Health down(String why) {
      long ends = disconnects + (connected ? 1 : 0);
      return new Health(false, why, runtime, ends, relists, relisting);
    }
  }

  PodWatch(Path endpoint, CriConnection connection, TimeSource time, CriOptions options) {
    this.endpoint = endpoint;
    this.connection = connection;
    this.calls = new CriCalls(connection, options.callTimeout());
    this.time = time;
    this.options = options;
    this.inventory = new Inventory(options.nodeIp());
  }

  void start() {
    thread.start();
  }

  /** Informs this listener from now on, first of everything there is. */
  void watch(RuntimeListener hearer) {
    listener = hearer;
    pollSoon();
  }

  /** Does not wait for the next period; may be called from any thread. */
  void pollSoon() {
    requests.offer(true);
  }

  Health health() {
    return health;
  }

  /** Ends the watch and waits until the listener is left alone. */
  void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        long began = time.nanoTime();
        Duration pause = poll(began);
        requests.poll(pause.toNanos(), TimeUnit.NANOSECONDS);
        long rest = BURST.toNanos() - (time.nanoTime() - began);
        if (rest > 0 && closed.await(rest, TimeUnit.NANOSECONDS)) {
          return;
        }
        requests.clear();
      }
    } catch (InterruptedException end) {
      LOG.debug("runtime watch ended endpoint={}", endpoint);
    }
  }

  /** Polls once and says how long to wait. */
  private Duration poll(long began) throws InterruptedException {
    try {
      calls.connect();
      String runtime = health.connected() ? health.runtime() : introduction();
      RuntimeListener hearer = listener;
      if (hearer != null) {
        if (!hearer.equals(informed)) {
          informed = hearer;
          inventory = new Inventory(options.nodeIp());
        }
        report(relist(), hearer);
      }
      succeeded(runtime, Duration.ofNanos(time.nanoTime() - began));
      return hearsEvents() ? WITH_EVENTS : options.relistPeriod();
    } catch (ContainerRuntimeException away) {
      return failed(String.valueOf(away.getMessage()));
    } catch (RuntimeException nonsense) { // well-formed and still not what a runtime says
      LOG.debug("invalid response from the runtime endpoint={}", endpoint, nonsense);
      return failed("the runtime's answer makes no sense: " + nonsense.getMessage());
    }
  }

  /** Whether events come; a stream that had some and broke off is opened again. */
  private boolean hearsEvents() {
    if (events != null && events.ended() && events.heard()) {
      events = new EventStream(connection, this::pollSoon);
    }
    return events != null && events.heard();
  }

  private String introduction() throws ContainerRuntimeException, InterruptedException {
    VersionResponse version = calls.version();
    if (events == null || events.ended()) {
      events = new EventStream(connection, this::pollSoon);
    }
    return version.getRuntimeName() + " " + version.getRuntimeVersion();
  }

  private Changes relist() throws ContainerRuntimeException, InterruptedException {
    // Containers first: one that is listed has its sandbox, which is listed later, too.
    List<Container> containers = calls.containers();
    List<PodSandbox> sandboxes = calls.sandboxes();
    Listing listing = inventory.begin(sandboxes, containers);
    return inventory.finish(
        listing,
        calls.sandboxStatuses(listing.sandboxesToAsk()),
        calls.containerStatuses(listing.containersToAsk()));
  }

  private static void report(Changes changes, RuntimeListener hearer) {
    changes.changed().forEach(pod -> call(() -> hearer.observed(pod)));
    changes.gone().forEach(pod -> call(() -> hearer.gone(pod)));
  }

  /** A listener that fails with one pod still hears of the others, which are reported once only. */
  private static void call(Runnable news) {
    try {
      news.run();
    } catch (RuntimeException bug) {
      LOG.error("internal error in a runtime listener, continuing", bug);
    }
  }

  private void succeeded(String runtime, Duration relist) {
    if (!health.connected()) {
      LOG.info("container runtime connected endpoint={} runtime=\"{}\"", endpoint, runtime);
    }
    health = health.up(runtime, relist);
    retry = Duration.ZERO;
    failures = 0;
  }

  private Duration failed(String problem) {
    if (health.connected() || failures == 0) {
      LOG.warn("container runtime disconnected endpoint={} reason=\"{}\"", endpoint, problem);
    } else {
      LOG.debug("container runtime disconnected endpoint={} reason=\"{}\"", endpoint, problem);
    }
    health = health.down(problem);
    if (++failures % MAX_FAILURES == 0) {
      connection.drop();
    }
    retry = BACKOFF.after(retry);
    return retry;
  }
}
