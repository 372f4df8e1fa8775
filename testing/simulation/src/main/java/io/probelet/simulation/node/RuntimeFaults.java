package io.probelet.simulation.node;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Decides how each call to a container runtime fares. */
@FunctionalInterface
public interface RuntimeFaults {
  /** Every call is fast and arrives. */
  RuntimeFaults NONE = (_, _) -> Trip.FAST;

  /**
   * Decides about one call.
   *
   * @param process the caller's name
   * @param method such as {@code StopContainer}
   */
  Trip next(String process, String method);

  /**
   * How one call fares.
   *
   * @param there how long the request takes
   * @param back how long the response takes, so that a list may be late
   * @param requestLost whether it never arrives
   * @param responseLost whether it is served, and its response never arrives
   */
  record Trip(Duration there, Duration back, boolean requestLost, boolean responseLost) {
    /** A call of a healthy runtime. */
    public static final Trip FAST =
        new Trip(Duration.ofMillis(1), Duration.ofMillis(1), false, false);
  }

  /**
   * {@return faults that a seed decides: most calls are fast}
   *
   * @param slow the part of the calls that are slow, from 0 to 1
   * @param lost the part of the calls whose request or response is lost
   */
  static RuntimeFaults random(RandomGenerator random, double slow, double lost) {
    return (_, _) -> {
      double fate = random.nextDouble();
      if (fate >= slow + lost) {
        return Trip.FAST;
      }
      Duration there = Duration.ofMillis(random.nextInt(1, 2_000));
      Duration back = Duration.ofMillis(random.nextInt(1, 2_000));
      boolean request = fate < lost && random.nextBoolean();
      return new Trip(there, back, request, fate < lost && !request);
    };
  }
}
