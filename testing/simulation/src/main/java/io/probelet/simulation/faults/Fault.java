package io.probelet.simulation.faults;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One thing that goes wrong.
 *
 * @param kind what it is
 * @param at when it begins, since the beginning of the world
 * @param length how long it lasts
 * @param target what it happens to, as an index that is reduced to what there is
 * @param detail decides everything else about it
 */
public record Fault(FaultKind kind, Duration at, Duration length, int target, long detail) {
  /**
   * {@return the target among some}
   *
   * @param number how many there are
   */
  public int target(int number) {
    return Math.floorMod(target, number);
  }

  /** {@return randomness of this fault alone, so that it stays the same without the others} */
  public RandomGenerator random() {
    return new SplittableRandom(detail);
  }

  /**
   * {@return the same fault with another length}
   *
   * @param other how long it lasts
   */
  public Fault lasting(Duration other) {
    return new Fault(kind, at, other, target, detail);
  }

  /** {@return when it is over, since the beginning of the world} */
  public Duration end() {
    return at.plus(length);
  }

  @Override
  public String toString() {
    return "%.3fs %s target=%d for=%.3fs detail=%d"
        .formatted(at.toNanos() / 1e9, kind.label(), target, length.toNanos() / 1e9, detail);
  }
}
