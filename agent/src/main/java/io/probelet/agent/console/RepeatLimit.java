package io.probelet.agent.console;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Lets each repeated message through once a minute and counts the ones in between. */
final class RepeatLimit {
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final TimeSource time;
  private final Map<Object, Said> said = new ConcurrentHashMap<>();

  private record Said(long atNanos, int heldBack, int heldBackBefore, boolean now) {}

  RepeatLimit(TimeSource time) {
    this.time = time;
  }

  /**
   * Asks whether a message may be logged now.
   *
   * @return how many like it were held back since the last one; empty if this one is held back
   */
  OptionalInt due(Object what) {
    long now = time.nanoTime();
    Said asked =
        said.compute(
            what,
            (_, last) -> {
              if (last == null) {
                return new Said(now, 0, 0, true);
              }
              return now - last.atNanos() >= INTERVAL_NANOS
                  ? new Said(now, 0, last.heldBack(), true)
                  : new Said(last.atNanos(), last.heldBack() + 1, 0, false);
            });
    return asked.now() ? OptionalInt.of(asked.heldBackBefore()) : OptionalInt.empty();
  }

  void forget(Predicate<Object> which) {
    said.keySet().removeIf(which);
  }
}
