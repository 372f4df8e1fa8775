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
 * A rule that makes events and no condition: counts what it takes for one (B-2), for each device by
 * itself (B-15). After an event counting begins anew. A value: what it becomes is a new one.
 *
 * @param matches what counts for the next event, by device; empty for none
 */
public record EventTracker(EvidenceThreshold patience, Map<String, RecentMatches> matches) {
  /** Keeps an unmodifiable copy of the matches. */
  public EventTracker {
    matches = Collections.unmodifiableMap(new LinkedHashMap<>(matches));
  }

  /**
   * What an event says.
   *
   * @param pod the container it is about; null if it is about none
   */
  public record Occurrence(String text, @Nullable PodTrace pod) {}

  /**
   * What evidence came to.
   *
   * @param occurrence what an event is to say; empty if there is none
   */
  public record Counted(EventTracker after, Optional<Occurrence> occurrence) {}

  /** Creates a tracker that has seen nothing. */
  public static EventTracker of(EvidenceThreshold patience) {
    return new EventTracker(patience, Map.of());
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
    next.values().removeIf(each -> each.areOver(patience.window(), now));
    // A log may name any number of devices: those beyond the bound are counted together.
    long named = next.keySet().stream().filter(name -> !name.isEmpty()).count();
    String counter = next.containsKey(device) || named < DeviceStates.MAX_DEVICES ? device : "";
    RecentMatches recent = next.getOrDefault(counter, RecentMatches.NONE).with(now, patience);
    if (recent.areEnough(patience)) {
      next.remove(counter);
      return new Counted(new EventTracker(patience, next), Optional.of(occurrence));
    }
    next.put(counter, recent);
    return new Counted(new EventTracker(patience, next), Optional.empty());
  }

  /** {@return what has to be kept so that a restart forgets no match (B-4)} */
  public SavedRule save(ClockReading now) {
    Map<String, SavedRule> devices = new LinkedHashMap<>();
    matches.forEach((device, recent) -> devices.put(device, SavedRule.of(recent, now)));
    return new SavedRule(null, null, List.of(), devices);
  }

  /** Goes on from what was kept. */
  public EventTracker restore(SavedRule saved, ClockReading now) {
    Map<String, RecentMatches> kept = new LinkedHashMap<>();
    saved
        .devices()
        .forEach((device, recent) -> {
          if (kept.size() <= DeviceStates.MAX_DEVICES) {
            kept.put(device, recent.recent(now));
          }
        });
    return new EventTracker(patience, kept);
  }

  /**
   * Goes on from where another tracker of the same rule is, which may take more or less evidence.
   *
   * @param before the tracker of before
   */
  public EventTracker continueFrom(EventTracker before) {
    return new EventTracker(patience, before.matches);
  }
}
