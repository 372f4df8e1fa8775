package io.probelet.simulation.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How the instances of a container live, drawn from a seed: each has the nature of its container
 * and times of its own.
 *
 * @param nature what is wrong with it
 * @param well how it behaves while nothing is wrong
 * @param starts how long it takes until it responds
 * @param calm the average time between two of its troubles
 * @param trouble the average length of one; {@link #FOR_GOOD} lasts until it is restarted
 * @param heals whether a restart helps; otherwise its next instance has the same trouble at once
 */
public record ContainerScript(
    Nature nature, Behavior well, Duration starts, Duration calm, Duration trouble, boolean heals) {
  /** A trouble that lasts as long as the instance. */
  public static final Duration FOR_GOOD = Duration.ofDays(10_000);

  /** The memory limit of a container that leaks. */
  static final long MEMORY_LIMIT = 256 << 20;

  /** The CPU limit of every container, in thousandths of a core. */
  static final long CPU_MILLIS = 500;

  private static final int OUT_OF_MEMORY = 137;
  private static final Duration HORIZON = Duration.ofHours(6);
  private static final int MOST_SPELLS = 200;

  /** What is wrong with a container. */
  public enum Nature {
    /** Nothing. */
    HEALTHY,
    /** At times it responds late, some probes in time and some not. */
    SLOW,
    /** At times it does not respond. */
    HANGING,
    /** It ends by itself. */
    CRASHING,
    /** It uses more and more memory until the kernel kills it, and is slow before. */
    LEAKING,
    /** At times its own CPU limit slows it down beyond the timeout of its probes. */
    THROTTLED,
    /** It does not listen for a long time after its start. */
    STARTING_SLOWLY,
    /** At times it responds that it is unhealthy. */
    ANSWERING_WRONGLY
  }

  /**
   * How an instance ends by itself.
   *
   * @param after its age then
   * @param reason as a runtime names it
   */
  record End(Duration after, int exitCode, String reason) {}

  /** The life of one instance, in the world's time. */
  record Life(List<Spell> spells, Optional<End> end) {}

  /** A container with nothing wrong. */
  public static final ContainerScript HEALTHY =
      new ContainerScript(
          Nature.HEALTHY, Behavior.HEALTHY, Duration.ofSeconds(1), FOR_GOOD, Duration.ZERO, true);

  /** {@return a script from a seed; half of them are healthy} */
  public static ContainerScript draw(RandomGenerator random) {
    Nature nature =
        random.nextBoolean()
            ? Nature.HEALTHY
            : Nature.values()[random.nextInt(Nature.values().length)];
    Duration starts =
        nature == Nature.STARTING_SLOWLY
            ? seconds(random, 10, 150)
            : Duration.ofMillis(random.nextInt(200, 4_000));
    boolean forGood = random.nextBoolean() && nature != Nature.THROTTLED && nature != Nature.SLOW;
    return new ContainerScript(
        nature,
        random.nextInt(3) > 0
            ? Behavior.HEALTHY
            : Behavior.slow(
                Duration.ofMillis(random.nextInt(1, 300)),
                Duration.ofMillis(random.nextInt(301, 900))),
        starts,
        seconds(random, 30, 600),
        forGood ? FOR_GOOD : seconds(random, 2, 90),
        random.nextInt(4) > 0);
  }

  /**
   * Draws the life of an instance.
   *
   * @param at when it starts
   * @param first whether it is the container's first, which is not in trouble from the beginning
   */
  Life of(long at, boolean first, RandomGenerator random) {
    List<Spell> spells = new ArrayList<>();
    long listens = at + starts.toNanos();
    spells.add(new Spell(at, listens, Behavior.REFUSING));
    return switch (nature) {
      case HEALTHY, STARTING_SLOWLY -> new Life(spells, Optional.empty());
      case CRASHING -> new Life(spells, Optional.of(crash(random)));
      case LEAKING -> {
        Duration after = about(calm, random);
        long slows = listens + after.toNanos() * 9 / 10;
        spells.add(
            new Spell(
                slows,
                Long.MAX_VALUE,
                Behavior.slow(Duration.ofMillis(200), Duration.ofSeconds(4))));
        yield new Life(
            spells, Optional.of(new End(starts.plus(after), OUT_OF_MEMORY, "OOMKilled")));
      }
      case SLOW, HANGING, THROTTLED, ANSWERING_WRONGLY -> {
        troubles(spells, listens, first, random);
        yield new Life(spells, Optional.empty());
      }
    };
  }

  private End crash(RandomGenerator random) {
    int[] codes = {0, 1, 2, 139};
    int code = codes[random.nextInt(codes.length)];
    return new End(about(calm, random), code, code == 0 ? "Completed" : "Error");
  }

  private void troubles(List<Spell> spells, long listens, boolean first, RandomGenerator random) {
    long horizon = listens + HORIZON.toNanos();
    long begins = listens + (first || heals ? about(calm, random).toNanos() : 0);
    while (begins < horizon && spells.size() < MOST_SPELLS) {
      boolean ends = !trouble.equals(FOR_GOOD);
      long until = ends ? begins + about(trouble, random).toNanos() : Long.MAX_VALUE;
      spells.add(new Spell(begins, until, ill(random)));
      if (!ends) {
        return;
      }
      begins = until + about(calm, random).toNanos();
    }
  }

  private Behavior ill(RandomGenerator random) {
    return switch (nature) {
      case SLOW ->
          Behavior.slow(
              Duration.ofMillis(random.nextInt(50, 900)),
              Duration.ofMillis(random.nextInt(1_000, 5_000)));
      case THROTTLED ->
          Behavior.throttled(
              Duration.ofMillis(random.nextInt(300, 1_500)),
              Duration.ofMillis(random.nextInt(1_600, 6_000)),
              random.nextInt(55, 100));
      case ANSWERING_WRONGLY -> Behavior.WRONG;
      default -> Behavior.HANGING;
    };
  }

  /** A time around an average: from a fifth of it to two and a half times. */
  private static Duration about(Duration average, RandomGenerator random) {
    return Duration.ofNanos((long) (average.toNanos() * random.nextDouble(0.2, 2.5)));
  }

  private static Duration seconds(RandomGenerator random, int least, int most) {
    return Duration.ofMillis(random.nextLong(least * 1_000L, most * 1_000L));
  }
}
