package io.probelet.agent.incident;

import io.probelet.health.ShortText;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.incident.ProbeFacts;
import io.probelet.web.incident.ProbeFacts.OutcomeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one probe between incidents: a few latencies of successes, and the outcomes
 * of its present failures. Used on its pod's loop only.
 */
final class ProbeTrack {
  private static final int LATENCIES = 15;
  private static final int MAX_MESSAGE = 256;
  private static final Duration UNREADY_EVERY = Duration.ofMinutes(1);
  private static final Duration REFRESH = Duration.ofSeconds(10);

  /** What the kernel says of the container, and when it did by the monotonic clock. */
  record Seen(ContainerEvidence evidence, long at) {}

  /**
   * What the kernel and the node say at one moment.
   *
   * @param container comes late on a busy machine
   * @param at when it was asked for, by the monotonic clock
   */
  record Reading(CompletableFuture<Seen> container, @Nullable StallTimes node, long at) {}

  private final float[] latencies = new float[LATENCIES];
  private int successes;
  private String containerId = "";
  private boolean succeeded;
  private boolean succeededBefore;
  private long longestStart;
  private long certificateExpiry = ProbeOutcome.NO_CERTIFICATE;
  private final Deque<OutcomeFacts> failures = new ArrayDeque<>(2);
  private @Nullable Reading first;
  private @Nullable Reading last;
  private int readings;
  private @Nullable Long unreadyAt;

  /** Read by any thread. */
  private volatile boolean failing;

  /** Takes an outcome of an instance. */
  void took(Probed probe, Instant at, @Nullable Instant startedAt) {
    if (!probe.containerId().equals(containerId)) {
      containerId = probe.containerId();
      succeededBefore |= succeeded;
      succeeded = false;
      forgetFailures();
    }
    certificateExpiry = probe.outcome().certificateExpiry();
    switch (probe.outcome().verdict()) {
      case Verdict.Success _, Verdict.Warning _ -> succeeded(probe, at, startedAt);
      case Verdict.Failure failure ->
          add(
              outcome(
                  probe,
                  at,
                  OutcomeFacts.FAILED,
                  failure.cause().label(),
                  failure.definite(),
                  failure.code(),
                  failure.message()));
      case Verdict.ProberError error ->
          add(
              outcome(
                  probe,
                  at,
                  OutcomeFacts.ERROR,
                  error.reason().label(),
                  false,
                  0,
                  error.message()));
    }
  }

  private void succeeded(Probed probe, Instant at, @Nullable Instant startedAt) {
    latencies[successes++ % LATENCIES] = probe.duration().toNanos() / 1e6f;
    if (!succeeded && startedAt != null) {
      longestStart = Math.max(longestStart, Duration.between(startedAt, at).toMillis());
    }
    succeeded = true;
    forgetFailures();
  }

  private void forgetFailures() {
    failures.clear();
    failing = false;
    first = null;
    last = null;
    readings = 0;
  }

  private OutcomeFacts outcome(
      Probed probe,
      Instant at,
      String result,
      String cause,
      boolean definite,
      int code,
      String message) {
    OutcomeFacts before = failures.peekLast();
    String cut = ShortText.of(message, MAX_MESSAGE);
    return new OutcomeFacts(
        Rfc3339.text(at),
        result,
        cause,
        definite,
        code,
        Math.round(probe.duration().toNanos() / 1e3) / 1e3,
        probe.outcome().timings().connected() >= 0,
        before != null && before.message().equals(cut) ? before.message() : cut); // one in memory
  }

  private void add(OutcomeFacts outcome) {
    failures.addLast(outcome);
    failing = true;
    if (failures.size() > ProbeFacts.MAX_OUTCOMES) {
      failures.removeFirst();
    }
  }

  /** {@return whether it fails now} */
  boolean failing() {
    return failing;
  }

  /** Takes a reading of the kernel while it fails. */
  void read(Reading reading) {
    if (first == null) {
      first = reading;
    }
    last = reading;
    readings++;
  }

  /** {@return whether the container was not recorded as unready in the last minute} */
  boolean isUnreadyNews(long now) {
    if (unreadyAt != null && now - unreadyAt < UNREADY_EVERY.toNanos()) {
      return false;
    }
    unreadyAt = now;
    return true;
  }

  /**
   * {@return whether a new reading is due} A container that is on hold decides at each failure.
   *
   * @param now by the monotonic clock
   */
  boolean isStale(long now) {
    return readings < 2 || last == null || now - last.at() >= REFRESH.toNanos();
  }

  /** {@return what is remembered now, for use by any thread} */
  Past past() {
    return new Past(
        succeededBefore,
        succeeded,
        median(),
        longestStart == 0 ? null : (Long) longestStart,
        certificateExpiry == ProbeOutcome.NO_CERTIFICATE
            ? null
            : Rfc3339.text(Instant.ofEpochSecond(certificateExpiry)),
        List.copyOf(failures),
        first,
        last);
  }

  private @Nullable Double median() {
    int known = Math.min(successes, LATENCIES);
    if (known == 0) {
      return null;
    }
    float[] sorted = Arrays.copyOf(latencies, known);
    Arrays.sort(sorted);
    return Math.round(sorted[known / 2] * 10) / 10.0;
  }

  /**
   * A copy of what is remembered.
   *
   * @param succeededBefore whether it succeeded with an earlier instance
   * @param succeeded whether it succeeded with this one
   * @param usualMs median latency of recent successes
   * @param startMs the longest time from a start to the first success
   * @param certificateExpiry of the last answer
   * @param failures the outcomes since the last success, oldest first
   * @param first the reading at the first failure
   * @param last the newest reading
   */
  record Past(
      boolean succeededBefore,
      boolean succeeded,
      @Nullable Double usualMs,
      @Nullable Long startMs,
      @Nullable String certificateExpiry,
      List<OutcomeFacts> failures,
      @Nullable Reading first,
      @Nullable Reading last) {
    /** {@return it with the settings of the probe} */
    ProbeFacts facts(ProbeKind kind, ProbeSpec spec, int port, boolean hasStartup) {
      return new ProbeFacts(
          kind.label().toLowerCase(Locale.ROOT),
          spec.handler().fieldName(),
          port,
          spec.timeout().toMillis(),
          spec.period().toMillis(),
          spec.failureThreshold(),
          hasStartup,
          succeededBefore,
          succeeded,
          usualMs,
          startMs,
          certificateExpiry,
          failures);
    }
  }
}
