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
 * Polls the runtime on its own virtual thread and reports changes. It also connects and reconnects:
 * 100 ms after a failure, then 200 ms, up to a second.
 *
 * <p>If the runtime has an event stream, an event only triggers a poll. Polls are cheap, and a lost
 * event does no harm.
 */
final class PodWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PodWatch.class);

  static final RetryBackoff BACKOFF =
      RetryBackoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(1));

  /** Time between polls of a runtime that sends events. */
  private static final Duration WITH_EVENTS = Duration.ofSeconds(10);

  /** Events come in bursts; all events within this time cause one poll. */
  private static final Duration BURST = Duration.ofMillis(100);

  /** Number of consecutive timeouts after which to reconnect. */
  private static final int MAX_FAILURES = 3;

  private final Path endpoint;
  private final CriConnection connection;
  private final CriCalls calls;
  private final TimeSource time;
  private final CriOptions options;
  private final Thread thread = Thread.ofVirtual().name("cri-watch").unstarted(this::run);

  /** Contains at most one request to poll soon. */
  private final BlockingQueue<Boolean> requests = new ArrayBlockingQueue<>(1);

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable RuntimeListener listener;
  private volatile Health health = Health.NEVER;

  // Used only on the watch's own thread.
  private Duration retry = Duration.ZERO;
  private int failures;
  private @Nullable EventStream events;
  private @Nullable RuntimeListener informed;
  private Inventory inventory;

  /** The state of the connection. */
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

  /** Adds a listener, which first receives the current state. */
  void watch(RuntimeListener hearer) {
    listener = hearer;
    pollSoon();
  }

  /** Requests a poll now; may be called from any thread. */
  void pollSoon() {
    requests.offer(true);
  }

  Health health() {
    return health;
  }

  /** Ends the watch and waits until no listener is being called. */
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

  /** Polls once and returns the time until the next poll. */
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
    } catch (RuntimeException nonsense) { // well-formed but invalid
      LOG.debug("invalid response from the runtime endpoint={}", endpoint, nonsense);
      return failed("invalid response from the runtime: " + nonsense.getMessage());
    }
  }

  /** Whether the runtime sends events; a broken stream that had some is opened again. */
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
    // Containers first: the sandbox of a listed container then also exists in the later list.
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

  /** If a listener fails for one pod, it still gets the others, which are reported only once. */
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
