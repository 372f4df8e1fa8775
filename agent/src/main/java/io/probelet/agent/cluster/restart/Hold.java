package io.probelet.agent.cluster.restart;

import java.time.Duration;
import java.util.Optional;

/**
 * Holds restarts once for each trouble, for a limited time.
 *
 * <pre>
 *             trouble                  hold is over
 *   calm ───────────────────► holding ───────────────────► spent
 *     ▲                          │ no trouble any more        │
 *     └──────────────────────────┴────────────────────────────┘
 * </pre>
 *
 * In the state spent restarts pass. Times are nanoseconds of the monotonic clock. Not safe for use
 * by several threads.
 */
final class Hold {
  private State state = State.CALM;
  private long heldSince;

  private enum State {
    CALM,
    HOLDING,
    SPENT
  }

  /** {@return whether there was no trouble when it was asked last} */
  boolean calm() {
    return state == State.CALM;
  }

  /**
   * {@return the end of the time that counts} While restarts are held, containers that failed at
   * the beginning still count: they have not recovered.
   */
  long since(long now) {
    return calm() ? now : heldSince;
  }

  /**
   * {@return how it would stand if it were asked now: empty while there is no trouble, or nothing
   * was held yet; changes nothing}
   */
  Optional<Standing> standing(Optional<String> trouble, Duration longest, long now) {
    return trouble.isEmpty() || calm()
        ? Optional.empty()
        : Optional.of(
            new Standing(
                trouble.get(),
                Duration.ofNanos(now - heldSince),
                longest,
                state == State.HOLDING && now - heldSince < longest.toNanos()));
  }

  /**
   * {@return how it would hold what is asked for now; empty if that would pass; changes nothing}
   */
  Optional<Standing> expected(Optional<String> trouble, Duration longest, long now) {
    Duration held = calm() ? Duration.ZERO : Duration.ofNanos(now - heldSince);
    return state == State.SPENT || held.compareTo(longest) >= 0
        ? Optional.empty()
        : trouble.map(why -> new Standing(why, held, longest, true));
  }

  /**
   * How a hold stands.
   *
   * @param trouble what is wrong
   * @param longest after which restarts pass
   * @param holding whether they are held
   */
  record Standing(String trouble, Duration held, Duration longest, boolean holding) {}

  /** Takes what is wrong at present, and returns it while restarts are to be held because of it. */
  Optional<String> holds(Optional<String> trouble, Duration longest, long now) {
    if (trouble.isEmpty()) {
      state = State.CALM;
    } else if (state == State.CALM) {
      state = State.HOLDING;
      heldSince = now;
    } else if (state == State.HOLDING && now - heldSince >= longest.toNanos()) {
      state = State.SPENT;
    }
    return state == State.HOLDING ? trouble : Optional.empty();
  }
}
