package io.probelet.agent.cluster.restart;

import io.probelet.agent.config.GuardSettings;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides whether what fails is the containers or the node. When too many containers turn unhealthy
 * at once, or the node is starved, restarts are held: they would not help, and would make it worse.
 *
 * <pre>
 *          too many at once                hold is over
 *   calm ───────────────────► holding ───────────────────► spent
 *     ▲                          │ no longer too many         │
 *     └──────────────────────────┴────────────────────────────┘
 * </pre>
 *
 * In the state spent restarts pass, for one trouble is held once only. Times are nanoseconds of the
 * monotonic clock. Not safe for use by several threads.
 */
final class MassFailureGuard {
  private final Supplier<GuardSettings> settings;
  private final Map<ProbeSubject, Long> unhealthySince = new HashMap<>();
  private State state = State.CALM;
  private long heldSince;

  /** A container, whatever instance of it and whichever of its probes. */
  private record Container(PodRef pod, String name) {}

  private enum State {
    CALM,
    HOLDING,
    SPENT
  }

  /** Creates a calm one; {@code settings} may change and are asked each time. */
  MassFailureGuard(Supplier<GuardSettings> settings) {
    this.settings = settings;
  }

  /** A container's probe has failed as often as it takes. */
  void unhealthy(ProbeSubject probe, long now) {
    unhealthySince.putIfAbsent(probe, now);
  }

  /** A container's probe succeeds again, or the container is gone. */
  void healthy(ProbeSubject probe) {
    unhealthySince.remove(probe);
  }

  /**
   * Asks whether a restart must wait.
   *
   * @param probed how many containers are probed on this node
   * @param starved what the node lacks; empty when it has what it needs
   * @param now the monotonic clock
   * @return why restarts are held; empty when this one may pass
   */
  Optional<String> holds(int probed, Optional<String> starved, long now) {
    GuardSettings limits = settings.get();
    if (!limits.enabled()) {
      return Optional.empty();
    }
    Optional<String> trouble = starved.or(() -> tooMany(limits, probed, now));
    if (trouble.isEmpty()) {
      state = State.CALM;
    } else if (state == State.CALM) {
      state = State.HOLDING;
      heldSince = now;
    } else if (state == State.HOLDING && now - heldSince >= limits.hold().toNanos()) {
      state = State.SPENT;
    }
    return state == State.HOLDING ? trouble : Optional.empty();
  }

  /**
   * While restarts are held, containers that failed at the beginning still count: they have not
   * recovered.
   */
  private Optional<String> tooMany(GuardSettings limits, int probed, long now) {
    long since = state == State.CALM ? now : heldSince;
    long turned =
        unhealthySince.entrySet().stream()
            .filter(each -> since - each.getValue() <= limits.window().toNanos())
            .map(each -> new Container(each.getKey().pod(), each.getKey().container()))
            .distinct()
            .count();
    boolean tooMany = turned >= limits.least() && turned * 100 > (long) limits.percent() * probed;
    return tooMany
        ? Optional.of(
            "%d of %d containers turned unhealthy within %d s"
                .formatted(turned, probed, limits.window().toSeconds()))
        : Optional.empty();
  }
}
