package io.probelet.fleet.advise;

import io.probelet.health.GoDuration;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Judges how long a container gets to start, from the starts that were observed. */
final class StartupWindow {
  /** With fewer starts nothing is proposed. */
  static final int LEAST_STARTS = 5;

  /** Of the longest start: what is proposed, and what is too short today. */
  private static final int ROOM = 2;

  private static final double LEAST_ROOM = 1.5;
  private static final int TOO_MUCH_ROOM = 10;
  private static final Duration LONG = Duration.ofMinutes(10);

  private StartupWindow() {}

  static void judge(
      WorkloadEvidence workload, Consumer<Proposal> proposals, Consumer<String> notes) {
    ProbeEvidence startup = workload.probe(ProbeKind.STARTUP);
    ProbeEvidence liveness = workload.probe(ProbeKind.LIVENESS);
    ProbeEvidence readiness = workload.probe(ProbeKind.READINESS);
    ProbeEvidence telling = startup != null ? startup : readiness;
    if (telling == null) {
      return;
    }
    List<Duration> starts = telling.starts();
    int gaveUp = startup == null ? 0 : startup.decisions(startup.spec(), false).size();
    if (starts.size() < LEAST_STARTS && gaveUp == 0) {
      if (startup != null || liveness != null) {
        notes.accept(
            "startup: too little data, %d starts were observed; at least %d are needed"
                .formatted(starts.size(), LEAST_STARTS));
      }
      return;
    }
    Duration longest = starts.stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    if (startup != null) {
      ofStartup(startup, longest, gaveUp, proposals);
    } else if (liveness != null) {
      ofLiveness(liveness, longest, starts.size(), proposals);
    }
  }

  /** {@return how long a container gets until the probe restarts it} */
  private static Duration window(ProbeSpec spec) {
    return spec.initialDelay().plus(spec.period().multipliedBy(spec.failureThreshold()));
  }

  private static void ofStartup(
      ProbeEvidence startup, Duration longest, int gaveUp, Consumer<Proposal> proposals) {
    Duration today = window(startup.spec());
    Duration wanted = longest.multipliedBy(ROOM);
    String observed =
        "the longest of %d observed starts took %s"
            .formatted(startup.starts().size(), ProbeAdvisor.seconds(longest));
    if (gaveUp > 0) {
      Duration doubled = today.multipliedBy(ROOM);
      propose(
          startup,
          wanted.compareTo(doubled) > 0 ? wanted : doubled,
          AdviceRule.STARTUP_TOO_SHORT,
          "the probe gave up %d time%s after %s; %s"
              .formatted(gaveUp, gaveUp == 1 ? "" : "s", GoDuration.format(today), observed),
          proposals);
    } else if (today.compareTo(ProbeAdvisor.scaled(longest, LEAST_ROOM)) < 0) {
      propose(
          startup,
          wanted,
          AdviceRule.STARTUP_TOO_SHORT,
          "%s, and the probe gives up after %s".formatted(observed, GoDuration.format(today)),
          proposals);
    } else if (today.compareTo(LONG) >= 0
        && today.compareTo(longest.multipliedBy(TOO_MUCH_ROOM)) >= 0) {
      propose(
          startup,
          longest.multipliedBy(ROOM * ROOM),
          AdviceRule.STARTUP_TOO_LONG,
          "%s, so a start that hangs is found %s after it began"
              .formatted(observed, GoDuration.format(today)),
          proposals);
    }
  }

  private static void propose(
      ProbeEvidence startup,
      Duration window,
      AdviceRule rule,
      String reason,
      Consumer<Proposal> proposals) {
    ProbeSpec spec = startup.spec();
    int threshold = threshold(window.minus(spec.initialDelay()), spec.period());
    if (threshold == spec.failureThreshold()) {
      return;
    }
    ProbeSpec proposed = Settings.of(spec).failureThreshold(threshold).build();
    proposals.accept(
        new Proposal(
            ProbeAdvisor.field(ProbeKind.STARTUP),
            "failureThreshold",
            Integer.toString(spec.failureThreshold()),
            Integer.toString(threshold),
            threshold,
            rule.id(),
            reason,
            "%s; a start that hangs is found after %s instead of %s"
                .formatted(
                    new ReplayEffect(startup).of(proposed),
                    GoDuration.format(window(proposed)),
                    GoDuration.format(window(spec)))));
  }

  private static int threshold(Duration window, Duration period) {
    return Math.clamp(Math.ceilDiv(window.toMillis(), Math.max(1, period.toMillis())), 1, 10_000);
  }

  private static void ofLiveness(
      ProbeEvidence liveness, Duration longest, int starts, Consumer<Proposal> proposals) {
    Duration grace = window(liveness.spec());
    if (grace.compareTo(ProbeAdvisor.scaled(longest, LEAST_ROOM)) >= 0) {
      return;
    }
    ProbeSpec spec = liveness.spec();
    int threshold = threshold(longest.multipliedBy(ROOM), spec.period());
    proposals.accept(
        new Proposal(
            ProbeAdvisor.field(ProbeKind.STARTUP),
            "",
            "none",
            "the handler of livenessProbe, periodSeconds %d, failureThreshold %d"
                .formatted(ProbeAdvisor.ceiling(spec.period()).toSeconds(), threshold),
            null,
            AdviceRule.STARTUP_MISSING.id(),
            "the longest of %d observed starts took %s, and liveness restarts a container that does not answer after %s"
                .formatted(starts, ProbeAdvisor.seconds(longest), GoDuration.format(grace)),
            "unknown, as no startup probe has run; liveness would begin after the start"));
  }
}
