package io.probelet.fleet.advise;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeReplay;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What one probe of a workload has seen on all its pods.
 *
 * @param does what the handler does, to compare probes
 * @param spec today's settings; its handler stands for any
 * @param success latencies of successes
 * @param failure latencies of failures
 * @param runs the stored outcomes of each pod
 * @param starts observed start-up times; empty if this probe does not tell them
 * @param span how long the probe of one pod has been observed, at most
 * @param unknownFailures failures that may have been timeouts, beside those of the sketch
 */
public record ProbeEvidence(
    ProbeKind kind,
    String does,
    ProbeSpec spec,
    LatencySketch success,
    LatencySketch failure,
    List<List<OutcomeRun>> runs,
    List<Duration> starts,
    Duration span,
    double unknownFailures) {
  /** A probe that ends this close to its timeout has timed out. */
  private static final double NEARLY = 0.9;

  /** As many in a row are a hang or an outage, whatever the threshold. */
  private static final int FEW_FAILURES = 3;

  /** Keeps unmodifiable copies. */
  public ProbeEvidence {
    runs = runs.stream().map(List::copyOf).toList();
    starts = List.copyOf(starts);
  }

  /** What agents have seen, which tell timeouts from other failures. */
  public ProbeEvidence(
      ProbeKind kind,
      String does,
      ProbeSpec spec,
      LatencySketch success,
      LatencySketch failure,
      List<List<OutcomeRun>> runs,
      List<Duration> starts,
      Duration span) {
    this(kind, does, spec, success, failure, runs, starts, span, 0);
  }

  /** Failures in a row of one instance. */
  record Episode(int failures, boolean timeoutsOnly, boolean recovered) {}

  /** {@return how many outcomes there are; older ones count less} */
  public double outcomes() {
    return success.count() + failures();
  }

  /** {@return how many failures there are; older ones count less} */
  public double failures() {
    return failure.count() + unknownFailures;
  }

  /** {@return the stored outcomes of all pods as failures in a row} */
  List<Episode> episodes() {
    List<Episode> all = new ArrayList<>();
    for (List<OutcomeRun> pod : runs) {
      int failures = 0;
      boolean timeoutsOnly = true;
      for (OutcomeRun run : pod) {
        boolean over = run.newInstance() || run.result() == Result.SUCCESS;
        if (over && failures > 0) {
          boolean recovered = !run.newInstance();
          all.add(new Episode(failures, timeoutsOnly, recovered));
          failures = 0;
          timeoutsOnly = true;
        }
        if (run.result() != Result.SUCCESS) {
          failures += run.count();
          timeoutsOnly &= run.result() == Result.TIMEOUT;
        }
      }
      if (failures > 0) {
        all.add(new Episode(failures, timeoutsOnly, false));
      }
    }
    return all;
  }

  /**
   * {@return probes that timed out although the container was not hanging} Those are the timeouts
   * of failures that passed by themselves before they decided something. The stored outcomes are
   * the newest only, so their share applies to all that were counted.
   */
  double slowTimeouts() {
    Duration nearly = Duration.ofNanos(Math.round(spec.timeout().toNanos() * NEARLY));
    double counted = failure.countAbove(nearly);
    double slow = 0;
    double stored = 0;
    for (Episode episode : episodes()) {
      if (episode.timeoutsOnly()) {
        boolean passed =
            episode.recovered()
                && episode.failures() < Math.max(spec.failureThreshold(), FEW_FAILURES);
        slow += passed ? episode.failures() : 0;
        stored += episode.failures();
      }
    }
    return stored == 0 ? counted : counted * slow / stored;
  }

  /**
   * {@return when the stored outcomes would have made the probe decide that the container failed}
   *
   * @param settings to try
   * @param timeoutsSucceed whether probes that timed out count as successes
   */
  List<Instant> decisions(ProbeSpec settings, boolean timeoutsSucceed) {
    ProbeReplay replay = new ProbeReplay(kind, settings);
    return runs.stream()
        .flatMap(pod -> replay.failures(pod, spec.period(), timeoutsSucceed).stream())
        .toList();
  }
}
