package io.probelet.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * The ratio of two contenders' costs, from pairs of windows: a temporary slowdown of the machine
 * affects both of a pair.
 */
record Ratio(Spread spread, int pairs) {
  /** An interval wider than this share of the ratio is not meaningful. */
  static final double MAX_WIDTH = 0.25;

  /** Fewer pairs are not meaningful, however close they are to each other. */
  static final int MIN_PAIRS = 5;

  /** Creates it from the costs in the windows of each round, in the same order. */
  static Ratio of(List<Double> ours, List<Double> theirs) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      ratios.add(ours.get(i) / theirs.get(i));
    }
    return new Ratio(Spread.confidence(ratios), ratios.size());
  }

  /**
   * {@return whether it is certain enough for a figure: from enough pairs that are close enough}
   */
  boolean isSure() {
    return pairs >= MIN_PAIRS && spread.width() <= MAX_WIDTH; // false for NaN
  }

  /** {@return the ratio with its interval, or why there is none} */
  String text() {
    String interval = "%.2f..%.2f".formatted(spread.low(), spread.high());
    if (isSure()) {
      return "%.2f (%s)".formatted(spread.median(), interval);
    }
    return pairs < MIN_PAIRS
        ? "refused: %d pairs, at least %d wanted".formatted(pairs, MIN_PAIRS)
        : "refused: %s is wider than %.0f %%".formatted(interval, 100 * MAX_WIDTH);
  }
}
