package io.probelet.rehearsal.prometheus;

import io.probelet.rehearsal.prometheus.MatrixReader.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Asks Prometheus what kubelets have measured of the probes of a workload's pods. */
public final class ProbeDurations {
  /** How far the measurements go back. */
  public static final Duration RANGE = Duration.ofDays(7);

  private static final Duration STEP = Duration.ofMinutes(10);
  private static final int MAX_BUCKETS = 1_000;
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

  private final PrometheusSource source;
  private final PrometheusClient client;

  /**
   * Prepares to ask.
   *
   * @param source where; its end is the end of the measurements
   * @param random spreads requests that are made again
   */
  public ProbeDurations(PrometheusSource source, RandomGenerator random) {
    this.source = source;
    this.client =
        new PrometheusClient(source, PrometheusClient.TIMEOUT, PrometheusClient.RETRY, random);
  }

  /**
   * A probe of a container.
   *
   * @param kind in the kubelet's words: Liveness, Readiness or Startup
   */
  public record Probe(String container, String kind) {}

  /**
   * Answers that took at most so long, but longer than those of the bucket before.
   *
   * @param seconds the bucket's upper end; infinite for the last
   */
  public record Bucket(double seconds, double count) {}

  /**
   * What was measured of a probe on all pods.
   *
   * @param successes by duration, shortest first
   * @param failures probes that failed, for whatever reason
   * @param span how long one pod was measured at most
   * @param pods how many there are now
   */
  public record Measured(List<Bucket> successes, double failures, Duration span, int pods) {
    /** Keeps an unmodifiable copy. */
    public Measured {
      successes = List.copyOf(successes);
    }
  }

  /**
   * Asks for the pods of a workload.
   *
   * @param namespace a valid name
   * @param podPattern a regular expression of their whole names
   * @return the probes that were measured
   * @throws PrometheusException if no answer can be had; the message is for the user
   * @throws InterruptedException if the caller is interrupted
   */
  public Map<Probe, Measured> of(String namespace, String podPattern)
      throws PrometheusException, InterruptedException {
    if (!NAME.matcher(namespace).matches() || podPattern.contains("\"")) {
      throw new PrometheusException("not the name of a namespace or pod: " + namespace);
    }
    String pods =
        "namespace=\"%s\",pod=~\"%s\"%s"
            .formatted(
                namespace,
                podPattern.replace("\\", "\\\\"),
                source.matchers().isEmpty() ? "" : "," + source.matchers());
    long range = RANGE.toSeconds();
    Map<Probe, List<Bucket>> cumulative = new HashMap<>();
    for (Series series :
        ask(
            "sum by (container,probe_type,le) (increase(prober_probe_duration_seconds_bucket{%s}[%ds]))"
                .formatted(pods, range))) {
      List<Bucket> buckets = cumulative.computeIfAbsent(probe(series), _ -> new ArrayList<>());
      if (buckets.size() < MAX_BUCKETS && series.last() >= 0) {
        buckets.add(new Bucket(bound(series), series.last()));
      }
    }
    Map<Probe, Double> failures =
        values(
            "sum by (container,probe_type) (increase(prober_probe_total{result=\"failed\",%s}[%ds]))"
                .formatted(pods, range));
    Map<Probe, Double> steps =
        values(
            "max by (container,probe_type) (count_over_time(prober_probe_duration_seconds_count{%s}[%ds:%ds]))"
                .formatted(pods, range, STEP.toSeconds()));
    Map<Probe, Double> now =
        values(
            "count by (container,probe_type) (prober_probe_duration_seconds_count{%s})"
                .formatted(pods));
    Map<Probe, Measured> measured = new HashMap<>();
    cumulative.forEach((probe, buckets) ->
        measured.put(
            probe,
            new Measured(
                apart(buckets),
                failures.getOrDefault(probe, 0.0),
                STEP.multipliedBy(bounded(steps.getOrDefault(probe, 0.0), RANGE.dividedBy(STEP))),
                (int) bounded(now.getOrDefault(probe, 0.0), Integer.MAX_VALUE))));
    return measured;
  }

  private static long bounded(double found, long most) {
    return Math.min(Math.round(found), most);
  }

  private static Probe probe(Series series) {
    return new Probe(
        series.labels().getOrDefault("container", ""),
        series.labels().getOrDefault("probe_type", ""));
  }

  private static double bound(Series series) {
    try {
      return Double.parseDouble(series.labels().getOrDefault("le", ""));
    } catch (NumberFormatException infinite) { // written +Inf
      return Double.POSITIVE_INFINITY;
    }
  }

  /** Each bucket counts all shorter durations, too. */
  private static List<Bucket> apart(List<Bucket> cumulative) {
    List<Bucket> apart = new ArrayList<>();
    double before = 0;
    for (Bucket bucket :
        cumulative.stream().sorted(Comparator.comparingDouble(Bucket::seconds)).toList()) {
      double own = bucket.count() - before;
      if (own > 0) {
        apart.add(new Bucket(bucket.seconds(), own));
        before = bucket.count();
      }
    }
    return apart;
  }

  private Map<Probe, Double> values(String expression)
      throws PrometheusException, InterruptedException {
    Map<Probe, Double> values = new HashMap<>();
    for (Series series : ask(expression)) {
      if (series.last() >= 0) {
        values.put(probe(series), series.last());
      }
    }
    return values;
  }

  private List<Series> ask(String expression) throws PrometheusException, InterruptedException {
    long at = source.end().getEpochSecond();
    try {
      return client.query(new RangeQuery(expression, at, at, source.step().toSeconds()));
    } catch (TooMuchException tooMuch) {
      throw new PrometheusException(source.url() + " " + tooMuch.getMessage());
    }
  }
}
