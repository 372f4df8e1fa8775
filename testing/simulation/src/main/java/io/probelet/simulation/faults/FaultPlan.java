package io.probelet.simulation.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The faults of one world, in the order in which they begin.
 *
 * @param faults what goes wrong
 */
public record FaultPlan(List<Fault> faults) {
  /** More would hide each other: a world that is never quiet shows nothing. */
  private static final int MOST = 40;

  /** Of the longest that a kind may last. */
  private static final double SHORTEST = 0.01;

  /** The same for kinds that a plan is about. */
  private static final double LONG = 0.05;

  private static final int LEAST = 3;

  private static final int TARGETS = 1 << 16;

  /** Keeps an unmodifiable copy, in order. */
  public FaultPlan {
    faults = faults.stream().sorted(Comparator.comparing(Fault::at)).toList();
  }

  /**
   * Draws a plan by swarm: each seed uses only some kinds, some of them often, so that rare
   * combinations are not drowned by the others.
   *
   * @param random of the seed
   * @param within how long faults begin and last
   * @param only the kinds that may be drawn
   * @param always those of them that every plan has, some times
   * @return the plan
   */
  public static FaultPlan draw(
      RandomGenerator random, Duration within, Set<FaultKind> only, Set<FaultKind> always) {
    List<Fault> faults = new ArrayList<>();
    List<FaultKind> kinds = Arrays.stream(FaultKind.values()).filter(only::contains).toList();
    double share = Math.max(random.nextDouble(), 2.0 / Math.max(2, kinds.size()));
    int most = 1 + random.nextInt(MOST);
    int[] hot = {random.nextInt(TARGETS), random.nextInt(TARGETS)};
    List<Fault> kept = new ArrayList<>();
    for (FaultKind kind : kinds) {
      if (always.contains(kind)) {
        for (int times = LEAST + random.nextInt(LEAST); times > 0; times--) {
          kept.add(draw(random, kind, within, LONG, hot));
        }
      }
      if (random.nextDouble() < share) {
        int times = 1 + (int) (-Math.log(1 - random.nextDouble()) * 1.5);
        for (int time = 0; time < times; time++) {
          faults.add(draw(random, kind, within, SHORTEST, hot));
        }
      }
    }
    while (faults.size() > most) {
      faults.remove(random.nextInt(faults.size()));
    }
    faults.addAll(kept);
    return new FaultPlan(faults);
  }

  private static Fault draw(
      RandomGenerator random, FaultKind kind, Duration within, double shortest, int[] hot) {
    Duration at = Duration.ofMillis((long) (random.nextDouble() * within.toMillis()));
    // A short one is as likely as one of ten times that length.
    double length = kind.longest().toMillis() * Math.pow(shortest, random.nextDouble());
    Duration left = within.minus(at);
    Duration lasts = Duration.ofMillis((long) length);
    // Half of them meet at the same few things, where one may make another worse.
    int target = random.nextBoolean() ? hot[random.nextInt(hot.length)] : random.nextInt(TARGETS);
    return new Fault(kind, at, lasts.compareTo(left) > 0 ? left : lasts, target, random.nextLong());
  }
}
