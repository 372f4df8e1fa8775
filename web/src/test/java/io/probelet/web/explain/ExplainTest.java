package io.probelet.web.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.HttpHeader.FromFile;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins;
import io.probelet.probe.ProbeOrigins.Origin;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.engine.ProbeSnapshot.Obstacle;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ViewJson;
import io.probelet.web.explain.ExplainView.Value;
import io.probelet.web.explain.RestartForecast.Consequence;
import io.probelet.web.explain.RestartForecast.Held;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of a container: values without secrets, where they come from, what happens next. */
class ExplainTest {
  private static final Port PORT = new Port.Numeric(8080);
  private static final ContainerObservation RUNNING =
      ContainerObservation.running("id", Snapshots.NOON, 0);

  static Stream<Arguments> handlers() {
    return Stream.of(
        Arguments.of(new HttpGet(PORT, "/healthz"), "GET http://<pod>:8080/healthz"),
        Arguments.of(
            new HttpGet(
                new Port.Named("web"),
                "db.example",
                "/a?token=hunter2",
                Scheme.HTTPS,
                List.of(
                    new HttpHeader("Authorization", "Bearer hunter2"),
                    new HttpHeader("X-Key", new FromFile("hunter2", Path.of("/etc/hunter2")))),
                TlsOptions.INSECURE,
                HttpExpectation.KUBELET),
            "GET https://db.example:web/a?… with Authorization: [redacted], X-Key: [redacted]"),
        Arguments.of(new TcpSocket(PORT, null), "connect to <pod>:8080"),
        Arguments.of(new Exec(List.of("/bin/check")), "run /bin/check"),
        Arguments.of(
            new Exec(List.of("mysqladmin", "-phunter2", "ping")),
            "run mysqladmin [redacted] (2 arguments)"),
        Arguments.of(new Exec(List.of("PASSWORD=hunter2 check")), "run PASSWORD=[redacted] check"),
        Arguments.of(
            new Grpc(50051, "shop", null),
            "grpc.health.v1.Health/Check on port 50051 for service shop"),
        Arguments.of(
            new TcpSocket(PORT, null).with(TlsOptions.INSECURE), "TLS handshake with <pod>:8080"),
        Arguments.of(
            new TcpSocket(PORT, null, null, List.of(new Step.Send("hunter2\n"), Step.STARTTLS)),
            "connect to <pod>:8080 and a dialog of 2 steps with STARTTLS"),
        Arguments.of(
            new Grpc(50051, "", "shop.example", null),
            "grpc.health.v1.Health/Check on port 50051 as shop.example"),
        Arguments.of(
            new HttpGet(
                PORT,
                null,
                "/",
                Scheme.HTTP,
                List.of(),
                TlsOptions.INSECURE,
                HttpExpectation.KUBELET,
                Method.POST,
                Protocol.HTTP2),
            "POST http://<pod>:8080/ by HTTP/2"),
        Arguments.of(
            new AllOf(List.of(new TcpSocket(PORT, null), new Exec(List.of("sh", "hunter2")))),
            "all of: connect to <pod>:8080; run sh [redacted] (1 argument)"));
  }

  @ParameterizedTest
  @MethodSource("handlers")
  @DisplayName("handlers are said in words, without what may be a secret")
  void words(ProbeHandler handler, String words) {
    assertThat(HandlerText.of(handler)).isEqualTo(words).doesNotContain("hunter2");
  }

  @Test
  @DisplayName("however large a handler is, its words are few")
  void bounded() {
    ProbeHandler many =
        new AllOf(Collections.nCopies(1000, new HttpGet(PORT, "/" + "x".repeat(100_000))));
    assertThat(HandlerText.of(new AllOf(Collections.nCopies(16, many)))).hasSize(600);
  }

  @Test
  @DisplayName("each value says where it comes from")
  void origins() {
    ProbeSpec spec =
        ProbeSpec.of(new HttpGet(PORT, "/"))
            .period(Duration.ofMillis(500))
            .failingPeriod(Duration.ofMillis(100))
            .origins(
                ProbeOrigins.DEFAULTS
                    .with(ProbeOrigins.Value.HANDLER, Origin.SPEC)
                    .with(ProbeOrigins.Value.PERIOD, Origin.ANNOTATION)
                    .with(ProbeOrigins.Value.FAILING_PERIOD, Origin.ANNOTATION)
                    .with(ProbeOrigins.Value.PROFILE, Origin.POLICY))
            .build();
    assertThat(ProbeValues.of(ProbeKind.READINESS, spec))
        .containsExactly(
            new Value("httpGet", "GET http://<pod>:8080/", "spec"),
            new Value("profile", "headers or TLS of the administrator", "policy"),
            new Value("initialDelay", "0s", "default"),
            new Value("period", "500ms", "annotation"),
            new Value("failingPeriod", "100ms", "annotation"),
            new Value("timeout", "1s", "default"),
            new Value("successThreshold", "1", "default"),
            new Value("failureThreshold", "3", "default"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LIVENESS |SUCCESS|FAILURE|1|NONE|Two more failures in a row and it is restarted. One success resets the count.",
        "LIVENESS |SUCCESS|FAILURE|2|NONE|One more failure in a row and it is restarted. One success resets the count.",
        "LIVENESS |SUCCESS|SUCCESS|9|NONE|Three failures in a row and it is restarted.",
        "LIVENESS |SUCCESS|       |0|NONE|This instance has not been probed yet. Three failures in a row and it is restarted.",
        "LIVENESS |FAILURE|FAILURE|0|DECIDED|Failed 3 times in a row, so it is restarted. The next instance is probed again.",
        "LIVENESS |SUCCESS|       |0|NOT_STARTED|Waiting for the startup probe to succeed.",
        "LIVENESS |SUCCESS|       |0|INITIAL_DELAY|Waiting for the initialDelay of 7s.",
        "LIVENESS |SUCCESS|       |0|POD_ENDING|The pod is terminating and no longer probed.",
        "READINESS|SUCCESS|FAILURE|1|NONE|Two more failures in a row and it is no longer ready.",
        "READINESS|FAILURE|FAILURE|7|NONE|Two successes in a row and it is ready.",
        "READINESS|FAILURE|SUCCESS|1|NONE|One more success in a row and it is ready.",
        "READINESS|SUCCESS|SUCCESS|9|NONE|Three failures in a row and it is no longer ready.",
        "READINESS|FAILURE|       |0|NO_INSTANCE|Waiting for an instance of the container; none has been seen yet.",
        "READINESS|FAILURE|       |0|NOT_RUNNING|Waiting for the container to run.",
        "STARTUP  |UNKNOWN|FAILURE|2|NONE|One more failure in a row and it is restarted. One success and it has started.",
        "STARTUP  |SUCCESS|SUCCESS|0|DECIDED|Succeeded: the container has started, and this instance is not probed again.",
        "STARTUP  |SUCCESS|       |0|STARTED|Succeeded: the container has started, and this instance is not probed again."
      })
  @DisplayName("what happens next is said in sentences, with the number that is missing")
  void outlook(
      ProbeKind kind,
      ProbeResult result,
      @Nullable ProbeResult last,
      int consecutive,
      Obstacle obstacle,
      String sentences) {
    ProbeSnapshot probe = probe(kind, result, last, consecutive, obstacle);
    assertThat(outlook(probe, RUNNING, Consequence.of(FailureEffect.RESTART))).isEqualTo(sentences);
  }

  static Stream<Arguments> stopped() {
    Instant next = Instant.parse("2026-11-21T12:00:40.700Z");
    return Stream.of(
        Arguments.of(
            FailureEffect.RESTART,
            waiting("CrashLoopBackOff", next),
            "Failed 3 times in a row, and was stopped. The container is in back-off and"
                + " starts again at 2026-11-21T12:00:40Z. The next instance is probed again."),
        Arguments.of(
            FailureEffect.RESTART,
            waiting("CrashLoopBackOff", null),
            "Failed 3 times in a row, and was stopped. The container is in back-off and"
                + " starts again when the kubelet decides. The next instance is probed again."),
        Arguments.of(
            FailureEffect.RESTART,
            waiting("", null),
            "Failed 3 times in a row, and was stopped. The next instance is probed again."),
        Arguments.of(
            FailureEffect.STOP,
            waiting("", null),
            "Failed 3 times in a row, and was stopped; it is not started again."));
  }

  @ParameterizedTest
  @MethodSource("stopped")
  @DisplayName("what was stopped is not said to be restarted, but when it will be")
  void backOff(FailureEffect effect, ContainerObservation container, String sentences) {
    ProbeSnapshot decided =
        probe(ProbeKind.LIVENESS, ProbeResult.FAILURE, ProbeResult.FAILURE, 0, Obstacle.DECIDED);
    assertThat(outlook(decided, container, Consequence.of(effect))).isEqualTo(sentences);
  }

  @Test
  @DisplayName("a probe that waits for a container in back-off says until when")
  void waits() {
    ProbeSnapshot readiness =
        probe(ProbeKind.READINESS, ProbeResult.FAILURE, null, 0, Obstacle.NOT_RUNNING);
    ContainerObservation waiting =
        waiting("CrashLoopBackOff", Instant.parse("2026-11-21T12:00:40Z"));
    assertThat(outlook(readiness, waiting, Consequence.of(FailureEffect.RESTART)))
        .isEqualTo(
            "Waiting for the container to run. The container is in back-off and starts again at"
                + " 2026-11-21T12:00:40Z.");
  }

  @Test
  @DisplayName("what a guard holds is said with its reason and its end, and what was kept, too")
  void held() {
    ProbeSnapshot anew = probe(ProbeKind.LIVENESS, ProbeResult.SUCCESS, null, 0, Obstacle.NONE);
    Held guard = new Held("6 of 8 containers of namespace shop turned unhealthy within 60 s", null);
    assertThat(
            outlook(
                anew,
                RUNNING,
                new Consequence(
                    FailureEffect.RESTART, ", unless they are too many", Optional.of(guard), null)))
        .isEqualTo(
            "This instance has not been probed yet. Three failures in a row and its restart"
                + " is on hold: 6 of 8 containers of namespace shop turned unhealthy within 60 s.");
    Consequence kept =
        new Consequence(
            FailureEffect.EVICT,
            "",
            Optional.of(new Held("why", Snapshots.NOON.plusSeconds(90))),
            Snapshots.NOON);
    assertThat(outlook(anew, RUNNING, kept))
        .isEqualTo(
            "Failed 3 times in a row at 2026-11-21T12:00:00Z; the restart was suppressed and the"
                + " count was reset. Three failures in a row and the eviction of its pod is on hold:"
                + " why. On hold until 2026-11-21T12:01:30Z or earlier.");
    assertThat(
            outlook(
                probe(
                    ProbeKind.LIVENESS, ProbeResult.SUCCESS, ProbeResult.SUCCESS, 1, Obstacle.NONE),
                RUNNING,
                kept))
        .as("it is well again")
        .startsWith("Three failures in a row and the eviction");
    assertThat(
            outlook(
                anew,
                RUNNING,
                new Consequence(FailureEffect.RESTART, ", unless", Optional.empty(), null)))
        .endsWith("Three failures in a row and it is restarted, unless.");
    assertThat(
            outlook(
                probe(ProbeKind.READINESS, ProbeResult.SUCCESS, null, 0, Obstacle.NONE),
                RUNNING,
                kept))
        .as("readiness restarts nothing")
        .doesNotContain("kept", "held");
  }

  @Test
  @DisplayName("W-23 a probe that waits for its recovery time says until when")
  void recovers() {
    assertThat(outlook(recovering(ProbeResult.SUCCESS, Snapshots.NOON.plusSeconds(30)), RUNNING))
        .isEqualTo(
            "It is ready at 2026-11-21T12:00:30Z if no probe fails until then (recoveryTime).");
    assertThat(outlook(recovering(ProbeResult.FAILURE, null), RUNNING))
        .isEqualTo(
            "One success in a row and it is ready."
                + " If it was ready before, it must also succeed for 30s.");
  }

  private static ProbeSnapshot recovering(ProbeResult last, @Nullable Instant until) {
    return new ProbeSnapshot(
        ProbeKind.READINESS,
        ProbeSpec.of(new TcpSocket(PORT, null)).recoveryTime(Duration.ofSeconds(30)).build(),
        ProbeResult.FAILURE,
        last,
        4,
        Snapshots.NOON,
        Duration.ofMillis(1),
        "",
        Obstacle.NONE,
        Snapshots.NOON,
        List.of(),
        null,
        until,
        null);
  }

  private static String outlook(ProbeSnapshot probe, ContainerObservation container) {
    return outlook(probe, container, Consequence.of(FailureEffect.RESTART));
  }

  private static ContainerObservation waiting(String reason, @Nullable Instant next) {
    ContainerObservation waiting = ContainerObservation.waiting("id", 1, reason);
    return next == null ? waiting : waiting.startingAgain(next);
  }

  private static String outlook(
      ProbeSnapshot probe, ContainerObservation container, Consequence consequence) {
    return String.join(" ", NextSteps.of(probe, container, consequence));
  }

  @Test
  @DisplayName("what is only observed, or ends for good, is not said to be restarted")
  void effects() {
    ProbeSnapshot probe =
        probe(ProbeKind.LIVENESS, ProbeResult.SUCCESS, ProbeResult.FAILURE, 2, Obstacle.NONE);
    assertThat(outlook(probe, RUNNING, Consequence.of(FailureEffect.OBSERVE)))
        .startsWith("One more failure in a row and the failure is only logged, by policy.");
    assertThat(outlook(probe, RUNNING, Consequence.of(FailureEffect.STOP)))
        .startsWith("One more failure in a row and it is stopped, and not started again.");
  }

  @Test
  @DisplayName("the resource explains one pod's containers, and reads back equal")
  void resource() throws Exception {
    ContainerSnapshot web =
        Snapshots.running(
            "shop", "web", "nginx", Snapshots.failing(ProbeKind.LIVENESS, "httpGet", "refused"));
    ExplainResource resource =
        new ExplainResource(
            new Explanations(
                new Containers((_, which) ->
                    CompletableFuture.completedFuture(
                        Stream.of(web, Snapshots.running("shop", "db", "sql"))
                            .filter(each -> which.test(each.status().pod(), each.status().name()))
                            .toList())),
                (_, _) -> Consequence.of(FailureEffect.OBSERVE)));
    Answer answer = resource.get(Map.of("pod", List.of("shop/web")));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("[{\"container\":{\"namespace\":\"shop\",\"pod\":\"web\",")
        .contains("\"failure\":\"observe\"")
        .contains("{\"name\":\"timeout\",\"value\":\"1s\",\"origin\":\"default\"}");
    assertThat(ViewJson.readAll(out.toByteArray(), ExplainView.class)).hasSize(1);
    assertThatThrownBy(() -> resource.get(Map.of()))
        .isInstanceOf(BadRequest.class)
        .hasMessage("pod is missing; use pod=NAMESPACE/NAME");
  }

  private static ProbeSnapshot probe(
      ProbeKind kind,
      ProbeResult result,
      @Nullable ProbeResult last,
      int consecutive,
      Obstacle obstacle) {
    ProbeSpec spec =
        ProbeSpec.of(new TcpSocket(PORT, null))
            .initialDelay(Duration.ofSeconds(7))
            .successThreshold(kind == ProbeKind.READINESS ? 2 : 1)
            .build();
    return new ProbeSnapshot(
        kind,
        spec,
        result,
        last,
        consecutive,
        null,
        Duration.ZERO,
        "",
        obstacle,
        null,
        List.of(),
        null,
        null,
        null);
  }
}
