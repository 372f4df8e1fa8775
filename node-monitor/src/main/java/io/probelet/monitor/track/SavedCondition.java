package io.probelet.monitor.track;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.RuleState.Claim;
import io.probelet.monitor.track.RuleState.Pending;
import io.probelet.monitor.track.RuleState.RecentMatches;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The saved state of a tracker, with wall times, because monotonic times are not valid after a
 * restart.
 *
 * @param published the published condition; null if nothing has been observed
 * @param problem whether its rules report a problem, regardless of flapping
 * @param changes when that changed, within the flap window
 * @param rules the state of each rule by its id
 */
public record SavedCondition(
    @Nullable SavedStatus published,
    boolean problem,
    List<Instant> changes,
    Map<String, SavedRule> rules,
    ConditionHistory history) {
  /** Keeps unmodifiable copies of the collections, in their order. */
  public SavedCondition {
    changes = List.copyOf(changes);
    rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
  }

  /**
   * A published condition.
   *
   * @param lastTransitionTime when the status changed
   * @param lastUpdateTime when anything changed
   */
  public record SavedStatus(
      ConditionStatus status,
      String reason,
      String message,
      Instant lastTransitionTime,
      Instant lastUpdateTime) {}

  /**
   * The saved state of a rule.
   *
   * @param settled the settled claim; null if there is none yet
   * @param pending the pending claim; null if there is none
   * @param matches its newest matches
   * @param devices the same for each named device; not nested further
   */
  public record SavedRule(
      @Nullable SavedClaim settled,
      @Nullable SavedClaim pending,
      List<Instant> matches,
      Map<String, SavedRule> devices) {
    /** Keeps unmodifiable copies of the collections. */
    public SavedRule {
      matches = List.copyOf(matches);
      devices = Collections.unmodifiableMap(new LinkedHashMap<>(devices));
    }

    private static SavedRule of(RuleState state, Map<String, SavedRule> devices, ClockReading now) {
      Claim settled = state.settled();
      Pending pending = state.pending();
      return new SavedRule(
          settled == null ? null : SavedClaim.of(settled, settled.since().wall()),
          pending == null
              ? null
              : SavedClaim.of(pending.claim(), now.nameOf(pending.claim().since())),
          times(state.matches(), now),
          devices);
    }

    static SavedRule of(RecentMatches matches, ClockReading now) {
      return new SavedRule(null, null, times(matches, now), Map.of());
    }

    private static List<Instant> times(RecentMatches matches, ClockReading now) {
      return matches.times().stream().map(now::nameOf).toList();
    }

    RecentMatches recent(ClockReading now) {
      return new RecentMatches(matches.stream().map(now::at).toList());
    }

    private boolean isEmpty() {
      return settled == null && pending == null && matches.isEmpty() && devices.isEmpty();
    }

    /** A line stays valid after a restart; a check's report must be repeated. */
    private RuleState state(NamedRule rule, ClockReading now) {
      return RuleState.of(
          settled == null ? null : settled.claim(now),
          pending == null || rule.kind() != NamedRule.Kind.LOG
              ? null
              : new Pending(pending.claim(now), true),
          recent(now));
    }
  }

  /** A saved claim of a rule. */
  public record SavedClaim(ConditionStatus status, String message, Instant since) {
    private static SavedClaim of(Claim claim, Instant since) {
      return new SavedClaim(claim.status(), claim.message(), since);
    }

    private Claim claim(ClockReading now) {
      return new Claim(status, message, now.at(since));
    }
  }

  static SavedCondition of(
      @Nullable Condition published,
      boolean problem,
      List<ClockReading> changes,
      Map<String, DeviceStates> states,
      ConditionHistory history,
      ClockReading now) {
    Map<String, SavedRule> rules = new LinkedHashMap<>();
    states.forEach((id, state) -> {
      Map<String, SavedRule> devices = new LinkedHashMap<>();
      state
          .devices()
          .forEach(
              (device, ofDevice) -> devices.put(device, SavedRule.of(ofDevice, Map.of(), now)));
      SavedRule rule = SavedRule.of(state.common(), devices, now);
      if (!rule.isEmpty()) {
        rules.put(id, rule);
      }
    });
    return new SavedCondition(
        published == null
            ? null
            : new SavedStatus(
                published.status(),
                published.reason(),
                published.message(),
                published.lastTransitionTime(),
                published.lastUpdateTime()),
        problem,
        changes.stream().map(now::nameOf).toList(),
        rules,
        history);
  }

  @Nullable Condition published(String type) {
    return published == null
        ? null
        : new Condition(
            type,
            published.status(),
            published.lastTransitionTime(),
            published.lastUpdateTime(),
            published.reason(),
            published.message(),
            List.of());
  }

  List<ClockReading> changes(ClockReading now) {
    return changes.stream().map(now::at).toList();
  }

  DeviceStates state(NamedRule rule, ClockReading now) {
    SavedRule saved = rules.get(rule.id());
    if (saved == null) {
      return DeviceStates.UNOBSERVED;
    }
    Map<String, RuleState> devices = new LinkedHashMap<>();
    saved
        .devices()
        .forEach((device, ofDevice) -> {
          if (devices.size() < DeviceStates.MAX_DEVICES) {
            devices.put(device, ofDevice.state(rule, now));
          }
        });
    return new DeviceStates(saved.state(rule, now), devices);
  }
}
