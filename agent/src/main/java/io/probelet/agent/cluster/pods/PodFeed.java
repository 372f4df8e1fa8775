package io.probelet.agent.cluster.pods;

import io.probelet.agent.cluster.api.ApiException;
import io.probelet.agent.cluster.api.ApiFailure;
import io.probelet.agent.cluster.api.ApiServer;
import io.probelet.agent.manifest.pod.ProbeOrigin;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.Pace;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the pods of one node on a virtual thread of its own: lists them page by page, then
 * watches from there. A watch that ends goes on where it was; only when the server has forgotten
 * that place, everything is listed again.
 */
public final class PodFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodFeed.class);

  /** A page is about a MiB while it is read. */
  private static final int PAGE = 50;

  /** The server ends each watch after a random time from here to twice as much. */
  private static final int WATCH_SECONDS = 300;

  /** Servers send a bookmark every minute even if nothing happens. */
  private static final Duration SILENCE = Duration.ofMinutes(2);

  /** A watch that ends sooner did not do what watches are for. */
  private static final Duration BRIEF = Duration.ofSeconds(10);

  private final ApiServer api;
  private final String selector;
  private final ClusterPodReader reader;
  private final PodListener listener;
  private final RandomGenerator random;
  private final TimeSource time;
  private final Pace pace;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String problem = "the pods of this node have not been listed yet";
  private volatile boolean listed;

  // On the feed's own thread only.
  private String resourceVersion = "";

  /**
   * Creates a feed that has not begun.
   *
   * @param api where pods are
   * @param node whose pods
   * @param origins where the probes of pods come from that do not choose for themselves
   * @param listener told of the pods
   * @param random spreads what the agents of a cluster do
   * @param time measures how long a watch lasts
   */
  public PodFeed(
      ApiServer api,
      String node,
      Set<ProbeOrigin> origins,
      PodListener listener,
      RandomGenerator random,
      TimeSource time) {
    this.api = api;
    this.selector = URLEncoder.encode("spec.nodeName=" + node, StandardCharsets.UTF_8);
    this.reader = new ClusterPodReader(origins);
    this.listener = listener;
    this.random = random;
    this.time = time;
    this.pace = new Pace(random);
    this.thread = Thread.ofVirtual().name("pods").unstarted(this::run);
  }

  /** Begins to list and watch. */
  public void start() {
    thread.start();
  }

  /** {@return what keeps the pods from being known; empty once they were listed} */
  public Optional<String> problem() {
    return listed ? Optional.empty() : Optional.of(problem);
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        Duration pause = round();
        if (closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (InterruptedException end) {
      LOG.debug("pods watch=ended");
    }
  }

  /** Lists if need be, watches until the watch ends, and says how long to wait then. */
  private Duration round() throws InterruptedException {
    try {
      if (resourceVersion.isEmpty()) {
        list();
      }
      // A proxy that ends watches at once is not to be asked a thousand times a second.
      return watchedLong() ? Duration.ZERO : pace.failed(Optional.empty());
    } catch (ApiException failure) {
      if (failure.gone()) {
        LOG.info("pods watch=expired resource-version={} next=list", resourceVersion);
        resourceVersion = "";
      }
      problem = String.valueOf(failure.getMessage());
      Duration wait = pace.failed(failure.retryAfter());
      LOG.warn("pods watch=broken reason=\"{}\" again-in={}ms", problem, wait.toMillis());
      return wait;
    } catch (RuntimeException bug) {
      LOG.error("pods watch=broken", bug);
      resourceVersion = "";
      return pace.failed(Optional.empty());
    }
  }

  private void list() throws ApiException, InterruptedException {
    List<ClusterPod> pods = new ArrayList<>();
    String next = "";
    String version;
    do {
      String path = "/api/v1/pods?fieldSelector=" + selector + "&limit=" + PAGE;
      byte[] json = api.get(next.isEmpty() ? path : path + "&continue=" + encoded(next));
      PodPage page = page(json, pod -> reader.read(pod).ifPresent(pods::add));
      version = page.resourceVersion();
      next = page.next();
    } while (!next.isEmpty());
    resourceVersion = version;
    listener.listed(pods);
    if (!listed) {
      LOG.info("pods listed={} resource-version={}", pods.size(), version);
    }
    listed = true;
  }

  private static PodPage page(byte[] json, Consumer<Mapping> pods) throws ApiException {
    try {
      return PodPage.read(json, pods);
    } catch (IOException garbled) {
      throw new ApiException("the list of pods cannot be read: " + garbled.getMessage(), garbled);
    }
  }

  /** Watches until the watch ends and tells whether that was after a time, as it should be. */
  private boolean watchedLong() throws ApiException, InterruptedException {
    long since = time.nanoTime();
    boolean isLong = false;
    try {
      watch();
    } finally {
      isLong = time.nanoTime() - since >= BRIEF.toNanos();
      if (isLong) {
        pace.succeeded();
      }
    }
    return isLong;
  }

  private void watch() throws ApiException, InterruptedException {
    int seconds = WATCH_SECONDS + random.nextInt(WATCH_SECONDS);
    AtomicReference<@Nullable ApiException> ended = new AtomicReference<>();
    api.stream(
        "/api/v1/pods?watch=true&allowWatchBookmarks=true&fieldSelector=%s&resourceVersion=%s&timeoutSeconds=%d"
            .formatted(selector, encoded(resourceVersion), seconds),
        SILENCE,
        line -> {
          try {
            ApiException failure = event(ApiObject.read(line).orElseThrow());
            if (failure == null) {
              pace.succeeded();
            } else {
              ended.compareAndSet(null, failure);
            }
          } catch (RuntimeException bug) {
            LOG.error("pods event=failed", bug);
          }
        });
    ApiException failure = ended.get();
    if (failure != null) {
      throw failure;
    }
    LOG.debug("pods watch=ended resource-version={}", resourceVersion);
  }

  /** Takes one event of the watch; returns the failure that it reports. */
  private @Nullable ApiException event(Mapping event) {
    Mapping object = ApiObject.child(event, "object");
    String type = ApiObject.text(event, "type");
    switch (type) {
      case "ADDED", "MODIFIED" -> reader.read(object).ifPresent(listener::changed);
      case "DELETED" -> reader.read(object).ifPresent(listener::removed);
      case "BOOKMARK" -> {}
      case "ERROR" -> {
        return ApiFailure.of(object);
      }
      default -> LOG.debug("pods event={} ignored", type);
    }
    String version = ApiObject.text(ApiObject.child(object, "metadata"), "resourceVersion");
    if (!version.isEmpty()) {
      resourceVersion = version;
    }
    return null;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Ends the watch; the listener is left alone afterwards. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
  }
}
