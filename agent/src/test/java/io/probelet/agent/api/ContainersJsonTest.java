package io.probelet.agent.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.Snapshots;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.runtime.ContainerObservation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The shape that docs/http-api.md promises. */
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
            [{"namespace":"default","pod":"web","container":"nginx","id":"proc://nginx",\
            "state":"Running","ready":true,"started":true,"restartCount":1,"probes":[\
            {"kind":"readiness","handler":"httpGet","result":"Success","consecutive":7,\
            "lastProbe":"2026-11-21T12:00:03.123Z","lastLatencyMs":1.234,"message":"ok"},\
            {"kind":"liveness","handler":"exec","result":"Success","consecutive":0,\
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
    ContainersJson.write(List.of(views), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<ContainerView> read(String json) throws IOException {
    return ContainersJson.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }
}
