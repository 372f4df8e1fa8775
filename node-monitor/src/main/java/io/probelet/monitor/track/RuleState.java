package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import java.time.Duration;
import java.util.ArrayList;
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
 * @param sight whether it can be observed
 */
record RuleState(
    @Nullable Claim settled, @Nullable Pending pending, RecentMatches matches, Sight sight) {
  static final RuleState UNOBSERVED = of(null, null, RecentMatches.NONE);

  /**
   * What a rule says, and since when.
   *
   * @param status True while there is a problem
   * @param message what was seen; may be empty
   */
  record Claim(ConditionStatus status, String message, ClockReading since) {
    Claim saying(String other) {
      return new Claim(status, other, since);
    }
  }

  /**
   * What the newest evidence says while it has not lasted long enough to be believed (B-2).
   *
   * @param standing whether it stays true by itself until something contradicts it, as a line of a
   *     log does; the report of a check is about its own moment only, and has to be repeated
   */
  record Pending(Claim claim, boolean standing) {
    boolean says(ConditionStatus status) {
      return claim.status() == status;
    }

    /** When it is believed, if it has not been contradicted by then. */
    ClockReading due(Duration debounce) {
      return claim.since().plus(debounce);
    }

    Claim believedAt(ClockReading moment) {
      return new Claim(claim.status(), claim.message(), moment);
    }
  }

  /**
   * The newest matches of a rule, or of one device of it: oldest first, no more than it takes
   * (B-2).
   */
  record RecentMatches(List<ClockReading> times) {
    static final RecentMatches NONE = new RecentMatches(List.of());

    RecentMatches {
      times = List.copyOf(times);
    }

    /** One more, and of those before as many as are within the window, counted back from it. */
    RecentMatches with(ClockReading now, EvidenceThreshold patience) {
      List<ClockReading> recent = new ArrayList<>();
      for (ClockReading match : times) {
        if (now.since(match).compareTo(patience.window()) <= 0) {
          recent.add(match);
        }
      }
      recent.add(now);
      int tooMany = Math.max(0, recent.size() - patience.minCount());
      return new RecentMatches(recent.subList(tooMany, recent.size()));
    }

    boolean areEnough(EvidenceThreshold patience) {
      return times.size() >= patience.minCount();
    }

    /** Whether none of them would be counted by the next. */
    boolean areOver(Duration window, ClockReading now) {
      return times.isEmpty() || now.since(times.getLast()).compareTo(window) > 0;
    }
  }

  /** Whether this program has been able to observe something. */
  enum Access {
    /** Nobody has tried, or what came of it says neither. */
    OPEN,
    /** It has: what fails now has failed, and is not missing. */
    HAD,
    /** What it takes is not there. */
    MISSING
  }

  /**
   * Whether a rule can be observed.
   *
   * @param access whether this program has been able to observe it at all (B-17)
   * @param lost since when nothing can be observed; null while something can
   * @param why why; empty while something can
   */
  record Sight(Access access, @Nullable ClockReading lost, String why) {
    private static final Sight UNTRIED = new Sight(Access.OPEN, null, "");
    private static final Sight OBSERVED = new Sight(Access.HAD, null, "");

    /** B-5: the first silence counts, not each sign of it. */
    private Sight lost(Access from, String reason, ClockReading now) {
      return lost == null ? new Sight(from, now, reason) : new Sight(from, lost, why);
    }

    boolean isMissing() {
      return access == Access.MISSING;
    }

    /** Whether what was known before the silence is held no more. */
    boolean isLostFor(Duration holdFor, ClockReading now) {
      return lost != null && now.reached(lost.plus(holdFor));
    }
  }

  /** What a program before this one may have left, which says nothing of this one's access. */
  static RuleState of(@Nullable Claim settled, @Nullable Pending pending, RecentMatches matches) {
    return new RuleState(settled, pending, matches, Sight.UNTRIED);
  }

  static RuleState holding(String message, ClockReading since) {
    return of(new Claim(TRUE, message, since), null, new RecentMatches(List.of(since)));
  }

  private RuleState withMatches(RecentMatches newMatches) {
    return new RuleState(settled, pending, newMatches, sight);
  }

  private RuleState with(Sight newSight) {
    return new RuleState(settled, pending, matches, newSight);
  }

  private RuleState with(@Nullable Claim claim, @Nullable Pending waiting) {
    return new RuleState(claim, waiting, matches, sight);
  }

  private RuleState settle(@Nullable Claim claim) {
    return with(claim, null);
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
          with(
              sight.isMissing()
                  ? new Sight(Access.OPEN, now, why)
                  : sight.lost(sight.access(), why, now));
      case Evidence.Unavailable(String why) ->
          with(sight.lost(sight.access() == Access.HAD ? Access.HAD : Access.MISSING, why, now));
    };
  }

  /** B-17: whether nothing is known of it, for want of what it takes to observe it. */
  boolean isUnavailable() {
    return sight.isMissing() && settled == null && pending == null;
  }

  /** B-17: what a program before this one has seen is held for a while, and then forgotten. */
  RuleState withoutAccess(Duration holdFor, ClockReading now) {
    return sight.isMissing() && !isUnavailable() && sight.isLostFor(holdFor, now)
        ? UNOBSERVED.with(sight)
        : this;
  }

  /** B-1: a check of the same condition contradicts it; that has nothing to do with its source. */
  RuleState contradicted(NamedRule rule, ClockReading now) {
    if (!sight.isMissing()) {
      return cleared(rule, now);
    }
    return (holds() ? cleared(rule, now) : this).with(sight);
  }

  /** B-1: the problem is over, if that stays so. */
  RuleState cleared(NamedRule rule, ClockReading now) {
    return heard().withMatches(RecentMatches.NONE).propose(FALSE, "", true, rule, now);
  }

  /** Nothing was wrong so far, but for what is still to be believed. */
  private RuleState watched(ClockReading now) {
    return settled == null ? with(new Claim(FALSE, "", now), pending) : this;
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
    EvidenceThreshold patience = rule.patience();
    // When one is enough it is only remembered for clearAfter, or each would be news to be kept.
    boolean remembered = patience.minCount() > 1 || patience.clearAfter() != null;
    RuleState counted = remembered ? withMatches(matches.with(now, patience)) : this;
    boolean enough =
        !remembered
            || counted.matches.areEnough(patience)
            || holds()
            || (pending != null && pending.says(TRUE));
    return enough ? counted.propose(TRUE, message, false, rule, now) : counted;
  }

  /** NM-12: nobody knows, and that is bad if it stays so; what was bad before has not mended. */
  private RuleState hanging(String why, NamedRule rule, ClockReading now) {
    if (holds()) {
      return settle(settled);
    }
    boolean known = settled != null && settled.status() == UNKNOWN && !rule.followMessage();
    Claim unknown = known ? settled : new Claim(UNKNOWN, why, now);
    return with(unknown, pending).propose(TRUE, why, true, rule, now);
  }

  RuleState heard() {
    return sight.equals(Sight.OBSERVED) ? this : with(Sight.OBSERVED);
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
      return settle(new Claim(status, message, now));
    }
    Claim claim =
        pending != null && pending.says(status)
            ? pending.claim().saying(message)
            : new Claim(status, message, now);
    Pending waiting = new Pending(claim, standing);
    // B-2: after its debounce a report counts because it was made again.
    return !standing && now.reached(waiting.due(debounce))
        ? settle(waiting.believedAt(now))
        : with(settled, waiting).at(rule, now);
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
          .settle(new Claim(FALSE, "", cleared.get())); // B-1: over
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
            Optional.ofNullable(sight.lost()).map(since -> since.plus(holdFor)))
        .flatMap(Optional::stream);
  }

  /** B-5: the last state for a while, then Unknown, never False. Empty before any observation. */
  Optional<Claim> effective(Duration holdFor, ClockReading now) {
    ClockReading lost = sight.lost();
    return lost != null && !sight.isMissing() && sight.isLostFor(holdFor, now)
        ? Optional.of(new Claim(UNKNOWN, sight.why(), lost.plus(holdFor)))
        : Optional.ofNullable(settled);
  }
}
