package io.probelet.cli.once;

import io.probelet.probe.ProbeOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of a repeated probe.
 *
 * @param outcomes at least one, in order
 * @param tls of the last handshake; null if there was none
 */
record ProbeRuns(List<ProbeOutcome> outcomes, @Nullable TlsFacts tls) {
  /** The percentiles that are shown; the last is the maximum. */
  static final List<Integer> PERCENTILES = List.of(50, 90, 99, 100);

  /** Keeps an unmodifiable copy of the outcomes. */
  ProbeRuns {
    outcomes = List.copyOf(outcomes);
  }

  /** {@return the number of healthy outcomes} */
  long healthy() {
    return outcomes.stream().filter(outcome -> outcome.verdict().healthy()).count();
  }

  /** {@return whether all outcomes are healthy} */
  boolean allHealthy() {
    return healthy() == outcomes.size();
  }

  /** {@return the last unhealthy outcome; the last one if all are healthy} */
  ProbeOutcome worst() {
    return outcomes.reversed().stream()
        .filter(outcome -> !outcome.verdict().healthy())
        .findFirst()
        .orElseGet(outcomes::getLast);
  }

  /**
   * {@return nanoseconds by percentile, for each phase and then for the total; a phase counts only
   * probes that reached it}
   */
  SequencedMap<String, long[]> percentiles() {
    SequencedMap<String, List<Long>> samples = new LinkedHashMap<>();
    for (ProbeOutcome outcome : outcomes) {
      Phases.of(outcome)
          .forEach(
              (phase, took) -> samples.computeIfAbsent(phase, _ -> new ArrayList<>()).add(took));
    }
    samples.put(
        "total", new ArrayList<>(outcomes.stream().map(each -> each.timings().total()).toList()));
    SequencedMap<String, long[]> percentiles = new LinkedHashMap<>();
    samples.forEach((phase, taken) -> percentiles.put(phase, nearestRanks(taken)));
    return percentiles;
  }

  private static long[] nearestRanks(List<Long> samples) {
    Collections.sort(samples);
    long[] ranks = new long[PERCENTILES.size()];
    Arrays.setAll(ranks, i -> samples.get((PERCENTILES.get(i) * samples.size() + 99) / 100 - 1));
    return ranks;
  }
}
