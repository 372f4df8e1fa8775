package io.probelet.nodehealth.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.ConditionStatus;
import io.probelet.nodehealth.monitor.rule.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a condition, and what its evidence came to so far.
 *
 * @param settled what counts; null before anything was observed
 * @param pending what the newest evidence says while it is not believed yet; null if there is none
 * @param matches the newest matches, oldest first, no more than the rule's count
 * @param lost since when nothing can be observed; null while something can
 * @param lostWhy why; empty while something can
 */
record RuleState(
    @Nullable Claim settled,
    @Nullable Claim pending,
    List<Moment> matches,
    @Nullable Moment lost,
    String lostWhy) {
  static final RuleState UNHEARD = new RuleState(null, null, List.of(), null, "");

  RuleState {
    matches = List.copyOf(matches);
  }

  static RuleState holding(String message, Moment since) {
    return new RuleState(new Claim(TRUE, message, since), null, List.of(since), null, "");
  }

  boolean holds() {
    return settled != null && settled.status() == TRUE;
  }

  RuleState after(Evidence evidence, RuleTerms terms, Moment now) {
    return switch (evidence) {
      case Evidence.Matched(String text, _) -> matched(text, terms, now);
      case Evidence.Cleared() -> heard().withMatches(List.of()).propose(FALSE, "", terms, now);
      case Evidence.Watching() ->
          settled == null ? heard().settle(new Claim(FALSE, "", now)) : heard();
      case Evidence.Reported(ConditionStatus status, String message) ->
          heard().propose(status, message, terms, now);
      // B-5: the first silence counts, not each sign of it.
      case Evidence.Lost(String why) ->
          lost != null ? this : new RuleState(settled, pending, matches, now, why);
    };
  }

  /** B-2: so many within the window, counted back from this one. */
  private RuleState matched(String text, RuleTerms terms, Moment now) {
    Patience patience = terms.patience();
    List<Moment> recent = new ArrayList<>();
    for (Moment match : matches) {
      if (patience.minCount() > 1 && now.since(match).compareTo(patience.window()) <= 0) {
        recent.add(match);
      }
    }
    recent.add(now);
    List<Moment> newest =
        recent.subList(Math.max(0, recent.size() - patience.minCount()), recent.size());
    RuleState counted = heard().withMatches(newest);
    return newest.size() < patience.minCount() ? counted : counted.propose(TRUE, text, terms, now);
  }

  private RuleState heard() {
    return new RuleState(settled, pending, matches, null, "");
  }

  private RuleState withMatches(List<Moment> newMatches) {
    return new RuleState(settled, pending, newMatches, lost, lostWhy);
  }

  private RuleState settle(Claim claim) {
    return new RuleState(claim, null, matches, lost, lostWhy);
  }

  private RuleState propose(ConditionStatus status, String message, RuleTerms terms, Moment now) {
    if (settled != null && settled.status() == status) {
      // What was said first stays said, or every line would be news.
      return settle(terms.followMessage() ? settled.saying(message) : settled);
    }
    // "I cannot tell" needs no proof, and a first "all is well" contradicts nobody.
    boolean atOnce = status == UNKNOWN || (settled == null && status == FALSE);
    if (atOnce || terms.patience().debounce().isZero()) {
      return settle(new Claim(status, message, now));
    }
    Claim waiting =
        pending != null && pending.status() == status
            ? pending.saying(message)
            : new Claim(status, message, now);
    return new RuleState(settled, waiting, matches, lost, lostWhy).at(terms, now);
  }

  /** What has become of it by the passing of time alone. */
  RuleState at(RuleTerms terms, Moment now) {
    if (pending != null && now.reached(pending.since().plus(terms.patience().debounce()))) {
      return settle(new Claim(pending.status(), pending.message(), now)).at(terms, now); // B-2
    }
    Optional<Moment> cleared = clearsAt(terms);
    if (cleared.isPresent() && now.reached(cleared.get())) {
      return withMatches(List.of()).settle(new Claim(FALSE, "", now)); // B-1
    }
    return this;
  }

  private Optional<Moment> clearsAt(RuleTerms terms) {
    Duration clearAfter = terms.patience().clearAfter();
    if (clearAfter == null || settled == null || !holds()) {
      return Optional.empty();
    }
    Moment last = matches.isEmpty() ? settled.since() : matches.getLast();
    return Optional.of(last.plus(clearAfter));
  }

  /** When {@link #at} or {@link #effective} has something new to say without further evidence. */
  Stream<Moment> wakeUps(RuleTerms terms, Duration holdFor, Moment now) {
    return Stream.of(
            Optional.ofNullable(pending)
                .map(claim -> claim.since().plus(terms.patience().debounce())),
            clearsAt(terms),
            Optional.ofNullable(lost).map(since -> since.plus(holdFor)))
        .flatMap(Optional::stream)
        .filter(moment -> !now.reached(moment));
  }

  /** B-5: the last state for a while, then Unknown, never False. Empty before any observation. */
  Optional<Claim> effective(Duration holdFor, Moment now) {
    if (lost != null && now.reached(lost.plus(holdFor))) {
      return Optional.of(new Claim(UNKNOWN, lostWhy, lost.plus(holdFor)));
    }
    return Optional.ofNullable(settled);
  }
}
