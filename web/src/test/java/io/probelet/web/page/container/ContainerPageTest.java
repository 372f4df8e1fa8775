package io.probelet.web.page.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.probelet.health.ManualClock;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ProbePast;
import io.probelet.probe.engine.ProbePast.Interval;
import io.probelet.probe.engine.ProbePast.Uptime;
import io.probelet.probe.engine.ProbePhases;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.PastView;
import io.probelet.web.api.PastView.IntervalView;
import io.probelet.web.api.TerminationView;
import io.probelet.web.explain.Explanations;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import io.probelet.web.incident.IncidentNode;
import io.probelet.web.incident.Incidents;
import io.probelet.web.page.PageHeader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of one container. */
class ContainerPageTest {
  private static final ProbePast PAST =
      new ProbePast(
          Snapshots.NOON.minus(Duration.ofHours(17)),
          Duration.ofMinutes(2),
          true,
          new Uptime(99.729, 359, 1),
          new Uptime(99.9899, 5_999, 1),
          List.of(
              new Interval(
                  Snapshots.NOON.minus(Duration.ofHours(17)),
                  99,
                  0,
                  Duration.ofMillis(2),
                  Duration.ofMillis(4)),
              new Interval(
                  Snapshots.NOON.minus(Duration.ofMinutes(8)),
                  48,
                  1,
                  Duration.ofMillis(2),
                  Duration.ofMillis(7))),
          Duration.ofMinutes(8));

  private List<Incident> incidents = List.of();

  private final ContainerPage page =
      new ContainerPage(
          new Explanations(
              new Containers((_, which) ->
                  CompletableFuture.completedFuture(
                      Stream.of(
                              Snapshots.running(
                                  "shop",
                                  "web",
                                  "nginx",
                                  Snapshots.phased(
                                      new ProbePhases(
                                          Duration.ZERO,
                                          null,
                                          Duration.ofMillis(9),
                                          null,
                                          Duration.ofMillis(6)),
                                      PAST),
                                  Snapshots.failing(
                                      ProbeKind.LIVENESS, "exec", "<script>alert(1)</script>")))
                          .filter(each -> which.test(each.status().pod(), each.status().name()))
                          .toList())),
              RestartForecast.UNGUARDED),
          new Incidents((namespace, pod) -> incidents),
          new PageHeader(Optional.of("worker-1"), "1.2.3"),
          new ManualClock(Snapshots.NOON));

  @Test
  @DisplayName("phases are stacked, values have origins, and what a target says is text")
  void whole() throws Exception {
    Answer answer = ask("shop/web", "nginx");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer))
        .contains("<h1>shop/web nginx</h1>")
        .contains("<rect class=\"phase-connect\" x=\"590\" y=\"66\" width=\"8\" height=\"54\"/>")
        .contains("<rect class=\"phase-first-byte\" x=\"590\" y=\"30\" width=\"8\" height=\"36\"/>")
        .contains("<rect class=\"phase-rest\" x=\"590\" y=\"12\" width=\"8\" height=\"18\"/>")
        .contains("One more failure in a row and it is restarted.")
        .contains("run cat [redacted] (1 argument)")
        .contains("&lt;script&gt;alert(1)")
        .doesNotContain("<script>");
  }

  @Test
  @DisplayName("the cause of the last incident comes before the probes, and its texts are text")
  void why() throws Exception {
    assertThat(text(ask("shop/web", "nginx"))).doesNotContain("<h2>Why</h2>");
    incidents =
        List.of(
            new Incident(
                "2026-11-27T11:59:00Z",
                IncidentKind.ENDED,
                "shop",
                "web",
                "uid",
                "nginx",
                "id",
                "Deployment/web",
                "nginx:1",
                null,
                1,
                null,
                null,
                new TerminationView(1, null, "Error", "", null),
                null,
                IncidentNode.UNKNOWN,
                "",
                false,
                List.of("<script>alert(2)</script>")));
    assertThat(text(ask("shop/web", "nginx")))
        .containsSubsequence(
            "<h2>Why</h2>",
            "Ended by itself with exit code 1; its last line: &quot;&lt;script&gt;alert(2)",
            "confidence: certain",
            "<h2>liveness: ")
        .doesNotContain("<script>");
  }

  @Test
  @DisplayName("the failing probe comes first, with its reason and a command that asks the same")
  void failingFirst() throws Exception {
    assertThat(text(ask("shop/web", "nginx")))
        .containsSubsequence(
            "<p class=\"verdict warning\">ready, but a probe fails; liveness exec fails: &quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;</p>",
            "<h2>liveness: ",
            "Last failure",
            "<h2>readiness: Success</h2>",
            "<pre><code>curl -gv http://10.42.0.7:8080/healthz</code></pre>");
  }

  @Test
  @DisplayName("uptime says how much history there is, and graphs have scales")
  void uptime() throws Exception {
    assertThat(text(ask("shop/web", "nginx")))
        .containsSubsequence(
            "<h3>Last 24 hours</h3>",
            "last hour 99.72 % (1 failed of 360), last 24 hours 99.98 % (1 failed of 6,000)",
            "History since <time",
            ">17h0m ago</time> in steps of 2 minutes, shortened: the agent&#39;s memory",
            "<svg class=\"day\"",
            "latency up to 7 ms",
            ">0</text>",
            ">5 ms</text>",
            ">10 ms</text>",
            ">17h0m ago</text>",
            ">8h30m ago</text>",
            ">now</text>",
            "<rect class=\"down\"",
            "median latency");
  }

  @Test
  @DisplayName("equal outcomes are one row, also more than are kept")
  void folded() {
    List<OutcomeView> history = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      history.add(new OutcomeView("t" + i, "failed", i, "refused", null));
    }
    assertThat(OutcomeRows.groups(history, 160))
        .containsExactly(new OutcomeRows.Group(history.getLast(), "t0", 160));
    history.set(58, new OutcomeView("t58", "successful", 1, "ok", null));
    assertThat(OutcomeRows.groups(history, 1))
        .containsExactly(
            new OutcomeRows.Group(history.get(59), "t59", 1),
            new OutcomeRows.Group(history.get(58), "t58", 1),
            new OutcomeRows.Group(history.get(57), "t0", 58));
    assertThat(OutcomeRows.groups(List.of(), 0)).isEmpty();
    assertThat(OutcomeRows.table(history.subList(0, 58), 160, Snapshots.NOON).toString())
        .contains(", 160 times, the oldest kept ");
  }

  @ParameterizedTest
  @CsvSource({"100, 100 %", "99.9999, 99.99 %", "0, 0.00 %", "NaN, 0.00 %", "1e300, 100 %"})
  @DisplayName("a percentage is never rounded up to 100")
  void percent(double percent, String shown) {
    assertThat(ProbeSection.percent(percent)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({"0, 0.01", "18, 20", "20, 20", "21, 50", "99, 100", "1e12, 1e9"})
  void scales(double value, double top) {
    assertThat(AxisScale.top(value)).isCloseTo(top, within(1e-9));
  }

  @Test
  @DisplayName("whatever an agent answers is drawn within the graph")
  void hostileGraph() {
    List<IntervalView> odd =
        List.of(
            new IntervalView("", -5, Long.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY),
            new IntervalView("+999999999-01-01T00:00:00Z", 0, 1, -1, 1e300),
            new IntervalView("\"><script>", 1, 0, 1, 1));
    PastView past = new PastView(null, 0, true, null, null, Long.MIN_VALUE, odd);
    assertThat(DayGraph.of(past, Snapshots.NOON).toString())
        .doesNotContain("<script", "NaN", "Infinity");
  }

  @Test
  @DisplayName("a container that is not there is status 404; one that is not named is asked for")
  void none() throws Exception {
    assertThat(ask("shop/web", "gone").status()).isEqualTo(404);
    assertThat(text(ask("shop/web", "gone"))).contains("This agent probes no such container.");
    assertThatThrownBy(() -> page.get(Map.of()))
        .isInstanceOf(BadRequest.class)
        .hasMessage("container is missing; use pod=NAMESPACE/NAME&container=NAME");
  }

  private Answer ask(String pod, String container) throws Exception {
    return page.get(Map.of("pod", List.of(pod), "container", List.of(container)));
  }

  private static String text(Answer answer) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
