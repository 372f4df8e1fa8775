package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiRetry;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.protobuf.ProtobufFields;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches objects of one kind, through lost connections and expired versions, until closed: lists
 * them page by page, then watches from there. A watch that ends is resumed at its version; only if
 * that is rejected, or nothing came at all, everything is listed again.
 */
public final class ResourceWatch<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ResourceWatch.class);
  private static final Done DONE = new Done(MissingNode.getInstance());

  /**
   * An idle API server sends a bookmark about every minute; with an etcd that does not report its
   * progress, only after a change: such a kind is listed again each time.
   */
  static final Duration SILENCE = Duration.ofSeconds(150);

  /** The server ends each watch after a random time from here to twice as much. */
  private static final int WATCH_SECONDS = 300;

  /** A watch that ends sooner counts as a failure. */
  private static final Duration BRIEF = Duration.ofSeconds(10);

  private final ApiServer api;
  private final Selection selection;
  private final String kind;
  private final ObjectReader<T> objects;
  private final Observer<T> observer;
  private final TimeSource time;
  private final Duration silence;
  private final ReturnSpread spread;
  private final RandomGenerator random;
  private final ApiRetry retry;
  private final Map<String, Item<T>> known = new HashMap<>();
  private final SerialLoop loop;
  private final Alarm next;
  private boolean listed;
  private boolean listAnew;

  /** Something came by a watch since the last list. */
  private boolean followed;

  /** The next list must show the newest state: that of the server's cache could not be had. */
  private boolean consistent;

  private String version = "";
  private @Nullable ApiResult ended;
  private String lastTrouble = "";

  /**
   * The wait after a failure ends when another request reaches the server, once per series of
   * failures.
   */
  private volatile boolean hopeful;

  private volatile boolean cutShort;

  /** The wait once another request reaches the server. */
  private volatile Duration returnWait = Duration.ZERO;

  /** Another request has reached the server since this attempt began. */
  private volatile boolean back;

  private final Runnable unregister;
  private final SkippedLog skipped;

  private ResourceWatch(
      ApiServer api,
      Selection selection,
      Format<T> format,
      Observer<T> observer,
      TimeSource time,
      ApiRetry retry,
      RandomGenerator random,
      Duration silence,
      Duration spread) {
    this.api = api;
    this.selection = selection;
    this.kind = selection.kind();
    this.objects = new ObjectReader<>(format, this::before, this::happened);
    this.observer = observer;
    this.time = time;
    this.random = random;
    this.retry = retry;
    this.silence = silence;
    this.spread = new ReturnSpread(spread, random);
    this.skipped = new SkippedLog(kind, time);
    this.loop =
        SerialLoop.startVirtual(
            time.threads(),
            "watch-" + kind,
            1, // its only task is its timer
            this::onInternalError);
    this.next = loop.alarm(this::round);
    this.unregister = api.whenBack(this::serverIsBack);
  }

  /**
   * Begins.
   *
   * @param random spreads the requests of a cluster's watches; used by the watch's thread
   * @param <T> what is kept of one
   * @return to be closed
   */
  public static <T> ResourceWatch<T> start(
      ApiServer api,
      Selection selection,
      Format<T> format,
      Observer<T> observer,
      TimeSource time,
      RandomGenerator random) {
    return start(api, selection, format, observer, time, random, ReturnSpread.NONE);
  }

  /**
   * Begins a watch that a process on each node has. After a restart of the API server all of them
   * would return at once, so each waits for a random time ({@link ReturnSpread}), unless it has not
   * listed anything yet: the network of a node that boots is not there at once.
   *
   * @param random spreads the requests of a cluster's watches; used by the watch's thread
   * @param <T> what is kept of one
   * @return to be closed
   */
  public static <T> ResourceWatch<T> startOnEachNode(
      ApiServer api,
      Selection selection,
      Format<T> format,
      Observer<T> observer,
      TimeSource time,
      RandomGenerator random) {
    return start(api, selection, format, observer, time, random, ReturnSpread.OF_NODES);
  }

  private static <T> ResourceWatch<T> start(
      ApiServer api,
      Selection selection,
      Format<T> format,
      Observer<T> observer,
      TimeSource time,
      RandomGenerator random,
      Duration spread) {
    return start(
        api, selection, format, observer, time, new ApiRetry(random), random, SILENCE, spread);
  }

  /** The same, with other times for tests. */
  static <T> ResourceWatch<T> start(
      ApiServer api,
      Selection selection,
      Format<T> format,
      Observer<T> observer,
      TimeSource time,
      ApiRetry retry,
      RandomGenerator random,
      Duration silence,
      Duration spread) {
    ResourceWatch<T> watch =
        new ResourceWatch<>(api, selection, format, observer, time, retry, random, silence, spread);
    watch.next.set(Duration.ZERO);
    return watch;
  }

  /** Stops without waiting for a running call of the observer. */
  @Override
  public void close() {
    unregister.run();
    loop.close();
  }

  /** Called by any thread: another request succeeded after failures. */
  private void serverIsBack() {
    back = true;
    retryIfReachable();
  }

  private void retryIfReachable() {
    if (back && hopeful && next.isSet()) {
      hopeful = false;
      cutShort = true;
      next.set(returnWait);
    }
  }

  /** The server answers. */
  private void succeeded() {
    retry.succeeded();
    cutShort = false;
    spread.succeeded();
    followed = true;
  }

  private void round() {
    loop.requireInLoop();
    hopeful = false;
    back = false;
    try {
      next.set(listAndWatch());
      retryIfReachable(); // since this attempt began
    } catch (InterruptedException closed) {
      LOG.debug("watch closed kind={}", kind);
    }
  }

  private void onInternalError(Throwable mistake) {
    LOG.error("internal error in watch, listing again kind={}", kind, mistake);
    listed = false;
    next.set(retry.failed(Optional.empty()));
  }

  /**
   * Lists if necessary, watches until the watch ends, and returns the wait before the next attempt.
   */
  private Duration listAndWatch() throws InterruptedException {
    ApiResult answer = listed ? DONE : list();
    if (answer instanceof Done) {
      long since = time.nanoTime();
      answer = follow();
      listed &= !listAnew;
      listAnew = false;
      if (answer.isSilence()) {
        // The connection was lost, or etcd restored from a backup: then the server sends nothing
        // until the version that we know is passed, and changes up to it are only in a new list.
        LOG.debug("watch idle for {} s, listing again kind={}", silence.toSeconds(), kind);
        listed = false;
        consistent = true;
        answer = DONE;
      }
      if (time.nanoTime() - since >= BRIEF.toNanos()) {
        succeeded();
        if (answer instanceof Done) {
          return Duration.ZERO;
        }
      }
    }
    return trouble(answer);
  }

  /** Handles a failure, and returns the wait before the next attempt. */
  private Duration trouble(ApiResult answer) {
    observer.ended();
    if (answer instanceof Unanswered) {
      if (!version.isEmpty()) { // before the first list nothing is known, and waiting costs more
        returnWait = spread.failed(time.nanoTime());
      }
      api.ended(answer);
    }
    if (answer.isPermanentRefusal()) { // 410 as a rule: the version has expired
      if (followed) { // after an outage: the server is back
        retry.succeeded();
      }
      listed = false;
      followed = false;
    }
    if (answer.isNotFound()) {
      observer.unserved();
    }
    if (answer.isMissingPermission()) {
      observer.refused(listed ? "watch" : "list");
    }
    if (!(answer instanceof Done)) {
      String trouble = answer.summary();
      if (!trouble.equals(lastTrouble)) { // once, not at every attempt
        lastTrouble = trouble;
        LOG.warn("watch interrupted, reconnecting kind={} reason=\"{}\"", kind, trouble);
      }
      observer.interrupted(trouble);
    }
    hopeful =
        (!cutShort || spread.isAway())
            && answer instanceof Unanswered
            && answer.requestedWait().isEmpty();
    // Prevents a thousand requests a second if a proxy ends watches immediately.
    Duration wait = retry.failed(answer.requestedWait());
    return hopeful ? spread.own(wait) : wait;
  }

  /** Reports all that exist, then those that are gone. */
  private ApiResult list() throws InterruptedException {
    Set<String> there = new HashSet<>();
    String atLeast = version.isEmpty() ? Selection.ANY_VERSION : version;
    try (PagedList pages =
        new PagedList(
            api, selection, objects.accepted(), selection.isPart() && !consistent ? atLeast : "")) {
      ApiResult answer = pages.read(new Listed(there));
      if (!(answer instanceof Done)) {
        consistent = true;
        return answer;
      }
      consistent = false;
      version = pages.version();
    }
    for (Item<T> item : List.copyOf(known.values())) {
      if (!there.contains(item.key())) {
        known.remove(item.key());
        observer.gone(item);
      }
    }
    listed = true;
    api.ended(DONE);
    LOG.info("objects listed kind={} listed={} resource_version={}", kind, known.size(), version);
    observer.listed();
    return DONE;
  }

  /** Takes the objects of a page. */
  private final class Listed implements ListPage.Reader {
    private final Set<String> there;

    Listed(Set<String> there) {
      this.there = there;
    }

    @Override
    public void read(JsonParser object) throws IOException {
      take(objects.json(object));
    }

    @Override
    public void read(ProtobufFields object) throws IOException {
      take(objects.protobuf(object));
    }

    private void take(SentObject<T> sent) throws IOException {
      Item<T> item;
      try {
        item = sent.item();
      } catch (TooLargeException large) {
        there.add(tooLarge(large.object()));
        return;
      }
      if (item != null) {
        there.add(item.key());
        report(known.put(item.key(), item), item);
      }
    }
  }

  /** Processes changes until the watch ends. */
  private ApiResult follow() throws InterruptedException {
    ended = null;
    WatchFrames events = new WatchFrames(objects::readLine, objects::readMessage, this::tooLong);
    int seconds = random.nextInt(WATCH_SECONDS, 2 * WATCH_SECONDS);
    ApiResult answer =
        api.follow(selection.watch(version, seconds), objects.accepted(), silence, events::take);
    return ended == null ? answer : ended;
  }

  /** The object of the event is unknown: it will be listed when the watch ends. */
  private void tooLong() {
    skipped.log("event exceeds " + WatchFrames.LONGEST + " bytes");
    listAnew = true;
  }

  private void happened(String type, SentObject<T> object) throws IOException {
    try {
      take(type, object);
    } catch (TooLargeException large) {
      tooLarge(type, large.object());
    } catch (RuntimeException mistake) {
      LOG.error("event skipped after an internal error kind={}", kind, mistake);
    }
    succeeded();
    lastTrouble = "";
  }

  private void take(String type, SentObject<T> object) throws IOException {
    switch (type) {
      case "ADDED", "MODIFIED" -> {
        Item<T> item = object.item();
        if (item != null) {
          moved(item.version());
          changed(item);
        }
      }
      case "DELETED" -> {
        Item<T> item = object.item();
        if (item != null) {
          moved(item.version());
          known.remove(item.key());
          observer.gone(item);
        }
      }
      case "BOOKMARK" -> {
        moved(object.version());
        observer.bookmarked();
      }
      case "ERROR" -> {
        ended = object.failure();
        listed = false;
        throw new IOException(ended.summary());
      }
      default -> LOG.debug("unknown watch event kind={} event={}", kind, type);
    }
  }

  private void tooLarge(String type, TooLarge object) {
    moved(Metadata.version(object.identity()));
    String key = tooLarge(object);
    if (type.equals("DELETED")) {
      Item<T> item = known.remove(key);
      if (item != null) {
        observer.gone(item);
      }
    }
  }

  /** Reports that an object is skipped, and returns its key. */
  private String tooLarge(TooLarge object) {
    skipped.log(object.text());
    observer.tooLarge(object);
    JsonNode metadata = object.identity().path("metadata");
    String namespace = metadata.path("namespace").asText();
    String name = metadata.path("name").asText();
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /**
   * An unchanged object is neither reported nor stored, so that references to the old one stay
   * shared.
   */
  private void changed(Item<T> item) {
    Item<T> before = known.get(item.key());
    if (before == null
        || !before.uid().equals(item.uid())
        || !before.value().equals(item.value())) {
      known.put(item.key(), item);
      report(before, item);
    }
  }

  private void report(@Nullable Item<T> before, Item<T> item) {
    if (before != null && !before.uid().equals(item.uid())) {
      observer.gone(before);
    }
    observer.changed(item);
  }

  private void moved(String to) {
    if (!to.isEmpty()) {
      version = to;
    }
  }

  private @Nullable T before(String name) {
    Item<T> item = known.get(name);
    return item == null ? null : item.value();
  }
}
