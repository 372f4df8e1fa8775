package io.probelet.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * How many times one contender's cost is another's, from windows in pairs: whatever slows the
 * machine down for a while slows both of a pair.
 */
record Ratio(Spread spread, int pairs) {
  /** An interval wider than this share of the ratio says too little. */
  static final double MAX_WIDTH = 0.25;

  /** Fewer pairs say too little, however near they are to each other. */
  static final int MIN_PAIRS = 5;

  /** Takes what each cost in the windows of each round, in the same order. */
  static Ratio of(List<Double> ours, List<Double> theirs) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      ratios.add(ours.get(i) / theirs.get(i));
    }
    return new Ratio(Spread.confidence(ratios), ratios.size());
  }

  /**
   * {@return whether it is sure enough to be a figure: from enough pairs that are near enough to
   * each other}
   */
  boolean isSure() {
    return pairs >= MIN_PAIRS && spread.width() <= MAX_WIDTH; // false for what is no number
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
