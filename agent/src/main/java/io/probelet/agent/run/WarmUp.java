package io.probelet.agent.run;

import io.probelet.health.TimeSource;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.service.ProbeService;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes a server of our own a few times before the first probe that counts (W-21). A JVM that has
 * just begun loads and links what a probe takes, which would be some hundred milliseconds of a
 * target that answers in one. What cannot be done in time, or at all, is left out.
 */
public final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** On a node without a processor to spare real probes must not wait for ever. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** The first loads classes; the others take the ways that only a second one takes. */
  private static final int ROUNDS = 4;

  /** More parts of one probe would take the same code once more. */
  private static final int MAX_PARTS = 8;

  /**
   * What pods have most. TLS takes a certificate, and to make one takes longer than all of these.
   */
  private static final List<ProbeHandler> USUAL =
      List.of(
          new HttpGet(new Port.Numeric(1), "/"),
          new TcpSocket(new Port.Numeric(1), null),
          new Grpc(1, "", null));

  private static final ContainerSpec CONTAINER =
      new ContainerSpec("warm-up", false, null, List.of(), Map.of(), Map.of(), Map.of());
  private static final ProbeTarget TARGET =
      new ProbeTarget(new PodRef("default", "warm-up", "warm-up"), CONTAINER, "", "127.0.0.1");

  private final ProbeService service;
  private final TimeSource time;
  private final long endNanos;
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicInteger healthy = new AtomicInteger();
  private volatile boolean complete;

  private WarmUp(ProbeService service, TimeSource time, Duration longest) {
    this.service = service;
    this.time = time;
    endNanos = time.nanoTime() + longest.toNanos();
  }

  /**
   * Begins to probe by the usual handlers, while the caller goes on with other things.
   *
   * @return to be awaited before the first probe that counts
   */
  public static WarmUp start(ProbeService service, TimeSource time) {
    return start(service, time, LONGEST);
  }

  static WarmUp start(ProbeService service, TimeSource time, Duration longest) {
    WarmUp warmUp = new WarmUp(service, time, longest);
    time.threads().ofVirtual().name("warm-up").start(() -> warmUp.run(USUAL));
    return warmUp;
  }

  /**
   * Probes as one handler does, all its parts, and returns when that is done: after 2 s at most.
   *
   * @return whether all of it was done in that time
   */
  public static boolean carryOut(ProbeHandler handler, ProbeService service, TimeSource time) {
    return carryOut(handler, service, time, LONGEST).complete;
  }

  static WarmUp carryOut(
      ProbeHandler handler, ProbeService service, TimeSource time, Duration longest) {
    List<ProbeHandler> parts = new ArrayList<>();
    collect(handler, parts);
    WarmUp warmUp = new WarmUp(service, time, longest);
    warmUp.run(parts);
    return warmUp;
  }

  /** Returns when the warm-up is done, or has taken 2 s. */
  public void await() {
    try {
      if (!done.await(nanosLeft(), TimeUnit.NANOSECONDS)) {
        LOG.debug("warm-up ended, out of time healthy={}", healthy);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@return whether each probe was made in time} */
  boolean isComplete() {
    return complete;
  }

  /** {@return how many of its probes were answered so far} */
  int healthy() {
    return healthy.get();
  }

  private void run(List<ProbeHandler> handlers) {
    Map<WarmServer.Sort, WarmServer> servers = new EnumMap<>(WarmServer.Sort.class);
    List<WarmTrial> trials =
        handlers.stream().flatMap(handler -> WarmTrial.of(handler).stream()).toList();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        for (WarmTrial trial : trials) {
          WarmServer server = servers.get(trial.server());
          if (server == null) { // opened when the first trial needs it
            server = WarmServer.open(trial.server(), time.wallTime());
            servers.put(trial.server(), server);
          }
          ProbeOutcome outcome = probe(trial.handler().apply(server.address()));
          LOG.debug("warm-up probed outcome=\"{}\"", outcome);
          if (outcome.verdict().healthy()) {
            healthy.incrementAndGet();
          }
        }
      }
      complete = true;
    } catch (IOException
        | GeneralSecurityException
        | ExecutionException
        | TimeoutException
        | RuntimeException unable) { // a service that ends already among them
      LOG.debug("warm-up failed healthy={}", healthy, unable);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } finally {
      servers.values().forEach(WarmServer::close);
      done.countDown();
    }
  }

  private ProbeOutcome probe(ProbeHandler handler)
      throws InterruptedException, ExecutionException, TimeoutException {
    long left = nanosLeft();
    if (left <= 0) {
      throw new TimeoutException("out of time");
    }
    CompletableFuture<ProbeOutcome> outcome = new CompletableFuture<>();
    service.probe(handler, TARGET, Duration.ofNanos(left), outcome::complete);
    return outcome.get(left, TimeUnit.NANOSECONDS);
  }

  private long nanosLeft() {
    return endNanos - time.nanoTime();
  }

  private static void collect(ProbeHandler handler, List<ProbeHandler> parts) {
    switch (handler) {
      case AllOf(List<ProbeHandler> all) -> all.forEach(part -> collect(part, parts));
      case AnyOf(List<ProbeHandler> any) -> any.forEach(part -> collect(part, parts));
      case Exec _ -> {} // there is no container to go into
      case HttpGet _, TcpSocket _, Grpc _, Datagram _ -> {
        if (parts.size() < MAX_PARTS) {
          parts.add(handler);
        }
      }
    }
  }
}
