package io.probelet.benchmarks;

import java.util.List;

/**
 * The median of figures of one measurement, with an interval.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param low the lower bound
 * @param high the upper bound
 */
record Spread(double median, double low, double high) {
  /** Maximum probability that a bound of a confidence interval is exceeded. */
  private static final double DOUBT = 0.05;

  /** {@return the median of figures, from the smallest to the largest} */
  static Spread range(List<Double> figures) {
    List<Double> sorted = sorted(figures);
    return new Spread(middle(sorted), sorted.getFirst(), sorted.getLast());
  }

  /**
   * {@return the median with the narrowest interval between two of the figures that contains the
   * true one with at least 95 % certainty} This assumes no distribution: the true median lies below
   * the k smallest of n with the probability that a coin shows heads in fewer than k of n throws.
   * Fewer than six figures give less certainty: see {@link #certainty}.
   */
  static Spread confidence(List<Double> figures) {
    List<Double> sorted = sorted(figures);
    int outside = outside(sorted.size());
    return new Spread(middle(sorted), sorted.get(outside), sorted.get(sorted.size() - 1 - outside));
  }

  /**
   * {@return the probability that {@link #confidence} of so many figures contains the true median}
   */
  static double certainty(int figures) {
    return 1 - 2 * tail(figures, outside(figures));
  }

  /** {@return its width, as a share of the median} */
  double width() {
    return (high - low) / median;
  }

  /** How many of the smallest, and of the largest, figures the interval excludes. */
  private static int outside(int figures) {
    int outside = 0;
    while (2 * (outside + 1) < figures && 2 * tail(figures, outside + 1) <= DOUBT) {
      outside++;
    }
    return outside;
  }

  /** The probability of at most this number of heads. */
  private static double tail(int throwsOfACoin, int heads) {
    double ways = 1;
    double sum = 1;
    for (int i = 1; i <= heads; i++) {
      ways = ways * (throwsOfACoin - i + 1) / i;
      sum += ways;
    }
    return sum / Math.pow(2, throwsOfACoin);
  }

  private static double middle(List<Double> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  private static List<Double> sorted(List<Double> figures) {
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("a median needs at least one figure, found none");
    }
    return figures.stream().sorted().toList();
  }
}
