package io.probelet.health;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random values for property tests, reproducible by seed. A failing property names its seed; {@code
 * ./verify -Dprobelet.seed=SEED} repeats that case alone.
 */
public final class RandomCase {
  private static final String SEED = "probelet.seed";

  private final SplittableRandom random;

  private RandomCase(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Tests a property on a number of cases, until one fails. */
  public static void tries(int count, Consumer<RandomCase> property) {
    Long asked = Long.getLong(SEED);
    if (asked != null) {
      hold(asked, property);
      return;
    }
    new SplittableRandom().longs(count).forEach(seed -> hold(seed, property));
  }

  private static void hold(long seed, Consumer<RandomCase> property) {
    try {
      property.accept(new RandomCase(seed));
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError(
          "does not hold; try it again with -D" + SEED + "=" + seed + ": " + broken.getMessage(),
          broken);
    }
  }

  /** A number between the bounds, inclusive. */
  public int between(int lowest, int highest) {
    return random.nextInt(lowest, highest + 1);
  }

  /** One of these. */
  @SafeVarargs
  public final <T> T of(T... values) {
    return values[random.nextInt(values.length)];
  }

  /** One of these. */
  public <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** A value, or null with a probability from 0 to 1. */
  public <T> @Nullable T orNull(double share, Supplier<T> value) {
    return random.nextDouble() < share ? null : value.get();
  }

  /** A list of a fixed length. */
  public <T> List<T> list(int fewest, int most, Supplier<T> value) {
    return Stream.generate(value).limit(between(fewest, most)).toList();
  }

  /** A map with at most that many entries. */
  public <K, V> Map<K, V> map(int most, Supplier<K> key, Supplier<V> value) {
    Map<K, V> map = new HashMap<>();
    for (int entries = between(0, most); entries > 0; entries--) {
      map.put(key.get(), value.get());
    }
    return map;
  }
}
