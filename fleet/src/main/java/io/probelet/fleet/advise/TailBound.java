package io.probelet.fleet.advise;

import io.probelet.probe.latency.LatencySketch;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A latency that at most a stated share of answers exceeds, with 95 percent confidence: an order
 * statistic of the observed answers, so no distribution is assumed. It holds for answers like those
 * that were observed.
 *
 * @param latency the bound
 * @param oneIn at most one of so many answers takes longer
 */
public record TailBound(Duration latency, int oneIn) {
  /** The error that remains: in one case of twenty the share is larger than stated. */
  private static final double ERROR = 0.05;

  /** With fewer outcomes nothing is proposed. */
  public static final int LEAST_OUTCOMES = 3_000;

  private static final int STRICT = 10_000;
  private static final int LOOSE = 1_000;

  /** The outcomes that the strict rate takes: none of so many may be an exception. */
  private static final int FOR_STRICT = 30_000;

  private static final int MANY = 500;

  /** So many deviations below the mean of a normal distribution one case of twenty lies. */
  private static final double ONE_OF_TWENTY = 1.645;

  /**
   * {@return the rate that so many outcomes can show: one in 10,000, or one in 1,000; empty for too
   * few}
   */
  static OptionalInt rate(double outcomes) {
    if (outcomes < LEAST_OUTCOMES) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(outcomes < FOR_STRICT ? LOOSE : STRICT);
  }

  /**
   * Bounds the tail.
   *
   * @param success the latencies of answers
   * @param late probes that were given up before their answer came
   * @return the bound; empty if too few outcomes were observed, or if too many were given up, which
   *     hides the tail
   */
  static Optional<TailBound> of(LatencySketch success, double late) {
    double outcomes = success.count() + late;
    OptionalInt rate = rate(outcomes);
    if (rate.isEmpty()) {
      return Optional.empty();
    }
    int exceptions = exceptions(outcomes / rate.getAsInt());
    double left = exceptions - late;
    return left < 0
        ? Optional.empty()
        : Optional.of(new TailBound(success.upperBound(left), rate.getAsInt()));
  }

  /**
   * {@return how many exceptions may be observed where so many are expected: the most that happen
   * in less than one case of twenty; negative for none}
   */
  static int exceptions(double expected) {
    if (expected > MANY) { // a normal distribution by now
      return (int) Math.min(expected - ONE_OF_TWENTY * Math.sqrt(expected) - 1, Integer.MAX_VALUE);
    }
    double term = Math.exp(-expected); // of a Poisson distribution
    double sum = term;
    int count = -1;
    while (sum <= ERROR) {
      count++;
      term *= expected / (count + 1);
      sum += term;
    }
    return count;
  }
}
