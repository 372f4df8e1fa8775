package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiRetry;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import io.probelet.kube.WriteLoop;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that this node's agent is alive, by a Lease of the node's name that is renewed every 20 to
 * 25 s and runs out after 60. It is written by server-side apply: the same request makes and renews
 * it.
 */
public final class Heartbeat implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(20);

  /**
   * A random period spreads the agents of a cluster again that an outage has brought into step. Two
   * of the longest are shorter than the lease.
   */
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(25);

  private static final int LEASE_SECONDS = 60;

  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);

  /**
   * All others of the agent wait for longer, and go on as soon as the heartbeat is answered. A
   * random half of it spreads the return of all agents of a cluster.
   */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final ApiServer api;
  private final String path;
  private final String namespace;
  private final String node;
  private final TimeSource time;
  private final WriteLoop loop;
  private volatile Runnable whenBack = () -> {};
  private volatile long renewedAt;

  /** Of the loop only. */
  private Instant renewedWall;

  private volatile String failure = "";

  /** Begins to beat. */
  public Heartbeat(
      ApiServer api, String namespace, String node, TimeSource time, RandomGenerator random) {
    this.api = api;
    this.namespace = namespace;
    this.node = node;
    this.time = time;
    path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, node);
    renewedAt = time.nanoTime();
    renewedWall = time.wallTime();
    loop =
        new WriteLoop(
            "heartbeat",
            () -> period(random),
            this::beat,
            new ApiRetry(random, FIRST_WAIT, LONGEST_WAIT),
            WriteLoop.thread("heartbeat", time.threads()));
    api.whenBack(loop::serverIsBack);
    api.whenLost(loop::wake); // it finds out when the server is back, for all others
    loop.start();
  }

  static Duration period(RandomGenerator random) {
    return Duration.ofNanos(random.nextLong(SHORTEST_PERIOD.toNanos(), LONGEST_PERIOD.toNanos()));
  }

  @Override
  public String name() {
    return "heartbeat";
  }

  /** An expired lease means that this agent is gone. */
  @Override
  public Optional<String> problem() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(time.nanoTime() - renewedAt);
    String why = failure;
    return seconds < LEASE_SECONDS
        ? Optional.empty()
        : Optional.of(
            "the lease %s/%s was not renewed for %d s: %s"
                .formatted(namespace, node, seconds, why.isEmpty() ? "no answer yet" : why));
  }

  /**
   * Registers for the moment when the agent is heard again after its lease has run out: the leader
   * may have taken it for gone (B-6).
   */
  public void whenBack(Runnable task) {
    whenBack = task;
  }

  private boolean beat() {
    long asked = time.nanoTime();
    Instant askedWall = time.wallTime();
    ApiResult answer = api.apply(path, lease(askedWall));
    if (!(answer instanceof Done)) {
      failure = answer.summary();
      loop.failed(answer);
      return true;
    }
    boolean ranOut = ranOut();
    renewedAt = asked; // the lease runs from before the answer, which may be late
    renewedWall = askedWall;
    failure = "";
    if (loop.succeeded()) {
      LOG.info("heartbeat recovered namespace={} lease={}", namespace, node);
    }
    if (ranOut) {
      whenBack.run();
    }
    return false;
  }

  /** The wall clock also runs while the machine is suspended. */
  private boolean ranOut() {
    return problem().isPresent()
        || Duration.between(renewedWall, time.wallTime()).toSeconds() >= LEASE_SECONDS;
  }

  private ObjectNode lease(Instant now) {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", node).put("namespace", namespace);
    lease
        .putObject("spec")
        .put("holderIdentity", node)
        .put("leaseDurationSeconds", LEASE_SECONDS)
        .put("renewTime", WireTime.micros(now));
    return lease;
  }

  @Override
  public void close() {
    loop.close();
  }
}
