package io.probelet.nodehealth.monitor.track;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tracker as it is kept on disk: on the wall clock, because the monotonic one begins anew.
 *
 * @param published what the condition says; null if nothing has been observed
 * @param problem whether its rules say there is a problem, flapping or not
 * @param changes when that changed, within the time flapping is counted in
 * @param rules the state of each rule by its id
 */
public record SavedCondition(
    @Nullable SavedStatus published,
    boolean problem,
    List<Instant> changes,
    Map<String, SavedRule> rules) {
  /** Copies the collections. */
  public SavedCondition {
    changes = List.copyOf(changes);
    rules = Map.copyOf(rules);
  }

  /**
   * What a condition says.
   *
   * @param status its status
   * @param reason its reason
   * @param message its message
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
   * What a rule says.
   *
   * @param status its status; null if it has said nothing yet
   * @param message what it says
   * @param since since when
   * @param matches its newest matches
   */
  public record SavedRule(
      @Nullable ConditionStatus status, String message, Instant since, List<Instant> matches) {
    /** Copies the list. */
    public SavedRule {
      matches = List.copyOf(matches);
    }
  }

  static SavedCondition of(
      @Nullable Condition published,
      boolean problem,
      List<Moment> changes,
      Map<String, RuleState> states) {
    Map<String, SavedRule> rules = new LinkedHashMap<>();
    states.forEach((id, state) -> {
      Claim claim = state.settled();
      List<Instant> matches = state.matches().stream().map(Moment::wall).toList();
      if (claim != null || !matches.isEmpty()) {
        rules.put(
            id,
            new SavedRule(
                claim == null ? null : claim.status(),
                claim == null ? "" : claim.message(),
                claim == null ? matches.getLast() : claim.since().wall(),
                matches));
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
        changes.stream().map(Moment::wall).toList(),
        rules);
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

  List<Moment> changes(Moment now) {
    return changes.stream().map(now::at).toList();
  }

  RuleState state(String id, Moment now) {
    SavedRule rule = rules.get(id);
    if (rule == null) {
      return RuleState.UNHEARD;
    }
    List<Moment> matches = rule.matches().stream().map(now::at).toList();
    Claim claim =
        rule.status() == null
            ? null
            : new Claim(rule.status(), rule.message(), now.at(rule.since()));
    return new RuleState(claim, null, matches, null, "");
  }
}
