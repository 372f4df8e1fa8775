package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.rule.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a condition, or one device of it, and what its evidence came to so far.
 *
 * @param settled what counts; null before anything was observed
 * @param pending what the newest evidence says while it is not believed yet; null if there is none
 * @param matches the newest matches
 * @param lost since when nothing can be observed; null while something can
 * @param lostWhy why; empty while something can
 * @param access whether this program has been able to observe it at all (B-17)
 */
record RuleState(
    @Nullable RuleStatus settled,
    @Nullable PendingStatus pending,
    RecentMatches matches,
    @Nullable ClockReading lost,
    String lostWhy,
    Access access) {
  static final RuleState UNOBSERVED = of(null, null, RecentMatches.NONE);

  /** Whether this program has been able to observe something. */
  enum Access {
    /** Nobody has tried, or what came of it says neither. */
    OPEN,
    /** It has: what fails now has failed, and is not missing. */
    HAD,
    /** What it takes is not there. */
    MISSING
  }

  /** What a program before this one may have left, which says nothing of this one's access. */
  static RuleState of(
      @Nullable RuleStatus settled, @Nullable PendingStatus pending, RecentMatches matches) {
    return new RuleState(settled, pending, matches, null, "", Access.OPEN);
  }

  static RuleState holding(String message, ClockReading since) {
    return of(new RuleStatus(TRUE, message, since), null, new RecentMatches(List.of(since)));
  }

  boolean holds() {
    return settled != null && settled.status() == TRUE;
  }

  /** Whether nothing would be forgotten with it: no problem, none in the making. */
  boolean isIdle(NamedRule rule, ClockReading now) {
    return !holds() && pending == null && matches.areOver(rule.patience().window(), now);
  }

  RuleState after(Evidence evidence, NamedRule rule, ClockReading now) {
    return switch (evidence) {
      case Evidence.Matched(String text, _, _) -> matched(text, rule, now);
      case Evidence.Cleared _ -> cleared(rule, now);
      case Evidence.Watching() -> heard().watched(now);
      case Evidence.Reported(ConditionStatus status, String message, _) ->
          heard().reported(status, message, rule, now);
      case Evidence.Hanging(String why) -> heard().hanging(why, rule, now);
      case Evidence.Lost(String why) ->
          access == Access.MISSING
              ? new RuleState(settled, pending, matches, now, why, Access.OPEN)
              : lost(why, access, now);
      case Evidence.Unavailable(String why) ->
          lost(why, access == Access.HAD ? Access.HAD : Access.MISSING, now);
    };
  }

  /** B-5: the first silence counts, not each sign of it. */
  private RuleState lost(String why, Access from, ClockReading now) {
    return lost == null
        ? new RuleState(settled, pending, matches, now, why, from)
        : new RuleState(settled, pending, matches, lost, lostWhy, from);
  }

  /** B-17: whether nothing is known of it, for want of what it takes to observe it. */
  boolean isUnavailable() {
    return access == Access.MISSING && settled == null && pending == null;
  }

  /** B-17: what a program before this one has seen is held for a while, and then forgotten. */
  RuleState withoutAccess(Duration holdFor, ClockReading now) {
    return access == Access.MISSING
            && !isUnavailable()
            && lost != null
            && now.reached(lost.plus(holdFor))
        ? new RuleState(null, null, RecentMatches.NONE, lost, lostWhy, access)
        : this;
  }

  /** B-1: a check of the same condition contradicts it; that has nothing to do with its source. */
  RuleState contradicted(NamedRule rule, ClockReading now) {
    if (access != Access.MISSING) {
      return cleared(rule, now);
    }
    RuleState cleared = holds() ? cleared(rule, now) : this;
    return new RuleState(cleared.settled, cleared.pending, cleared.matches, lost, lostWhy, access);
  }

  /** B-1: the problem is over, if that stays so. */
  RuleState cleared(NamedRule rule, ClockReading now) {
    return heard().withMatches(RecentMatches.NONE).propose(FALSE, "", true, rule, now);
  }

  /** Nothing was wrong so far, but for what is still to be believed. */
  private RuleState watched(ClockReading now) {
    return settled == null
        ? new RuleState(new RuleStatus(FALSE, "", now), pending, matches, lost, lostWhy, access)
        : this;
  }

  private RuleState matched(String text, NamedRule rule, ClockReading now) {
    RuleState counted = heard().withMatches(matches.with(now, rule.patience()));
    return counted.matches.areEnough(rule.patience())
        ? counted.propose(TRUE, text, true, rule, now)
        : counted;
  }

  /** A problem is counted like a line; it takes no count to stay one, or to wait to be believed. */
  private RuleState reported(
      ConditionStatus status, String message, NamedRule rule, ClockReading now) {
    if (status != TRUE) {
      return propose(status, message, false, rule, now);
    }
    Patience patience = rule.patience();
    // When one is enough it is only remembered for clearAfter, or each would be news to be kept.
    boolean remembered = patience.minCount() > 1 || patience.clearAfter() != null;
    RuleState counted = remembered ? withMatches(matches.with(now, patience)) : this;
    boolean enough =
        !remembered
            || counted.matches.areEnough(patience)
            || holds()
            || (pending != null && pending.status() == TRUE);
    return enough ? counted.propose(TRUE, message, false, rule, now) : counted;
  }

  /** NM-12: nobody knows, and that is bad if it stays so; what was bad before has not mended. */
  private RuleState hanging(String why, NamedRule rule, ClockReading now) {
    if (holds()) {
      return settle(settled);
    }
    boolean known = settled != null && settled.status() == UNKNOWN && !rule.followMessage();
    RuleStatus unknown = known ? settled : new RuleStatus(UNKNOWN, why, now);
    return new RuleState(unknown, pending, matches, lost, lostWhy, access)
        .propose(TRUE, why, true, rule, now);
  }

  RuleState heard() {
    return lost == null && access == Access.HAD
        ? this
        : new RuleState(settled, pending, matches, null, "", Access.HAD);
  }

  private RuleState withMatches(RecentMatches newMatches) {
    return new RuleState(settled, pending, newMatches, lost, lostWhy, access);
  }

  private RuleState settle(@Nullable RuleStatus claim) {
    return new RuleState(claim, null, matches, lost, lostWhy, access);
  }

  private RuleState propose(
      ConditionStatus status, String message, boolean standing, NamedRule rule, ClockReading now) {
    if (settled != null && settled.status() == status) {
      // What was said first stays said, or every line would be news.
      return settle(rule.followMessage() ? settled.saying(message) : settled);
    }
    // Unknown needs no proof, and a first "all is well" contradicts nobody.
    boolean atOnce = status == UNKNOWN || (settled == null && status == FALSE);
    Duration debounce = rule.patience().debounce();
    if (atOnce || debounce.isZero()) {
      return settle(new RuleStatus(status, message, now));
    }
    PendingStatus waiting =
        pending != null && pending.status() == status
            ? pending.saying(message, standing)
            : new PendingStatus(status, message, now, standing);
    // B-2: after its debounce a report counts because it was made again.
    return !standing && now.reached(waiting.due(debounce))
        ? settle(waiting.believedAt(now))
        : new RuleState(settled, waiting, matches, lost, lostWhy, access).at(rule, now);
  }

  /** What has become of it by the passing of time alone. */
  RuleState at(NamedRule rule, ClockReading now) {
    Optional<ClockReading> believed = believedAt(rule);
    if (pending != null && believed.isPresent() && now.reached(believed.get())) {
      return settle(pending.believedAt(believed.get())).at(rule, now); // B-2: lasted
    }
    Optional<ClockReading> cleared = clearsAt(rule);
    if (cleared.isPresent() && now.reached(cleared.get())) {
      return withMatches(RecentMatches.NONE)
          .settle(new RuleStatus(FALSE, "", cleared.get())); // B-1: over
    }
    return this;
  }

  /** When what is pending counts by itself; empty if it takes another run. */
  private Optional<ClockReading> believedAt(NamedRule rule) {
    return pending != null && pending.standing()
        ? Optional.of(pending.due(rule.patience().debounce()))
        : Optional.empty();
  }

  private Optional<ClockReading> clearsAt(NamedRule rule) {
    Duration clearAfter = rule.patience().clearAfter();
    if (clearAfter == null || settled == null || !holds()) {
      return Optional.empty();
    }
    ClockReading last = matches.times().isEmpty() ? settled.since() : matches.times().getLast();
    return Optional.of(last.plus(clearAfter));
  }

  /** When {@link #at} or {@link #effective} has something new to say without further evidence. */
  Stream<ClockReading> wakeUps(NamedRule rule, Duration holdFor) {
    return Stream.of(
            believedAt(rule),
            clearsAt(rule),
            Optional.ofNullable(lost).map(since -> since.plus(holdFor)))
        .flatMap(Optional::stream);
  }

  /** B-5: the last state for a while, then Unknown, never False. Empty before any observation. */
  Optional<RuleStatus> effective(Duration holdFor, ClockReading now) {
    if (access != Access.MISSING && lost != null && now.reached(lost.plus(holdFor))) {
      return Optional.of(new RuleStatus(UNKNOWN, lostWhy, lost.plus(holdFor)));
    }
    return Optional.ofNullable(settled);
  }
}
