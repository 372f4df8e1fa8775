package io.probelet.web.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Discarded;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.api.RecentEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** L-2: what is an event, when it happened and how often. */
class RecentEventsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final PodRef WEB = new PodRef("shop", "web", "u-1");
  private static final ProbeSubject LIVENESS = new ProbeSubject(WEB, "nginx", ProbeKind.LIVENESS);
  private static final Verdict OK = new Verdict.Success("ok");
  private static final Verdict BROKEN = new Verdict.Failure("statuscode: 500");

  private final ManualClock clock = new ManualClock(NOON);
  private final RecentEvents events = new RecentEvents(clock);
  private String id = "a";
  private ContainerStatus before;

  @Test
  @DisplayName("an unbroken failure of hours is one event, since its first failure")
  void streak() {
    probed(OK, 1, 3);
    clock.advance(Duration.ofMinutes(16));
    for (int failure = 1; failure <= 1000; failure++) {
      probed(BROKEN, failure, 3);
      clock.advance(Duration.ofSeconds(10));
    }
    assertThat(said())
        .containsExactly(
            "12:16:00 12:16:00+9990s x1000 ProbeFailed shop/web/nginx liveness: statuscode: 500",
            "12:16:20 12:16:20+0s x1 ProbeThresholdReached shop/web/nginx liveness: 3 failures in a"
                + " row: statuscode: 500");
    probed(OK, 1, 1);
    assertThat(said())
        .hasSize(3)
        .last()
        .asString()
        .endsWith(
            "ProbeRecovered shop/web/nginx liveness: succeeded after 1000 failures in 10000s");
  }

  @Test
  @DisplayName("a container on hold, whose count begins again, is one streak")
  void onHold() {
    for (int failure = 0; failure < 90; failure++) {
      probed(BROKEN, failure % 3 + 1, 3);
      if (failure % 3 == 2) {
        events.kept(decision(), "RestartHeld", "too many fail at once");
      }
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(said())
        .containsExactly(
            "12:00:00 12:00:00+89s x90 ProbeFailed shop/web/nginx liveness: statuscode: 500",
            "12:00:02 12:00:02+87s x30 ProbeThresholdReached shop/web/nginx liveness: 3 failures in"
                + " a row: statuscode: 500",
            "12:00:02 12:00:02+87s x30 RestartHeld shop/web/nginx: too many fail at once");
  }

  @Test
  @DisplayName("a kill, its reason, the end and the next start are events of their own")
  void life() {
    containerIs(ContainerObservation.running("a", NOON, 0));
    clock.advance(Duration.ofMinutes(1));
    probed(BROKEN, 1, 1);
    events.restartDecided(decision());
    events.stopFailed(decision(), "runtime gone", Duration.ofSeconds(1));
    events.stopFailed(decision(), "runtime gone", Duration.ofSeconds(2));
    clock.advance(Duration.ofSeconds(1));
    containerIs(ContainerObservation.terminated("a", NOON, 137, 0));
    containerIs(
        ContainerObservation.waiting("a", 0, "CrashLoopBackOff")
            .startingAgain(Instant.parse("2026-11-21T12:01:11Z")));
    clock.advance(Duration.ofSeconds(10));
    id = "b";
    containerIs(ContainerObservation.running("b", clock.wallTime(), 1));
    events.podRemoved(WEB);
    assertThat(said())
        .containsExactly(
            "12:00:00 12:00:00+0s x1 ContainerStarted shop/web/nginx: first start",
            "12:01:00 12:01:00+0s x1 ProbeFailed shop/web/nginx liveness: statuscode: 500",
            "12:01:00 12:01:00+0s x1 ProbeThresholdReached shop/web/nginx liveness: 1 failures in a"
                + " row: statuscode: 500",
            "12:01:00 12:01:00+0s x1 Killing shop/web/nginx: Container nginx failed liveness probe:"
                + " statuscode: 500",
            "12:01:00 12:01:00+0s x2 FailedKillPod shop/web/nginx: runtime gone",
            "12:01:01 12:01:01+0s x1 ContainerExited shop/web/nginx: exited with code 137, as signal"
                + " 9 does",
            "12:01:01 12:01:01+0s x1 ContainerWaiting shop/web/nginx: CrashLoopBackOff, next start at"
                + " 2026-11-21T12:01:11.000Z",
            "12:01:11 12:01:11+0s x1 ContainerStarted shop/web/nginx: restart 1",
            "12:01:11 12:01:11+0s x1 PodRemoved shop/web: no longer probed");
  }

  @Test
  @DisplayName("what was so before the agent began is no event")
  void atTheStart() {
    containerIs(ContainerObservation.running("a", NOON.minusSeconds(3600), 3));
    probed(OK, 1, 1);
    assertThat(said()).isEmpty();
  }

  @Test
  @DisplayName("the next instance's failures are decided anew, in the same streak")
  void nextInstance() {
    probed(BROKEN, 1, 1);
    id = "b";
    probed(BROKEN, 1, 1);
    assertThat(said())
        .extracting(each -> each.split(" ", -1)[2] + " " + each.split(" ", -1)[3])
        .containsExactly("x2 ProbeFailed", "x2 ProbeThresholdReached");
  }

  @Test
  @DisplayName("probes that cannot be carried out are one event until the next success")
  void errors() {
    Verdict error = new Verdict.ProberError(Verdict.Reason.RUNTIME, "not connected");
    for (int i = 0; i < 5; i++) {
      probed(error, 0, 3);
      clock.advance(Duration.ofSeconds(10));
    }
    probed(OK, 1, 1);
    assertThat(said())
        .containsExactly(
            "12:00:00 12:00:00+40s x5 ProbeError shop/web/nginx liveness: runtime: not connected",
            "12:00:50 12:00:50+0s x1 ProbeRecovered shop/web/nginx liveness: succeeded after"
                + " errors in 50s");
  }

  @Test
  @DisplayName("a worker that ends leaves no memory; what the agent does is an event, too")
  void others() {
    probed(BROKEN, 1, 3);
    events.workerEnded(LIVENESS);
    probed(OK, 1, 1);
    events.discarded(new Discarded(LIVENESS, Verdict.Reason.POD_BUDGET, "too many", true));
    events.discarded(new Discarded(LIVENESS, Verdict.Reason.POD_BUDGET, "too many", false));
    events.agent("ConfigurationReloaded", "reloaded");
    assertThat(events.newest(10))
        .extracting(each -> each.reason() + " " + each.object() + " " + each.count())
        .containsExactly(
            "ProbeFailed shop/web/nginx liveness 1",
            "ProbesHeldBack shop/web/nginx liveness 1",
            "ConfigurationReloaded agent 1");
  }

  private void probed(Verdict verdict, int consecutive, int threshold) {
    events.probed(
        new Probed(
            LIVENESS,
            id,
            new ProbeOutcome(verdict, ProbeTimings.of(1)),
            consecutive,
            threshold,
            Duration.ZERO,
            Duration.ZERO));
  }

  private RestartDecision decision() {
    return new RestartDecision(
        LIVENESS,
        new ProbeTarget(
            WEB,
            new ContainerSpec("nginx", false, null, List.of(), Map.of(), Map.of(), Map.of()),
            id,
            ""),
        Duration.ofSeconds(30),
        new ProbeEvent("Normal", "Killing", "Container nginx failed liveness probe"),
        "statuscode: 500");
  }

  private void containerIs(ContainerObservation seen) {
    ContainerStatus now = new ContainerStatus(WEB, "nginx", seen, seen.running(), false);
    events.containerChanged(before, now);
    before = now;
  }

  private List<String> said() {
    return events.newest(1000).stream().map(RecentEventsTest::line).toList();
  }

  private static String line(RecentEvent event) {
    String first = event.time().substring(11, 19);
    Duration lasted = Duration.between(Instant.parse(event.time()), Instant.parse(event.last()));
    return "%s %s+%ds x%d %s %s: %s"
        .formatted(
            first,
            first,
            lasted.toSeconds(),
            event.count(),
            event.reason(),
            event.object(),
            event.message());
  }
}
