package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.policy.PolicyAnswer.Held;
import io.probelet.nodehealth.policy.PolicyFacts.State;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import io.probelet.nodehealth.policy.PolicyLimits.Unreadable;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The limits of a policy that depend only on time. */
record PolicyMoment(State state, Instant now) {
  /** Why no remediation may start; null if one may. */
  @Nullable Held hold() {
    String name = state.policy().name();
    return switch (state.policy().limits()) {
      case Unreadable(String problem) -> new Held(new PolicyHold.Unreadable(name, problem), null);
      case Spec limits when limits.paused() -> new Held(new PolicyHold.Paused(name), null);
      case Spec limits -> time(name, limits);
    };
  }

  private @Nullable Held time(String name, Spec limits) {
    Optional<Instant> dark =
        limits.blackouts().stream()
            .filter(blackout -> blackout.isOnAt(now))
            .map(Blackout::until)
            .max(Comparator.naturalOrder());
    if (dark.isPresent()) {
      return new Held(new PolicyHold.InBlackout(name, dark.get()), dark.get());
    }
    if (limits.windows().isEmpty()
        || limits.windows().stream().anyMatch(window -> window.isOpenAt(now))) {
      return null;
    }
    Instant next =
        limits.windows().stream()
            .flatMap(window -> window.nextAfter(now).stream())
            .min(Comparator.naturalOrder())
            .orElse(null);
    return new Held(new PolicyHold.OutsideWindows(name, next), next);
  }
}
