package io.probelet.fleet.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.rehearsal.prometheus.ProbeDurations;
import io.probelet.rehearsal.prometheus.PrometheusException;
import io.probelet.rehearsal.prometheus.PrometheusSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** AD-12: what kubelets have measured, from a Prometheus. */
@Timeout(60)
class PrometheusEvidenceTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final long AT = NOW.getEpochSecond();

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private String buckets = "";
  private double failures;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/query_range",
        exchange -> {
          String query = exchange.getRequestURI().getRawQuery().split("&", 2)[0].split("=", 2)[1];
          String expression = URLDecoder.decode(query, StandardCharsets.UTF_8);
          asked.add(expression);
          String result =
              expression.contains("_bucket")
                  ? buckets
                  : expression.contains("prober_probe_total")
                      ? series("", failures)
                      : expression.startsWith("count ") ? series("", 3) : series("", 6 * 24 * 7);
          byte[] body =
              ("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
                      + result
                      + "]}}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static String series(String more, double value) {
    return "{\"metric\":{\"container\":\"app\",\"probe_type\":\"Liveness\"%s},\"values\":[[%d,\"%s\"]]}"
        .formatted(more, AT, value);
  }

  private static String bucket(String le, double count) {
    return series(",\"le\":\"" + le + "\"", count);
  }

  private List<WorkloadEvidence> evidence(String kind, String pod) throws Exception {
    ProbeSpec spec = ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(80), null)).build();
    ContainerSpec container =
        new ContainerSpec(
            "app", false, null, List.of(), Map.of(), Map.of(), Map.of(ProbeKind.LIVENESS, spec));
    ProbeDurations durations =
        new ProbeDurations(
            new PrometheusSource(
                URI.create("http://localhost:" + server.getAddress().getPort()),
                Optional.empty(),
                Optional.empty(),
                "cluster=\"prod\"",
                Set.of(),
                NOW.minus(ProbeDurations.RANGE),
                NOW,
                Duration.ofMinutes(1)),
            new Random(1));
    return PrometheusEvidence.of(kind, "shop", pod, List.of(container), durations);
  }

  private WorkloadAdvice advice() throws Exception {
    return ProbeAdvisor.advise(evidence("Deployment", "web").getFirst(), AdviceGoals.DEFAULT);
  }

  @Test
  void proposesATimeoutFromBuckets() throws Exception {
    buckets =
        String.join(
            ",",
            bucket("+Inf", 40_000),
            bucket("0.5", 39_000),
            bucket("0.05", 30_000),
            bucket("1", 40_000));
    WorkloadAdvice advice = advice();
    assertThat(advice.probes().getFirst().outcomes()).isEqualTo(40_000);
    assertThat(advice.probes().getFirst().seconds()).isEqualTo(7 * 24 * 3_600);
    assertThat(advice.pods()).isEqualTo(3);
    assertThat(advice.proposals())
        .singleElement()
        .satisfies(proposal -> {
          assertThat(proposal.proposed()).isEqualTo("2s");
          assertThat(proposal.effect()).startsWith("unknown, as no outcomes are stored");
        });
    assertThat(asked)
        .hasSize(4)
        .allMatch(query ->
            query.contains(
                "namespace=\"shop\",pod=~\"web-[a-z0-9]{1,10}-[a-z0-9]{5}\",cluster=\"prod\""));
  }

  @Test
  @DisplayName("Failures may be timeouts that hide the tail: then no timeout is proposed")
  void promisesNothingAboutAHiddenTail() throws Exception {
    buckets = bucket("1", 40_000);
    failures = 400;
    WorkloadAdvice advice = advice();
    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.notes())
        .anyMatch(note -> note.contains("400 of 40,400 probes failed, and it is unknown which"));
  }

  @Test
  void nothingIsProposedWhereNothingWasMeasured() throws Exception {
    WorkloadAdvice advice = advice();
    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.notes()).anyMatch(note -> note.contains("too little data, 0 outcomes"));
  }

  @ParameterizedTest
  @CsvSource({
    "Pod, web.a, web\\.a",
    "Deployment, web, 'web-[a-z0-9]{1,10}-[a-z0-9]{5}'",
    "DaemonSet, web, 'web-[a-z0-9]{5}'",
    "StatefulSet, db, 'db-[0-9]+'"
  })
  void knowsTheNamesOfPods(String kind, String name, String pattern) {
    assertThat(PrometheusEvidence.pods(kind, name)).contains(pattern);
  }

  @Test
  void podsThatEndAreNotJudged() throws Exception {
    assertThat(PrometheusEvidence.pods("Job", "sum")).isEmpty();
    assertThat(evidence("Job", "sum")).isEmpty();
    assertThat(evidence("StatefulSet", "db-0").getFirst().subject().name()).isEqualTo("db");
  }

  @Test
  void namesCannotBreakOutOfAQuery() {
    assertThatThrownBy(() -> evidence("Pod", "web\"} or up{a=\""))
        .isInstanceOf(PrometheusException.class);
  }
}
