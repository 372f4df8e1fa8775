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
 * What the same probe found, time after time.
 *
 * @param outcomes at least one, in their order
 * @param tls what the last handshake agreed on; null if there was none
 */
record ProbeRuns(List<ProbeOutcome> outcomes, @Nullable TlsFacts tls) {
  /** The percentiles that are shown; the last is the slowest of all. */
  static final List<Integer> PERCENTILES = List.of(50, 90, 99, 100);

  /** Keeps an unmodifiable copy of the outcomes. */
  ProbeRuns {
    outcomes = List.copyOf(outcomes);
  }

  /** {@return how many found the target healthy} */
  long healthy() {
    return outcomes.stream().filter(outcome -> outcome.verdict().healthy()).count();
  }

  /** {@return whether all did} */
  boolean allHealthy() {
    return healthy() == outcomes.size();
  }

  /** {@return how the last probe ended that was not well; of none, the last of all} */
  ProbeOutcome worst() {
    return outcomes.reversed().stream()
        .filter(outcome -> !outcome.verdict().healthy())
        .findFirst()
        .orElseGet(outcomes::getLast);
  }

  /**
   * {@return nanoseconds by percentile, of each phase and then of the total; of those probes that
   * had the phase}
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
