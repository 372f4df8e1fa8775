package io.probelet.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ProbePast;
import io.probelet.probe.engine.ProbePast.Interval;
import io.probelet.probe.engine.ProbePast.Uptime;
import io.probelet.probe.engine.ProbePhases;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The shape that docs/reference/http-api.md promises. */
class ContainersJsonTest {
  private static final ContainerSnapshot WEB =
      Snapshots.running(
          "default",
          "web",
          "nginx",
          Snapshots.succeeding(ProbeKind.READINESS, "httpGet"),
          Snapshots.untried(ProbeKind.LIVENESS, "exec"));

  @Test
  void theArrayHasTheDocumentedFieldsAndNoOthers() throws IOException {
    assertThat(json(ContainerView.of(WEB, 0)))
        .isEqualTo(
            """
            [{"namespace":"default","pod":"web","container":"nginx","role":"regular",\
            "id":"proc://nginx","state":"Running","message":"","ready":true,"started":true,"restartCount":1,\
            "startedAt":"2026-11-21T12:00:00.000Z","nextStart":null,\
            "lastTermination":null,"logPath":"","probes":[\
            {"kind":"readiness","handler":"httpGet","result":"Success",\
            "lastOutcome":"Success","consecutive":7,"threshold":1,"periodMs":10000,"timeoutMs":1000,\
            "nextProbe":"2026-11-21T12:00:13.123Z","waitsFor":null,\
            "lastProbe":"2026-11-21T12:00:03.123Z","lastLatencyMs":1.234,"message":"ok"},\
            {"kind":"liveness","handler":"exec","result":"Success",\
            "lastOutcome":null,"consecutive":0,"threshold":3,"periodMs":10000,"timeoutMs":1000,\
            "nextProbe":"2026-11-21T12:00:20.000Z","waitsFor":"initial-delay",\
            "lastProbe":null,"lastLatencyMs":null,"message":""}]}]\
            """);
  }

  @Test
  void historyHoldsTheNewestOutcomesThatWereAskedForOldestFirst() throws IOException {
    assertThat(json(ContainerView.of(WEB, 2)))
        .contains(
            """
            "message":"ok","history":[\
            {"time":"2026-11-21T12:00:02.000Z","result":"successful","latencyMs":2.5,"message":"ok"},\
            {"time":"2026-11-21T12:00:03.123Z","result":"successful","latencyMs":2.5,"message":"ok"}]}\
            """)
        .contains("\"message\":\"\",\"history\":[]}");
    assertThat(json(ContainerView.of(WEB, 60))).contains("statuscode: 500");
  }

  @Test
  void phasesHaveThreeDigitsAndOnlyThoseThatWere() throws IOException {
    ContainerSnapshot timed =
        Snapshots.running(
            "default",
            "web",
            "nginx",
            Snapshots.phased(
                new ProbePhases(
                    Duration.ZERO,
                    null,
                    Duration.ofNanos(123_456),
                    null,
                    Duration.ofNanos(17_345_678))));
    assertThat(json(ContainerView.of(timed, 1)))
        .contains("\"message\":\"ok\",\"phases\":{\"connect\":0.123,\"firstByte\":17.3}}");
    assertThat(read(json(ContainerView.of(timed, 1)))).containsExactly(ContainerView.of(timed, 1));
  }

  @Test
  void aContainerThatWaitsToBeStartedSaysUntilWhen() throws IOException {
    ContainerSnapshot waiting =
        Snapshots.container(
            "default",
            "web",
            "nginx",
            ContainerObservation.waiting("a", 5, "CrashLoopBackOff")
                .startingAgain(Snapshots.NOON.plusSeconds(80)),
            false,
            false);
    assertThat(json(ContainerView.of(waiting, 0)))
        .contains("\"startedAt\":null,\"nextStart\":\"2026-11-21T12:01:20.000Z\"");
  }

  static Stream<Arguments> states() {
    Instant noon = Snapshots.NOON;
    return Stream.of(
        Arguments.of(ContainerObservation.running("a", noon, 0), "Running"),
        Arguments.of(ContainerObservation.waiting("", 0, ""), "Waiting"),
        Arguments.of(ContainerObservation.waiting("a", 5, "CrashLoopBackOff"), "CrashLoopBackOff"),
        Arguments.of(ContainerObservation.terminated("a", noon, 0, 0), "Completed"),
        Arguments.of(ContainerObservation.terminated("a", noon, 137, 0), "Error"));
  }

  @ParameterizedTest
  @MethodSource("states")
  void stateIsTheWordKubectlShows(ContainerObservation observation, String word) {
    ContainerSnapshot snapshot =
        Snapshots.container("default", "web", "nginx", observation, false, false);
    assertThat(ContainerView.of(snapshot, 0).state()).isEqualTo(word);
  }

  @Test
  void whatIsWrittenReadsBackEqual() throws IOException {
    List<ContainerView> views =
        List.of(
            ContainerView.of(WEB, 0),
            ContainerView.of(WEB, 60),
            ContainerView.of(WEB, 0).withWarnings(List.of("it has no effect")),
            ContainerView.of(
                Snapshots.running(
                    "a",
                    "b",
                    "c",
                    Snapshots.failing(ProbeKind.STARTUP, "grpc", "\"quoted\"\n\u0000 ü 🙂")),
                1));
    assertThat(read(json(views.toArray(ContainerView[]::new)))).isEqualTo(views);
    assertThat(read(json())).isEmpty();
  }

  @Test
  void fieldsOfALaterVersionArePassedOver() throws IOException {
    String later = json(ContainerView.of(WEB, 0)).replace("{\"kind\"", "{\"new\":[1],\"kind\"");
    assertThat(read(later)).containsExactly(ContainerView.of(WEB, 0));
  }

  private static String json(ContainerView... views) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ViewJson.writeAll(List.of(views), ContainerView.class, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<ContainerView> read(String json) throws IOException {
    return ViewJson.readAll(json.getBytes(StandardCharsets.UTF_8), ContainerView.class);
  }

  @Test
  @DisplayName("the past has uptime rounded down, and is left out where it was not asked for")
  void past() throws Exception {
    ProbePast past =
        new ProbePast(
            Snapshots.NOON,
            Duration.ofMinutes(4),
            true,
            null,
            new Uptime(99.99999, 20_000, 1),
            List.of(new Interval(Snapshots.NOON, 3, 1, Duration.ofMillis(2), Duration.ofMillis(7))),
            Duration.ofMinutes(12));
    ContainerSnapshot with =
        Snapshots.running(
            "shop",
            "web",
            "c",
            Snapshots.phased(new ProbePhases(Duration.ZERO, null, null, null, null), past));
    assertThat(json(ContainerView.of(with, 0)))
        .contains(
            "\"past\":{\"since\":\"2026-11-21T12:00:00.000Z\",\"resolutionSeconds\":240,"
                + "\"shortened\":true,\"hour\":null,"
                + "\"day\":{\"uptimePercent\":99.999,\"up\":20000,\"failed\":1},\"stepSeconds\":720,"
                + "\"intervals\":[{\"start\":\"2026-11-21T12:00:00.000Z\",\"up\":3,\"failed\":1,"
                + "\"p50Ms\":2.0,\"p99Ms\":7.0}]}");
    assertThat(read(json(ContainerView.of(with, 0)))).containsExactly(ContainerView.of(with, 0));
    assertThat(json(ContainerView.of(WEB, 0))).doesNotContain("\"past\"");
  }
}
