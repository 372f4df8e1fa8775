package io.probelet.agent.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** The lines a user reads, by what the engine tells. */
class ConsoleTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final PodRef WEB = new PodRef("default", "web", "u-1");
  private static final ProbeSubject READINESS = new ProbeSubject(WEB, "nginx", ProbeKind.READINESS);
  private static final Verdict OK = new Verdict.Success("ok body");
  private static final Verdict BROKEN =
      new Verdict.Failure("HTTP probe failed with statuscode: 500");

  private final ManualClock clock = new ManualClock(NOON);
  private final Console console = new Console(clock);

  /** As it was reported last. */
  private ContainerStatus before;

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Console.class);

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(lines);
    lines.start();
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  @Test
  void successesAreSilent() {
    probed(OK, 1, 1);
    probed(OK, 2, 1);
    assertThat(said()).isEmpty();
  }

  @Test
  @DisplayName("L-1 failures are logged up to the threshold, then at growing intervals")
  void growingIntervals() {
    for (int failure = 1; failure <= 60; failure++) {
      probed(BROKEN, failure, 3);
      clock.advance(Duration.ofSeconds(10));
    }
    assertThat(said())
        .containsExactly(
            "web/nginx readiness failed 1/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness failed 2/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness failed 3/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness still failing, 9 failures: HTTP probe failed with statuscode: 500",
            "web/nginx readiness still failing, 21 failures: HTTP probe failed with statuscode: 500",
            "web/nginx readiness still failing, 45 failures: HTTP probe failed with statuscode: 500");
  }

  @Test
  @DisplayName("L-1 a container on hold, whose count begins again, is one streak")
  void onHold() {
    for (int failure = 0; failure < 600; failure++) {
      probed(BROKEN, failure % 3 + 1, 3);
      clock.advance(Duration.ofSeconds(1));
    }
    probed(OK, 1, 1);
    assertThat(said())
        .containsExactly(
            "web/nginx readiness failed 1/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness failed 2/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness failed 3/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness still failing, 63 failures: HTTP probe failed with statuscode: 500",
            "web/nginx readiness still failing, 183 failures: HTTP probe failed with statuscode: 500",
            "web/nginx readiness still failing, 423 failures: HTTP probe failed with statuscode: 500",
            "web/nginx readiness ok again after 600 failures");
  }

  @Test
  @DisplayName("L-1 a probe that flaps has 10 lines and then one a minute, the last of them true")
  void flapping() {
    for (int second = 0; second < 300; second++) {
      probed(second % 2 == 0 ? BROKEN : OK, 1, 3);
      if (second % 2 == 1) {
        probed(OK, 3, 3);
      }
      clock.advance(Duration.ofSeconds(1));
    }
    clock.advance(Duration.ofMinutes(1));
    probed(OK, 4, 3);
    probed(OK, 5, 3);
    assertThat(said()).hasSizeBetween(10, 16);
    assertThat(said().getLast()).contains("ok again after").contains("lines left out)");
  }

  @Test
  @DisplayName("L-1 a container that turns ready and back has 20 lines and then one a minute")
  void readyAndBack() {
    for (int second = 0; second < 300; second++) {
      containerIs(ContainerObservation.running("a", NOON, 0), second % 2 == 0);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(said()).hasSizeBetween(20, 25);
    assertThat(said().getLast()).endsWith("lines left out)");
  }

  @Test
  void logsRecoveryWithTheNumberOfFailures() {
    probed(BROKEN, 1, 3);
    probed(OK, 1, 1);
    probed(BROKEN, 1, 3);
    probed(BROKEN, 2, 3);
    probed(OK, 1, 2);
    probed(OK, 2, 2);
    probed(OK, 3, 2);
    assertThat(said())
        .containsExactly(
            "web/nginx readiness failed 1/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness ok again after 1 failure",
            "web/nginx readiness failed 1/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness failed 2/3: HTTP probe failed with statuscode: 500",
            "web/nginx readiness ok 1/2",
            "web/nginx readiness ok again after 2 failures");
  }

  @Test
  void warningsAndProberErrorsAreLimitedToOneAMinuteEach() {
    Verdict error = new Verdict.ProberError(Verdict.Reason.RUNTIME, "no such container");
    for (int i = 0; i < 8; i++) {
      probed(error, 0, 3);
      probed(OK, 1, 1);
      clock.advance(Duration.ofSeconds(10));
    }
    probed(new Verdict.Warning("Probe terminated redirects, Response body: x"), 1, 1);
    probed(new Verdict.Warning("Probe terminated redirects, Response body: y"), 2, 1);
    assertThat(said())
        .containsExactly(
            "web/nginx readiness could not be probed (runtime): no such container",
            "web/nginx readiness could not be probed (runtime) (and 5 more since the last line):"
                + " no such container",
            "web/nginx readiness warning: Probe terminated redirects, Response body: x");
  }

  @Test
  @DisplayName("a problem of the whole agent is logged once, not per container")
  void agentWideTrouble() {
    Verdict shortage = new Verdict.ProberError(Verdict.Reason.LOCAL_SHORTAGE, "no ports");
    for (int pod = 0; pod < 1000; pod++) {
      probed(
          new ProbeSubject(new PodRef("default", "p" + pod, "u" + pod), "c", ProbeKind.LIVENESS),
          shortage,
          0,
          3);
    }
    clock.advance(Duration.ofMinutes(1));
    probed(shortage, 0, 3);
    assertThat(said())
        .containsExactly(
            "p0/c liveness could not be probed (local_shortage): no ports",
            "web/nginx readiness could not be probed (local_shortage) (and 999 more since the last"
                + " line):"
                + " no ports");
  }

  @Test
  @DisplayName(
      "D-6: a restart is logged with the event's text, the grace period and the probe's output")
  void killing() {
    RestartDecision decision =
        new RestartDecision(
            new ProbeSubject(WEB, "nginx", ProbeKind.LIVENESS),
            new ProbeTarget(
                WEB,
                new ContainerSpec("nginx", false, null, List.of(), Map.of(), Map.of(), Map.of()),
                "id",
                ""),
            Duration.ofSeconds(30),
            new ProbeEvent(
                "Normal", "Killing", "Container nginx failed liveness probe, will be restarted"),
            "connection refused");
    console.restartDecided(decision);
    console.stopFailed(decision, "runtime gone", Duration.ofSeconds(2));
    assertThat(said())
        .containsExactly(
            "web/nginx killing, grace 30s: Container nginx failed liveness probe, will be"
                + " restarted: connection refused",
            "web/nginx could not be stopped, next attempt in 2s: runtime gone");
    assertThat(fields(0))
        .endsWith("probe=\"liveness\"", "reason=\"Killing\"", "grace_seconds=\"30\"");
    assertThat(fields(1))
        .endsWith("probe=\"liveness\"", "reason=\"runtime gone\"", "retry_seconds=\"2\"");
  }

  @Test
  void logsAContainersChangesUntilItsPodIsRemoved() {
    containerIs(ContainerObservation.running("a", NOON, 0), false);
    containerIs(ContainerObservation.running("a", NOON, 0), true);
    containerIs(ContainerObservation.terminated("a", NOON, 1, 0), false);
    containerIs(ContainerObservation.waiting("a", 0, "CrashLoopBackOff"), false);
    containerIs(ContainerObservation.running("b", NOON, 1), true);
    console.podRemoved(WEB);
    assertThat(said())
        .containsExactly(
            "web/nginx running",
            "web/nginx ready",
            "web/nginx ended with exit code 1",
            "web/nginx waiting: CrashLoopBackOff",
            "web/nginx running, restart 1",
            "web/nginx ready",
            "web removed");
  }

  @Test
  void aNamespaceOtherThanDefaultIsNamed() {
    console.podRemoved(new PodRef("shop", "web", "u-2"));
    assertThat(said()).containsExactly("shop/web removed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          ok body    | web/nginx readiness ok 1/3 in 12.35ms: ok body
          ''         | web/nginx readiness ok 1/3 in 12.35ms
          """)
  void verboseLogsEveryProbe(String body, String line) {
    logger.setLevel(Level.DEBUG);
    probed(new Verdict.Success(body), 1, 3);
    assertThat(said()).containsExactly(line);
  }

  @Test
  void verboseLogsErrorsToo() {
    logger.setLevel(Level.DEBUG);
    probed(BROKEN, 4, 3);
    probed(new Verdict.ProberError(Verdict.Reason.RUNTIME, "gone"), 0, 3);
    assertThat(said())
        .containsExactly(
            "web/nginx readiness failed 4/3 in 12.35ms: HTTP probe failed with statuscode: 500",
            "web/nginx readiness could not be probed (runtime) in 12.35ms: gone");
  }

  @Test
  void writesATargetsOutputOnOneLineWithoutControlCharacters() {
    probed(
        new Verdict.Failure("\n\u001b[2Jone\r\ntwo\u009b\u2028\u202ethree\t" + "x".repeat(1000)),
        1,
        3);
    assertThat(said().getFirst())
        .startsWith("web/nginx readiness failed 1/3: one two three xxx")
        .hasSizeLessThan(360);
  }

  @Test
  void linesCarryTheirSubjectAsFieldsForJson() {
    probed(BROKEN, 1, 3);
    assertThat(lines.list.getFirst().getKeyValuePairs())
        .extracting(Object::toString)
        .containsExactly(
            "namespace=\"default\"",
            "pod=\"web\"",
            "pod_uid=\"u-1\"",
            "container=\"nginx\"",
            "probe=\"readiness\"");
  }

  @Test
  void aWorkerThatEndsLeavesNoMemoryBehind() {
    probed(BROKEN, 1, 3);
    console.workerEnded(READINESS);
    probed(OK, 1, 1);
    assertThat(said()).hasSize(1);
  }

  private void probed(Verdict verdict, int consecutive, int threshold) {
    probed(READINESS, verdict, consecutive, threshold);
  }

  private void probed(ProbeSubject subject, Verdict verdict, int consecutive, int threshold) {
    Duration took = Duration.ofNanos(12_345_678);
    console.probed(
        new Probed(
            subject,
            "id",
            new ProbeOutcome(verdict, ProbeTimings.of(took.toNanos())),
            consecutive,
            threshold,
            took,
            Duration.ZERO));
  }

  private void containerIs(ContainerObservation seen, boolean ready) {
    ContainerStatus now = new ContainerStatus(WEB, "nginx", seen, seen.running(), ready);
    console.containerChanged(before, now);
    before = now;
  }

  private List<String> fields(int line) {
    return lines.list.get(line).getKeyValuePairs().stream().map(Object::toString).toList();
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
