package io.probelet.fleet;

import io.probelet.nodehealth.policy.DurationText;
import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says in one sentence why a node waits, and what would have to change. */
final class WaitText {
  private WaitText() {}

  /** {@return the sentence; it begins with a capital and has no full stop} */
  static String of(HoldReason hold, NodeHealthCheckSpec spec, int selected) {
    return switch (hold) {
      case HoldReason.TooFewHealthy(int healthy, int required) ->
          tooFewHealthy(healthy, required, spec.floor() + " of " + selected);
      case HoldReason.Paused(List<String> requests) ->
          "The NodeHealthCheck is paused until its pauseRequests are empty: "
              + FleetText.of(String.join(", ", requests), FleetText.SENTENCE);
      case HoldReason.StormCooldown(Instant until) ->
          "Enough nodes are healthy again, but stormCooldownDuration %s lasts until %s"
              .formatted(cooldown(spec), until);
      case HoldReason.NoTemplateLeft(int tried) ->
          "All %d of %d remediation steps were tried: repair the node by hand or add an"
                  .formatted(tried, spec.steps().size())
              + " escalatingRemediations step";
      default -> capitalized(FleetText.of(hold.message(), FleetText.SENTENCE));
    };
  }

  /** {@return the same for numbers from elsewhere} */
  static String tooFewHealthy(int healthy, int required, String floor) {
    int missing = Math.max(1, required - healthy);
    return "%d of %d healthy nodes required (%s): %d more must become healthy"
        .formatted(healthy, required, floor, missing);
  }

  /** {@return when it ends by itself; null if that is not known} */
  static @Nullable Instant until(HoldReason hold) {
    return switch (hold) {
      case HoldReason.StormCooldown(Instant until) -> until;
      case HoldReason.LeaseHeld(String _, Instant until) -> until;
      case HoldReason.InMaintenance maintenance -> maintenance.until();
      case HoldReason.ByPolicy(PolicyHold.InBlackout blackout) -> blackout.until();
      case HoldReason.ByPolicy(PolicyHold.OutsideWindows windows) -> windows.next();
      case HoldReason.ByPolicy(PolicyHold.GivenUp givenUp) -> givenUp.until();
      case HoldReason.ByPolicy(PolicyHold.HourlyLimit limit) -> limit.until();
      case HoldReason.ByPolicy(PolicyHold.HistoryFull full) -> full.until();
      default -> null;
    };
  }

  static String capitalized(String sentence) {
    return sentence.isEmpty()
        ? sentence
        : sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  private static String cooldown(NodeHealthCheckSpec spec) {
    Duration cooldown = spec.stormCooldown();
    return cooldown == null ? "" : DurationText.of(cooldown);
  }
}
