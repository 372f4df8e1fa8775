package io.probelet.kube.election;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.kube.election.ElectionRules.Deadline;
import io.probelet.kube.election.ElectionRules.Seen;
import io.probelet.kube.object.KeptFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate for leadership until closed. Its work is opened when it becomes leader and closed
 * when it loses leadership; a standby has no work.
 *
 * <p>fabric8's elector is not used: it compares wall clocks of different machines, and reports a
 * lost lease by a callback, so that a process that was frozen may write before the callback runs.
 * Here every write checks {@link Leadership#isOn()}, which reads the clocks.
 */
final class LeaderElection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

  /** Drops the one Node in the response, which may be large. */
  private static final KeptFields COUNT_FIELDS = KeptFields.of("/metadata/remainingItemCount");

  private static final String API_VERSION = "coordination.k8s.io/v1";
  private static final int READS_PER_COUNT = 100;

  private final ApiServer api;
  private final String namespace;
  private final String name;
  private final String identity;
  private final ElectionTiming timing;
  private final TimeSource time;
  private final Function<Leadership, AutoCloseable> work;
  private ElectionRules rules;
  private final StandbyReads standbyReads;
  private final SerialLoop loop;
  private final Alarm next;
  private volatile String leader = "";
  private @Nullable Tenure tenure;
  private String lastTrouble = "";
  private long reads;

  /**
   * Begins.
   *
   * @param api limits requests to {@link ElectionTiming#timeout()}
   * @param identity the unique name of this candidate
   * @param random spreads the requests of many candidates; used by the loop
   * @param work opened on gaining and closed on losing leadership; both must be quick
   * @param loop to be closed with this
   */
  LeaderElection(
      ApiServer api,
      String namespace,
      String name,
      String identity,
      ElectionTiming timing,
      TimeSource time,
      RandomGenerator random,
      Function<Leadership, AutoCloseable> work,
      SerialLoop loop) {
    this.api = api;
    this.namespace = namespace;
    this.name = name;
    this.identity = identity;
    this.timing = timing;
    this.time = time;
    this.work = work;
    this.loop = loop;
    this.next = loop.alarm(this::attempt);
    this.rules = new ElectionRules(identity, timing);
    this.standbyReads = new StandbyReads(timing.retry(), random::nextDouble);
    next.set(Duration.ZERO);
  }

  /** A unique name, different even from that of an earlier process with the same name. */
  static String identity(String candidate, RandomGenerator random) {
    return candidate + "_" + new UUID(random.nextLong(), random.nextLong());
  }

  /** {@return the known leader; empty if there is none} */
  public Optional<String> leader() {
    String known = leader;
    return known.isEmpty() ? Optional.empty() : Optional.of(known);
  }

  /** Ends leadership, if any, releases the lease, and ends the candidacy. */
  @Override
  public void close() {
    if (loop.offer(() -> retire("retired")) && !loop.finish(timing.lease())) {
      LOG.warn("lease not released within {} s lease={}", timing.lease().toSeconds(), name);
    }
  }

  private static final class Tenure implements Leadership {
    private final TimeSource time;
    private volatile Deadline until;
    private volatile boolean over;
    private String version;
    private final Seen taken;
    private @Nullable AutoCloseable work;

    Tenure(TimeSource time, Deadline until, Seen taken) {
      this.time = time;
      this.until = until;
      this.version = taken.version();
      this.taken = taken;
    }

    @Override
    public boolean isOn() {
      if (!over && until.isPast(time.nanoTime(), time.wallTime())) {
        over = true;
      }
      return !over;
    }
  }

  private void attempt() {
    loop.requireInLoop();
    Duration pause = timing.retry();
    try {
      Tenure current = tenure;
      if (current == null) {
        pause = tryToTake();
      } else {
        renew(current);
      }
    } finally { // any failure, including a lack of threads
      next.set(pause);
    }
  }

  /** {@return the time until the next attempt} */
  private Duration tryToTake() {
    count();
    // Reads from the API server's cache: a write based on stale data is rejected.
    ApiResult answer = api.get(path() + "?resourceVersion=0");
    Seen lease;
    if (answer instanceof Done(JsonNode body)) {
      lease = read(body);
    } else if (answer.isNotFound()) {
      lease = Seen.NOTHING;
    } else {
      trouble("cannot read the lease: " + answer.summary());
      return standbyReads.afterTrouble();
    }
    leader = lease.holder();
    long nanos = time.nanoTime();
    rules = rules.see(lease, nanos);
    if (!rules.mayTake(lease, nanos)) {
      return standbyReads.next(rules.remaining(lease, nanos), rules.wait(lease));
    }
    Instant now = time.wallTime();
    Deadline deadline = rules.deadline(time.nanoTime(), now);
    ApiResult taken = write(rules.taken(lease, now), now);
    if (taken instanceof Done(JsonNode body)) {
      begin(deadline, read(body));
    } else if (!taken.isConflict()) {
      trouble("cannot acquire the lease: " + taken.summary());
    }
    return timing.retry();
  }

  /** Counts the nodes occasionally, as there may be a candidate on each. */
  private void count() {
    if (reads++ % READS_PER_COUNT == 0
        && api.get("/api/v1/nodes?limit=1", COUNT_FIELDS) instanceof Done(JsonNode page)) {
      standbyReads.among(1 + page.at("/metadata/remainingItemCount").asLong());
    }
  }

  private void begin(Deadline deadline, Seen lease) {
    lastTrouble = "";
    leader = identity;
    Tenure begun = new Tenure(time, deadline, lease);
    tenure = begun;
    LOG.info("became leader lease={} leader={}", name, identity);
    try {
      begun.work = work.apply(begun);
    } finally {
      if (begun.work == null) { // else a candidate without work would hold it
        retire("leader tasks did not start");
      }
    }
  }

  private void renew(Tenure current) {
    if (!current.isOn()) {
      end(current, "lease not renewed in time");
      return;
    }
    Instant now = time.wallTime();
    Deadline deadline = rules.deadline(time.nanoTime(), now);
    ApiResult answer = write(rules.renewed(current.taken, current.version), now);
    if (answer instanceof Done(JsonNode body)) {
      current.version = Metadata.version(body);
      current.until = deadline;
      lastTrouble = "";
    } else if (answer.isConflict() || answer.isNotFound()) {
      recheck(current);
    } else {
      trouble("cannot renew the lease: " + answer.summary());
    }
  }

  /**
   * After a lost response the next write conflicts: the lease may still be ours, in a newer
   * version.
   */
  private void recheck(Tenure current) {
    ApiResult answer = api.get(path());
    if (answer instanceof Done(JsonNode body)) {
      Seen now = read(body);
      if (Metadata.isOlder(now.version(), current.version)) {
        // All that the work knows may be of a future that is no more: its watches skip every change
        // until the versions that they know are passed. The next term begins with new ones.
        end(current, "resource versions went back, as after a restore of etcd");
      } else if (now.holder().equals(identity)) {
        current.version = now.version();
      } else {
        leader = now.holder();
        end(current, "lease held by " + now.holder());
      }
    } else if (answer.isNotFound()) {
      current.version = ""; // someone deleted it: recreate it before others may
    }
  }

  private void end(Tenure current, String why) {
    current.over = true;
    tenure = null;
    LOG.warn("lost leadership lease={} leader={} reason=\"{}\"", name, identity, why);
    closeWork(current);
  }

  private void closeWork(Tenure current) {
    if (current.work != null) {
      try {
        current.work.close();
      } catch (Exception mistake) {
        LOG.error("leader tasks did not stop lease={}", name, mistake);
      }
    }
  }

  private void retire(String why) {
    Tenure current = tenure;
    if (current == null) {
      return;
    }
    boolean held = current.isOn();
    end(current, why);
    if (held) {
      var _ = write(ElectionRules.released(current.taken, current.version), time.wallTime());
    }
  }

  private ApiResult write(Seen lease, Instant renewed) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", API_VERSION).put("kind", "Lease");
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    metadata.put("namespace", namespace);
    ObjectNode spec = object.putObject("spec");
    spec.put("holderIdentity", lease.holder())
        .put("leaseDurationSeconds", Math.max(1, lease.duration().toSeconds()))
        .put("leaseTransitions", lease.transitions())
        .put("renewTime", WireTime.micros(renewed));
    if (lease.acquired() != null) {
      spec.put("acquireTime", WireTime.micros(lease.acquired()));
    }
    if (lease.version().isEmpty()) {
      return api.create(collection(), object);
    }
    metadata.put("resourceVersion", lease.version());
    return api.replace(path(), object);
  }

  private static Seen read(JsonNode lease) {
    JsonNode spec = lease.path("spec");
    return new Seen(
        spec.path("holderIdentity").asText(),
        Metadata.version(lease),
        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
        spec.path("leaseTransitions").asInt(),
        WireTime.read(spec.path("acquireTime")));
  }

  private void trouble(String what) {
    if (!what.equals(lastTrouble)) { // once, not every two seconds
      lastTrouble = what;
      LOG.warn("{} lease={}", what, name);
    }
  }

  private String collection() {
    return "/apis/" + API_VERSION + "/namespaces/" + namespace + "/leases";
  }

  private String path() {
    return collection() + "/" + name;
  }
}
