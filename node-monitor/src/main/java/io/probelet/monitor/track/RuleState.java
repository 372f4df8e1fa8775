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
 * The state of one rule of a condition, or of one of its devices.
 *
 * @param settled the settled claim; null before any observation
 * @param pending the newest claim while its debounce lasts; null if there is none
 * @param matches the newest matches
 * @param sight whether it can be observed
 */
record RuleState(
    @Nullable Claim settled, @Nullable Pending pending, RecentMatches matches, Sight sight) {
  static final RuleState UNOBSERVED = of(null, null, RecentMatches.NONE);

  /**
   * A claim of a rule, and since when.
   *
   * @param status True if there is a problem
   * @param message the observed text; may be empty
   */
  record Claim(ConditionStatus status, String message, ClockReading since) {
    Claim saying(String other) {
      return new Claim(status, other, since);
    }
  }

  /**
   * A claim whose debounce is not over (B-2).
   *
   * @param standing whether it stays valid until contradicted, like a log line; a check's report is
   *     valid for its own moment only and must be repeated
   */
  record Pending(Claim claim, boolean standing) {
    boolean says(ConditionStatus status) {
      return claim.status() == status;
    }

    /** When it becomes settled unless contradicted. */
    ClockReading due(Duration debounce) {
      return claim.since().plus(debounce);
    }

    Claim believedAt(ClockReading moment) {
      return new Claim(claim.status(), claim.message(), moment);
    }
  }

  /**
   * The newest matches of a rule, or of one of its devices: oldest first, at most the required
   * number (B-2).
   */
  record RecentMatches(List<ClockReading> times) {
    static final RecentMatches NONE = new RecentMatches(List.of());

    RecentMatches {
      times = List.copyOf(times);
    }

    /** Adds a match and drops those outside the window before it. */
    RecentMatches with(ClockReading now, EvidenceThreshold threshold) {
      List<ClockReading> recent = new ArrayList<>();
      for (ClockReading match : times) {
        if (now.since(match).compareTo(threshold.window()) <= 0) {
          recent.add(match);
        }
      }
      recent.add(now);
      int tooMany = Math.max(0, recent.size() - threshold.minCount());
      return new RecentMatches(recent.subList(tooMany, recent.size()));
    }

    boolean areEnough(EvidenceThreshold threshold) {
      return times.size() >= threshold.minCount();
    }

    /** Whether the next match would count none of them. */
    boolean areOver(Duration window, ClockReading now) {
      return times.isEmpty() || now.since(times.getLast()).compareTo(window) > 0;
    }
  }

  /** Whether this process has been able to observe the rule. */
  enum Access {
    /** Not tried yet, or undecided. */
    OPEN,
    /** It has: further problems are failures, not missing prerequisites. */
    HAD,
    /** A prerequisite is missing. */
    MISSING
  }

  /**
   * Whether a rule can be observed.
   *
   * @param access whether this process has been able to observe it at all (B-17)
   * @param lost since when it cannot be observed; null while it can
   * @param why the reason; empty while observed
   */
  record Sight(Access access, @Nullable ClockReading lost, String why) {
    private static final Sight UNTRIED = new Sight(Access.OPEN, null, "");
    private static final Sight OBSERVED = new Sight(Access.HAD, null, "");

    /** B-5: the time of the first failure counts, not of each later one. */
    private Sight lost(Access from, String reason, ClockReading now) {
      return lost == null ? new Sight(from, now, reason) : new Sight(from, lost, why);
    }

    boolean isMissing() {
      return access == Access.MISSING;
    }

    /** Whether the hold time of the last known state is over. */
    boolean isLostFor(Duration holdFor, ClockReading now) {
      return lost != null && now.reached(lost.plus(holdFor));
    }
  }

  /** The state restored from an earlier process, which proves nothing about this one's access. */
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

  /** Whether it can be dropped: no problem, and none pending. */
  boolean isIdle(NamedRule rule, ClockReading now) {
    return !holds() && pending == null && matches.areOver(rule.threshold().window(), now);
  }

  RuleState after(Evidence evidence, NamedRule rule, ClockReading now) {
    return switch (evidence) {
      case Evidence.Matched(String text, _, _) -> matched(text, rule, now);
      case Evidence.Cleared _ -> cleared(rule, now);
      case Evidence.Watching() -> markObserved().watched(now);
      case Evidence.Reported(ConditionStatus status, String message, _) ->
          markObserved().reported(status, message, rule, now);
      case Evidence.Hanging(String why) -> markObserved().hanging(why, rule, now);
      case Evidence.Lost(String why) ->
          with(
              sight.isMissing()
                  ? new Sight(Access.OPEN, now, why)
                  : sight.lost(sight.access(), why, now));
      case Evidence.Unavailable(String why) ->
          with(sight.lost(sight.access() == Access.HAD ? Access.HAD : Access.MISSING, why, now));
    };
  }

  /** B-17: whether nothing is known because a prerequisite is missing. */
  boolean isUnavailable() {
    return sight.isMissing() && settled == null && pending == null;
  }

  /** B-17: state of an earlier process is held for a while, then dropped. */
  RuleState withoutAccess(Duration holdFor, ClockReading now) {
    return sight.isMissing() && !isUnavailable() && sight.isLostFor(holdFor, now)
        ? UNOBSERVED.with(sight)
        : this;
  }

  /** B-1: a check of the same condition contradicts it, independent of the state of its source. */
  RuleState contradicted(NamedRule rule, ClockReading now) {
    if (!sight.isMissing()) {
      return cleared(rule, now);
    }
    return (holds() ? cleared(rule, now) : this).with(sight);
  }

  /** B-1: the problem is over, subject to the debounce. */
  RuleState cleared(NamedRule rule, ClockReading now) {
    return markObserved().withMatches(RecentMatches.NONE).propose(FALSE, "", true, rule, now);
  }

  /** No settled problem so far, apart from a pending one. */
  private RuleState watched(ClockReading now) {
    return settled == null ? with(new Claim(FALSE, "", now), pending) : this;
  }

  private RuleState matched(String text, NamedRule rule, ClockReading now) {
    RuleState counted = markObserved().withMatches(matches.with(now, rule.threshold()));
    return counted.matches.areEnough(rule.threshold())
        ? counted.propose(TRUE, text, true, rule, now)
        : counted;
  }

  /** A problem is counted like a line; an existing or pending problem needs no further count. */
  private RuleState reported(
      ConditionStatus status, String message, NamedRule rule, ClockReading now) {
    if (status != TRUE) {
      return propose(status, message, false, rule, now);
    }
    EvidenceThreshold threshold = rule.threshold();
    // If one match is enough, it is remembered only for clearAfter; otherwise each match would
    // change the saved state.
    boolean remembered = threshold.minCount() > 1 || threshold.clearAfter() != null;
    RuleState counted = remembered ? withMatches(matches.with(now, threshold)) : this;
    boolean enough =
        !remembered
            || counted.matches.areEnough(threshold)
            || holds()
            || (pending != null && pending.says(TRUE));
    return enough ? counted.propose(TRUE, message, false, rule, now) : counted;
  }

  /**
   * NM-12: the state is unknown, which becomes a problem if it lasts; an existing problem remains.
   */
  private RuleState hanging(String why, NamedRule rule, ClockReading now) {
    if (holds()) {
      return settle(settled);
    }
    boolean known = settled != null && settled.status() == UNKNOWN && !rule.followMessage();
    Claim unknown = known ? settled : new Claim(UNKNOWN, why, now);
    return with(unknown, pending).propose(TRUE, why, true, rule, now);
  }

  RuleState markObserved() {
    return sight.equals(Sight.OBSERVED) ? this : with(Sight.OBSERVED);
  }

  private RuleState propose(
      ConditionStatus status, String message, boolean standing, NamedRule rule, ClockReading now) {
    if (settled != null && settled.status() == status) {
      // The first message stays, or every line would be a change.
      return settle(rule.followMessage() ? settled.saying(message) : settled);
    }
    // Unknown needs no confirmation, and a first OK contradicts nothing.
    boolean atOnce = status == UNKNOWN || (settled == null && status == FALSE);
    Duration debounce = rule.threshold().debounce();
    if (atOnce || debounce.isZero()) {
      return settle(new Claim(status, message, now));
    }
    Claim claim =
        pending != null && pending.says(status)
            ? pending.claim().saying(message)
            : new Claim(status, message, now);
    Pending waiting = new Pending(claim, standing);
    // B-2: after its debounce a repeated report counts.
    return !standing && now.reached(waiting.due(debounce))
        ? settle(waiting.believedAt(now))
        : with(settled, waiting).at(rule, now);
  }

  /** Applies the passing of time. */
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

  /** When the pending claim becomes settled by itself; empty if another run is required. */
  private Optional<ClockReading> believedAt(NamedRule rule) {
    return pending != null && pending.standing()
        ? Optional.of(pending.due(rule.threshold().debounce()))
        : Optional.empty();
  }

  private Optional<ClockReading> clearsAt(NamedRule rule) {
    Duration clearAfter = rule.threshold().clearAfter();
    if (clearAfter == null || settled == null || !holds()) {
      return Optional.empty();
    }
    ClockReading last = matches.times().isEmpty() ? settled.since() : matches.times().getLast();
    return Optional.of(last.plus(clearAfter));
  }

  /** When {@link #at} or {@link #effective} changes without further evidence. */
  Stream<ClockReading> wakeUps(NamedRule rule, Duration holdFor) {
    return Stream.of(
            believedAt(rule),
            clearsAt(rule),
            Optional.ofNullable(sight.lost()).map(since -> since.plus(holdFor)))
        .flatMap(Optional::stream);
  }

  /**
   * B-5: the last state during the hold time, then Unknown, never False. Empty before any
   * observation.
   */
  Optional<Claim> effective(Duration holdFor, ClockReading now) {
    ClockReading lost = sight.lost();
    return lost != null && !sight.isMissing() && sight.isLostFor(holdFor, now)
        ? Optional.of(new Claim(UNKNOWN, sight.why(), lost.plus(holdFor)))
        : Optional.ofNullable(settled);
  }
}
