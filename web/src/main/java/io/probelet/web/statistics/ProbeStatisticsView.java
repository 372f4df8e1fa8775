package io.probelet.web.statistics;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.ProbeOrigins;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.LatencySketch.Latencies;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.ProbeStatistics;
import io.probelet.web.api.JsonDefaults;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.explain.HandlerText;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A probe with its settings and statistics as the API shows them.
 *
 * @param kind startup, readiness or liveness
 * @param handler the handler's field name, such as httpGet
 * @param does what the handler does, without secrets
 * @param declaredBy who declares the probe: spec, annotation or policy
 * @param failingPeriodMs null if it is the period
 * @param seen null if nothing has been recorded
 */
@JsonPropertyOrder({
  "kind",
  "handler",
  "does",
  "declaredBy",
  "initialDelayMs",
  "periodMs",
  "failingPeriodMs",
  "timeoutMs",
  "successThreshold",
  "failureThreshold",
  "seen"
})
public record ProbeStatisticsView(
    String kind,
    String handler,
    String does,
    String declaredBy,
    long initialDelayMs,
    long periodMs,
    @JsonInclude(Include.NON_NULL) @Nullable Long failingPeriodMs,
    long timeoutMs,
    int successThreshold,
    int failureThreshold,
    @Nullable Seen seen) {
  /** Takes what another agent leaves out for empty. */
  public ProbeStatisticsView {
    kind = JsonDefaults.text(kind);
    handler = JsonDefaults.text(handler);
    does = JsonDefaults.text(does);
    declaredBy = JsonDefaults.text(declaredBy);
  }

  /**
   * What it has seen.
   *
   * @param since the first outcome, RFC 3339 in UTC
   * @param halvedSecondsAgo when all counts were halved, or the first outcome came
   * @param relativeError by how much of its size a latency may be wrong
   * @param success latencies of successes
   * @param failure latencies of failures
   * @param runs the newest runs of equal outcomes, oldest first, at most 32
   * @param startsMs start-up times of the newest instances, at most 16
   */
  @JsonPropertyOrder({
    "since",
    "halvedSecondsAgo",
    "relativeError",
    "success",
    "failure",
    "runs",
    "startsMs"
  })
  public record Seen(
      String since,
      long halvedSecondsAgo,
      double relativeError,
      SketchView success,
      SketchView failure,
      List<RunView> runs,
      List<Long> startsMs) {
    /** Takes what another agent leaves out for empty. */
    public Seen {
      since = JsonDefaults.text(since);
      success = orEmpty(success);
      failure = orEmpty(failure);
      runs = JsonDefaults.list(runs);
      startsMs = JsonDefaults.list(startsMs);
    }

    private static SketchView orEmpty(@Nullable SketchView sketch) {
      return sketch == null ? SketchView.of(new LatencySketch()) : sketch;
    }

    static Seen of(ProbeStatistics statistics) {
      return new Seen(
          Rfc3339.text(statistics.since()),
          statistics.halvedAgo().toSeconds(),
          LatencySketch.RELATIVE_ERROR,
          SketchView.of(statistics.success()),
          SketchView.of(statistics.failure()),
          statistics.runs().stream().map(RunView::of).toList(),
          statistics.starts().stream().map(Duration::toMillis).toList());
    }

    /**
     * {@return the statistics again}
     *
     * @throws IllegalArgumentException if they cannot be; the message is for the user
     */
    public ProbeStatistics statistics() {
      try {
        return new ProbeStatistics(
            success.sketch(),
            failure.sketch(),
            runs.stream().map(RunView::run).toList(),
            startsMs.stream().map(Seen::start).toList(),
            Rfc3339.read(since),
            Duration.ofSeconds(Math.max(0, halvedSecondsAgo)));
      } catch (DateTimeException | ArithmeticException wrong) {
        throw new IllegalArgumentException("a time is out of range", wrong);
      }
    }

    private static Duration start(Long millis) {
      if (millis < 0) {
        throw new IllegalArgumentException("startsMs must be at least 0, found " + millis);
      }
      return Duration.ofMillis(millis);
    }

    private int values() {
      return 8
          + 2 * (success.latencyMs().size() + failure.latencyMs().size())
          + 6 * runs.size()
          + startsMs.size();
    }
  }

  /**
   * A latency sketch.
   *
   * @param count how many latencies there are; older ones count less, so it may have a fraction
   * @param latencyMs the middle of each bin in milliseconds, ascending
   * @param counts how many latencies each bin has
   */
  @JsonPropertyOrder({"count", "latencyMs", "counts"})
  public record SketchView(double count, List<Double> latencyMs, List<Double> counts) {
    /** Takes what another agent leaves out for empty. */
    public SketchView {
      latencyMs = JsonDefaults.list(latencyMs);
      counts = JsonDefaults.list(counts);
    }

    static SketchView of(LatencySketch sketch) {
      List<Latencies> bins = sketch.bins();
      return new SketchView(
          round(sketch.count(), 100),
          bins.stream().map(bin -> round(bin.latencyMs(), 1_000)).toList(),
          bins.stream().map(bin -> round(bin.count(), 100)).toList());
    }

    private static double round(double number, int parts) {
      return Math.rint(number * parts) / parts;
    }

    LatencySketch sketch() {
      if (latencyMs.size() != counts.size()) {
        throw new IllegalArgumentException(
            "latencyMs and counts must have the same length, found %d and %d"
                .formatted(latencyMs.size(), counts.size()));
      }
      List<Latencies> bins = new ArrayList<>();
      for (int i = 0; i < counts.size(); i++) {
        bins.add(new Latencies(latencyMs.get(i), counts.get(i)));
      }
      return LatencySketch.of(bins);
    }
  }

  /**
   * Equal outcomes in a row.
   *
   * @param result success, timeout or failure
   * @param newInstance whether another instance of the container was probed than before
   * @param first when the first of them ended, RFC 3339 in UTC
   * @param last when the last of them ended, RFC 3339 in UTC
   */
  @JsonPropertyOrder({"result", "newInstance", "first", "last", "count"})
  public record RunView(String result, boolean newInstance, String first, String last, int count) {
    static RunView of(OutcomeRun run) {
      return new RunView(
          run.result().label(),
          run.newInstance(),
          Rfc3339.text(run.first()),
          Rfc3339.text(run.last()),
          run.count());
    }

    OutcomeRun run() {
      OutcomeRun.Result known =
          Arrays.stream(OutcomeRun.Result.values())
              .filter(each -> each.label().equals(result))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("result must be success, timeout or failure"));
      return new OutcomeRun(
          known,
          newInstance,
          Rfc3339.read(JsonDefaults.text(first)),
          Rfc3339.read(JsonDefaults.text(last)),
          count);
    }
  }

  static ProbeStatisticsView of(ProbeSnapshot probe) {
    ProbeSpec spec = probe.spec();
    Duration failing = spec.failingPeriod();
    ProbeStatistics statistics = probe.statistics();
    return new ProbeStatisticsView(
        probe.kind().label().toLowerCase(Locale.ROOT),
        probe.handler(),
        HandlerText.of(spec.handler()),
        spec.origins().of(ProbeOrigins.Value.HANDLER).word(),
        spec.initialDelay().toMillis(),
        spec.period().toMillis(),
        failing == null ? null : failing.toMillis(),
        spec.timeout().toMillis(),
        spec.successThreshold(),
        spec.failureThreshold(),
        statistics == null ? null : Seen.of(statistics));
  }

  /** {@return whether statistics of this probe are also those of another one} */
  public boolean isSameProbe(ProbeSpec spec) {
    return periodMs == spec.period().toMillis()
        && timeoutMs == spec.timeout().toMillis()
        && failureThreshold == spec.failureThreshold()
        && does.equals(HandlerText.of(spec.handler()));
  }

  int values() {
    return 12 + (seen == null ? 0 : seen.values());
  }
}
