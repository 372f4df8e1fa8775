package io.probelet.probe.http;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.Fixtures;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.net.ClosedPort;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.SystemNames;
import io.probelet.probe.net.TlsContexts;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * W-12 with real sockets, on an agent that has 10 ms of each 100: after each of them the clock is
 * 90 ms on, as if the process had been stopped as long.
 */
class StalledProbeTest implements ProbeListener {
  private static final Duration STALL = Duration.ofMillis(90);
  private static final Duration RUN = Duration.ofMillis(10);

  private final LeapingClock clock = new LeapingClock();
  private final ProbeLoops loops = ProbeLoops.start(1, clock);
  private final List<Verdict> verdicts = new CopyOnWriteArrayList<>();
  private final List<RestartDecision> restarts = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    loops.close();
  }

  @Test
  @DisplayName("W-12 timeouts say nothing while an agent is stopped for 90 ms again and again")
  void timeouts() throws IOException {
    try (ScriptedServer silent = ScriptedServer.start(ScriptedServer.Connection::hang)) {
      probe(silent.port());
      await().until(() -> verdicts.size() >= 2 || !restarts.isEmpty());
      assertThat(restarts).isEmpty();
      assertThat(verdicts.subList(0, 2)) // later ones are so long that it ran for 100 ms of them
          .allSatisfy(verdict ->
              assertThat(verdict)
                  .isInstanceOfSatisfying(
                      Verdict.ProberError.class,
                      error -> assertThat(error.reason()).isEqualTo(Verdict.Reason.STALLED)));
    }
  }

  @Test
  @DisplayName("W-12 a status that came counts all the same")
  void statusCode() throws IOException {
    ScriptedServer.Script sick =
        connection -> {
          connection.request();
          connection.send("HTTP/1.1 500 Sick\r\nContent-Length: 0\r\n\r\n");
        };
    try (ScriptedServer server = ScriptedServer.start(sick)) {
      probe(server.port());
      await().until(() -> !restarts.isEmpty());
    }
    assertThat(restarts.getFirst().message()).endsWith("statuscode: 500");
  }

  @Test
  @DisplayName("W-12 so does a refused connection")
  void refused() throws IOException {
    try (ClosedPort closed = new ClosedPort()) {
      probe(closed.number());
      await().until(() -> !restarts.isEmpty());
    }
    assertThat(restarts.getFirst().message()).endsWith("connection refused");
  }

  private void probe(int port) {
    NetLoop loop = loops.all().getFirst();
    Dialer dialer = new Dialer(loop, new SystemNames(), new TlsContexts(clock));
    HttpProber prober = new HttpProber(dialer, HttpProbing.USER_AGENT);
    ProbeEngine engine =
        new ProbeEngine(
            List.of(
                new LoopProber(
                    loop.probeLoop(),
                    (handler, target, timeout, done) ->
                        prober.probe((HttpGet) handler, target, timeout, done))),
            new Random(7),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    engine.addListener(this);
    ProbeSpec spec =
        ProbeSpec.of(HttpProbing.get(port, "/"))
            .period(Duration.ofMillis(100))
            .timeout(Duration.ofMillis(100))
            .failureThreshold(2)
            .build();
    engine.add(Fixtures.pod(Fixtures.container(Map.of(ProbeKind.LIVENESS, spec))));
    engine.observed(
        new PodObservation(
            Fixtures.POD,
            Phase.RUNNING,
            false,
            false,
            List.of("127.0.0.1"),
            Map.of(Fixtures.CONTAINER, ContainerObservation.running("id-1", clock.wallTime(), 0))));
    var _ =
        loop.eventLoop()
            .scheduleAtFixedRate(
                clock::leap, RUN.toMillis(), RUN.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void probed(Probed probe) {
    verdicts.add(probe.outcome().verdict());
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    restarts.add(decision);
  }

  /** The machine's clocks, further on by each leap. */
  private static final class LeapingClock implements TimeSource {
    private final AtomicLong ahead = new AtomicLong();

    void leap() {
      ahead.addAndGet(STALL.toNanos());
    }

    @Override
    public long nanoTime() {
      return SystemClock.INSTANCE.nanoTime() + ahead.get();
    }

    @Override
    public Instant wallTime() {
      return SystemClock.INSTANCE.wallTime().plusNanos(ahead.get());
    }
  }
}
