package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.agent.config.ThrottleSettings;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.explain.RestartForecast.Consequence;
import io.probelet.web.explain.RestartForecast.Held;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the restart of a container that is slow only because its own CPU limit throttles it (D-13).
 * A restart would not help: the next instance starts with the same limit. The hold is bounded, so a
 * container that hangs at its limit is restarted, too. Safe for use by several threads.
 */
public final class ThrottleGate implements RestartGate, ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(ThrottleGate.class);

  /** The second reading where a probe decides at its first failure. */
  private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

  /** A shorter time has too few of the kernel's periods to judge by. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Supplier<ThrottleSettings> settings;
  private final Predicate<PodRef> observed;
  private final EvidenceReader evidence;
  private final SuppressedRestarts kept;
  private final TimeSource time;
  private final Map<ProbeSubject, Streak> streaks = new ConcurrentHashMap<>();
  private final Map<ProbeSubject, Hold> holds = new ConcurrentHashMap<>();

  /** A reading, and when it was asked for by the monotonic clock. */
  private record Reading(CompletableFuture<ContainerEvidence> evidence, long at) {}

  /**
   * Failures in a row of one instance.
   *
   * @param last when the last one ended, by the monotonic clock
   * @param gap the time between the last two, in nanoseconds; 0 for a single one
   */
  private record Streak(
      String containerId, Reading first, boolean timeoutsOnly, long last, long gap) {
    Streak and(boolean timeout, long now) {
      return new Streak(containerId, first, timeoutsOnly && timeout, now, now - last);
    }
  }

  /**
   * The hold of one instance.
   *
   * @param since when it began, by the monotonic clock
   * @param longest how long it may last
   * @param throttling the evidence for it
   * @param base the reading from which on it is judged again
   * @param over whether it has ended, so that the instance is not held again before a success
   */
  private record Hold(
      String containerId,
      long since,
      Duration longest,
      Throttling throttling,
      Reading base,
      boolean over) {
    Hold ended() {
      return new Hold(containerId, since, longest, throttling, base, true);
    }
  }

  /**
   * Creates a gate that holds nothing yet.
   *
   * @param settings asked for each decision
   * @param observed whether a pod is in observe mode, in which nothing is restarted
   */
  public ThrottleGate(
      Supplier<ThrottleSettings> settings,
      Predicate<PodRef> observed,
      EvidenceReader evidence,
      SuppressedRestarts kept,
      TimeSource time) {
    this.settings = settings;
    this.observed = observed;
    this.evidence = evidence;
    this.kept = kept;
    this.time = time;
  }

  /** {@inheritDoc} Without a reading nothing is held; {@link #ask} reads. */
  @Override
  public boolean allows(RestartDecision decision) {
    return true;
  }

  @Override
  public CompletableFuture<Boolean> ask(RestartDecision decision) {
    ProbeSubject subject = decision.subject();
    Streak streak = streaks.get(subject);
    Hold hold = holdOf(decision);
    Duration longest = longest(decision);
    if (longest.isZero()
        || streak == null
        || !streak.timeoutsOnly()
        || !streak.containerId().equals(decision.containerId())
        || (hold != null && hold.over())) {
      ended(subject, hold);
      return CompletableFuture.completedFuture(true);
    }
    long now = time.nanoTime();
    Reading base = hold == null ? streak.first() : hold.base();
    boolean early = now - base.at() < FRESH.toNanos();
    if (early && hold != null) { // there is nothing new to judge by
      return CompletableFuture.completedFuture(
          allows(decision, streak, longest, Optional.of(hold.throttling()), base));
    }
    Duration after = early ? SECOND_LOOK : Duration.ZERO;
    Reading later =
        new Reading(evidence.read(decision.containerId(), after), now + after.toNanos());
    return base.evidence()
        .thenCombine(later.evidence(), Throttling::between)
        .thenApply(throttling -> allows(decision, streak, longest, throttling, later));
  }

  private @Nullable Hold holdOf(RestartDecision decision) {
    Hold hold = holds.get(decision.subject());
    return hold == null || !hold.containerId().equals(decision.containerId()) ? null : hold;
  }

  /** What was held once is held again only after a success: a hold is bounded in total. */
  private void ended(ProbeSubject subject, @Nullable Hold hold) {
    if (hold == null) {
      holds.remove(subject);
    } else {
      holds.put(subject, hold.ended());
    }
  }

  private Duration longest(RestartDecision decision) {
    ThrottleSettings now = settings.get();
    Duration own = decision.throttleHold();
    if (!now.enabled()) {
      return Duration.ZERO;
    }
    if (own == null) {
      return now.hold();
    }
    return own.compareTo(now.maxHold()) < 0 ? own : now.maxHold();
  }

  private boolean allows(
      RestartDecision decision,
      Streak streak,
      Duration longest,
      Optional<Throttling> throttling,
      Reading base) {
    ProbeSubject subject = decision.subject();
    Hold before = holdOf(decision);
    if (throttling.isEmpty()) {
      ended(subject, before);
      return true;
    }
    if (observed.test(subject.pod())) {
      wouldHold(decision, longest, throttling.get());
      return true; // observe mode suppresses the restart anyway
    }
    long now = time.nanoTime();
    long since = before == null ? now : before.since();
    Hold hold = new Hold(decision.containerId(), since, longest, throttling.get(), base, false);
    if (now - since + streak.gap() > longest.toNanos()) { // the next decision would be too late
      holds.put(subject, hold.ended());
      if (before != null) {
        over(decision, hold, Duration.ofNanos(now - since));
      }
      return true;
    }
    holds.put(subject, hold);
    if (kept.isNews(decision, Why.THROTTLED)) {
      held(decision, hold);
    }
    return false;
  }

  private void wouldHold(RestartDecision decision, Duration longest, Throttling throttling) {
    if (!kept.isNews(decision, Why.OBSERVED_THROTTLED)) {
      return;
    }
    LOG.info(
        RestartDecision.LOG_MARKER,
        "restart would be on hold pod={} container={} probe={} reason=\"{}\"",
        decision.subject().pod(),
        decision.subject().container(),
        probe(decision),
        throttling.text());
    kept.observed(
        decision,
        "would be on hold for up to %s, but its pod is in observe mode: %s"
            .formatted(GoDuration.format(longest), throttling.text()));
  }

  private void held(RestartDecision decision, Hold hold) {
    String reason = hold.throttling().text();
    LOG.warn(
        RestartDecision.LOG_MARKER,
        "restart on hold pod={} container={} probe={} reason=\"{}\"",
        decision.subject().pod(),
        decision.subject().container(),
        probe(decision),
        reason);
    kept.report(
        decision,
        "RestartHeld",
        "Container %s failed %s probe, restart on hold for up to %s: %s. Raise the CPU limit or the probe's timeout"
            .formatted(
                decision.subject().container(),
                probe(decision),
                GoDuration.format(hold.longest()),
                reason));
  }

  /** Others may still hold it, so this does not say that it is restarted. */
  private void over(RestartDecision decision, Hold hold, Duration length) {
    String reason = hold.throttling().text();
    LOG.warn(
        RestartDecision.LOG_MARKER,
        "restart allowed pod={} container={} probe={} held_seconds={} reason=\"{}\"",
        decision.subject().pod(),
        decision.subject().container(),
        probe(decision),
        length.toSeconds(),
        reason);
    kept.report(
        decision,
        "RestartHoldOver",
        "Container %s failed %s probe, hold over after %s: %s"
            .formatted(
                decision.subject().container(),
                probe(decision),
                GoDuration.format(Duration.ofSeconds(length.toSeconds())),
                reason));
  }

  private static String probe(RestartDecision decision) {
    return decision.subject().kind().label().toLowerCase(Locale.ROOT);
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    if (!subject.kind().restartsContainer()) {
      return;
    }
    switch (probe.outcome().verdict()) {
      case Verdict.Failure failure -> {
        boolean timeout = failure.cause() == Verdict.Cause.TIMEOUT;
        streaks.compute(subject, (_, known) -> next(known, probe, timeout));
      }
      case Verdict.Success _, Verdict.Warning _ -> {
        streaks.computeIfPresent(
            subject,
            (_, streak) ->
                new Streak(streak.containerId(), streak.first(), false, streak.last(), 0));
        holds.remove(subject);
      }
      case Verdict.ProberError _ -> {} // says nothing of the container
    }
  }

  private Streak next(@Nullable Streak known, Probed probe, boolean timeout) {
    String id = probe.containerId();
    boolean same = known != null && known.containerId().equals(id);
    long now = time.nanoTime();
    Hold hold = holds.get(probe.subject());
    boolean held = hold != null && hold.containerId().equals(id);
    if (known != null && same && (probe.consecutive() > 1 || held)) {
      return known.and(timeout, now);
    }
    return new Streak(id, reading(known, id), timeout, now, 0);
  }

  /** A probe that fails every other time costs a reading a second at most. */
  private Reading reading(@Nullable Streak known, String id) {
    long now = time.nanoTime();
    if (known != null
        && known.containerId().equals(id)
        && now - known.first().at() < FRESH.toNanos()) {
      return known.first();
    }
    EvidenceReader reader = settings.get().enabled() ? evidence : EvidenceReader.NONE;
    return new Reading(reader.read(id, Duration.ZERO), now);
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    streaks.remove(subject);
    holds.remove(subject);
  }

  /** {@return what holds an instance now; empty if nothing does} */
  private Optional<Held> expected(ProbeSubject subject, String containerId) {
    Hold hold = holds.get(subject);
    if (hold == null || hold.over() || !hold.containerId().equals(containerId)) {
      return Optional.empty();
    }
    Duration left = hold.longest().minusNanos(time.nanoTime() - hold.since());
    return left.isPositive()
        ? Optional.of(new Held(hold.throttling().text(), time.wallTime().plus(left)))
        : Optional.empty();
  }

  /**
   * {@return a forecast that adds the holds of this gate}
   *
   * @param others the forecast of the other gates, whose holds take precedence
   */
  public RestartForecast forecast(RestartForecast others) {
    return (container, kind) -> {
      Consequence consequence = others.of(container, kind);
      return consequence.held().isPresent()
          ? consequence
          : new Consequence(
              consequence.effect(),
              consequence.unless(),
              expected(
                  new ProbeSubject(container.status().pod(), container.status().name(), kind),
                  container.status().observation().id()),
              consequence.kept());
    };
  }
}
