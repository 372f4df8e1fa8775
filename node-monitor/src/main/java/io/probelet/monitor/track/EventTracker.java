package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.track.RuleState.RecentMatches;
import io.probelet.monitor.track.SavedCondition.SavedRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks a rule that creates events only: counts the required matches (B-2), per device (B-15).
 * After an event the count starts again. Immutable.
 *
 * @param matches the matches that count for the next event, by device; empty for none
 */
public record EventTracker(EvidenceThreshold threshold, Map<String, RecentMatches> matches) {
  /** Keeps an unmodifiable copy of the matches. */
  public EventTracker {
    matches = Collections.unmodifiableMap(new LinkedHashMap<>(matches));
  }

  /**
   * The content of an event.
   *
   * @param pod the container it is about; null if it is about none
   */
  public record Occurrence(String text, @Nullable PodTrace pod) {}

  /**
   * The next state and a possible event.
   *
   * @param occurrence the content of the event; empty if there is none
   */
  public record Counted(EventTracker after, Optional<Occurrence> occurrence) {}

  /** Creates a tracker without any match. */
  public static EventTracker of(EvidenceThreshold threshold) {
    return new EventTracker(threshold, Map.of());
  }

  /** Takes evidence. */
  public Counted observe(Evidence evidence, ClockReading now) {
    return switch (evidence) {
      case Evidence.Matched(String text, PodTrace pod, String device) ->
          counted(device, new Occurrence(text, pod), now);
      // every run of a plugin that is not OK counts, also one that says Unknown.
      case Evidence.Reported(ConditionStatus status, String message, _)
          when status != ConditionStatus.FALSE ->
          counted("", new Occurrence(message, null), now);
      case Evidence.Hanging(String why) -> counted("", new Occurrence(why, null), now);
      case Evidence.Reported _,
          Evidence.Cleared _,
          Evidence.Watching(),
          Evidence.Lost _,
          Evidence.Unavailable _ ->
          new Counted(this, Optional.empty());
    };
  }

  private Counted counted(String device, Occurrence occurrence, ClockReading now) {
    Map<String, RecentMatches> next = new LinkedHashMap<>(matches);
    next.values().removeIf(each -> each.areOver(threshold.window(), now));
    // A log may name any number of devices: those beyond the limit are counted together.
    long named = next.keySet().stream().filter(name -> !name.isEmpty()).count();
    String counter = next.containsKey(device) || named < DeviceStates.MAX_DEVICES ? device : "";
    RecentMatches recent = next.getOrDefault(counter, RecentMatches.NONE).with(now, threshold);
    if (recent.areEnough(threshold)) {
      next.remove(counter);
      return new Counted(new EventTracker(threshold, next), Optional.of(occurrence));
    }
    next.put(counter, recent);
    return new Counted(new EventTracker(threshold, next), Optional.empty());
  }

  /** {@return the matches to save for a restart (B-4)} */
  public SavedRule save(ClockReading now) {
    Map<String, SavedRule> devices = new LinkedHashMap<>();
    matches.forEach((device, recent) -> devices.put(device, SavedRule.of(recent, now)));
    return new SavedRule(null, null, List.of(), devices);
  }

  /** Restores saved matches. */
  public EventTracker restore(SavedRule saved, ClockReading now) {
    Map<String, RecentMatches> kept = new LinkedHashMap<>();
    saved
        .devices()
        .forEach((device, recent) -> {
          if (kept.size() <= DeviceStates.MAX_DEVICES) {
            kept.put(device, recent.recent(now));
          }
        });
    return new EventTracker(threshold, kept);
  }

  /**
   * Continues from an earlier tracker of the same rule, whose required evidence may differ.
   *
   * @param before the earlier tracker
   */
  public EventTracker continueFrom(EventTracker before) {
    return new EventTracker(threshold, before.matches);
  }
}
