package io.probelet.fleet.advise;

import io.probelet.fleet.advise.ProbeEvidence.Episode;
import io.probelet.health.GoDuration;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeReplay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proposes settings of the probes of one container: a pure function of what they have seen. Values
 * are whole seconds, as Kubernetes has them. Nothing is proposed from less than 3,000 outcomes over
 * six hours.
 */
public final class ProbeAdvisor {
  /** Answers may become this many times slower than the bound that was observed. */
  static final double MARGIN = 1.5;

  /** Of a timeout that hides how long answers really take. */
  private static final int UNKNOWN_TAIL_FACTOR = 2;

  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LEAST_SPAN = Duration.ofHours(6);
  private static final int LOWER_FROM = 2;
  private static final int USUAL_THRESHOLD = 3;
  private static final int SPARE_FAILURES = 2;

  private final WorkloadEvidence workload;
  private final AdviceGoals goals;
  private final List<Proposal> proposals = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private ProbeAdvisor(WorkloadEvidence workload, AdviceGoals goals) {
    this.workload = workload;
    this.goals = goals;
  }

  /** {@return what is proposed for a container} */
  public static WorkloadAdvice advise(WorkloadEvidence workload, AdviceGoals goals) {
    return new ProbeAdvisor(workload, goals).advise();
  }

  private WorkloadAdvice advise() {
    List<WorkloadAdvice.Data> data = new ArrayList<>();
    for (ProbeKind kind : ProbeKind.values()) {
      ProbeEvidence probe = workload.probe(kind);
      if (probe != null) {
        data.add(data(probe));
      }
    }
    ProbeEvidence liveness = workload.probe(ProbeKind.LIVENESS);
    ProbeEvidence readiness = workload.probe(ProbeKind.READINESS);
    boolean harmful =
        liveness != null
            && readiness != null
            && isEnough(liveness)
            && SharedFailures.judge(liveness, readiness, proposals::add);
    for (ProbeEvidence probe : new @Nullable ProbeEvidence[] {liveness, readiness}) {
      if (probe == null || (harmful && probe.kind() == ProbeKind.LIVENESS)) {
        continue;
      }
      if (isEnough(probe)) {
        settings(probe);
      } else {
        notes.add(tooLittle(probe));
      }
    }
    StartupWindow.judge(workload, proposals::add, notes::add);
    return new WorkloadAdvice(
        workload.subject(),
        workload.role(),
        workload.pods(),
        workload.nodes(),
        workload.restarts(),
        workload.otherPods(),
        data,
        proposals,
        notes,
        workload.patchable().containsAll(workload.probes().keySet()));
  }

  static String field(ProbeKind kind) {
    return kind.label().toLowerCase(Locale.ROOT) + "Probe";
  }

  private static boolean isEnough(ProbeEvidence probe) {
    return probe.outcomes() >= TailBound.LEAST_OUTCOMES && probe.span().compareTo(LEAST_SPAN) >= 0;
  }

  private static String tooLittle(ProbeEvidence probe) {
    return "%s: too little data, %,d outcomes in %s; at least %,d in %s are needed"
        .formatted(
            field(probe.kind()),
            Math.round(probe.outcomes()),
            GoDuration.format(Duration.ofSeconds(probe.span().toSeconds())),
            TailBound.LEAST_OUTCOMES,
            GoDuration.format(LEAST_SPAN));
  }

  private static WorkloadAdvice.Data data(ProbeEvidence probe) {
    return new WorkloadAdvice.Data(
        field(probe.kind()),
        Math.round(probe.outcomes()),
        Math.round(probe.failures()),
        probe.span().toSeconds(),
        millis(probe.success().quantile(0.5)),
        millis(probe.success().quantile(0.99)),
        millis(probe.success().upperBound(0)),
        probe.starts().size(),
        isEnough(probe));
  }

  private static double millis(Duration duration) {
    return Math.rint(duration.toNanos() / 1e5) / 10;
  }

  /** Each proposal builds on the ones before, so that all of them together reach the goal. */
  private void settings(ProbeEvidence probe) {
    ProbeSpec spec = timeout(probe).orElse(probe.spec());
    spec = threshold(probe, spec);
    period(probe, spec);
  }

  private Optional<ProbeSpec> timeout(ProbeEvidence probe) {
    Duration today = probe.spec().timeout();
    double late = probe.slowTimeouts();
    Optional<TailBound> bound = TailBound.of(probe.success(), late + probe.unknownFailures());
    if (bound.isEmpty() && probe.unknownFailures() > 0) {
      notes.add(
          "%s: %,d of %,d probes failed, and it is unknown which of them timed out; no timeout can be proposed"
              .formatted(
                  field(probe.kind()),
                  Math.round(probe.unknownFailures()),
                  Math.round(probe.outcomes())));
      return Optional.empty();
    }
    if (bound.isEmpty()) {
      Duration doubled =
          ceiling(
              max(
                  today.multipliedBy(UNKNOWN_TAIL_FACTOR),
                  scaled(probe.success().upperBound(0), MARGIN)));
      return proposeTimeout(
          probe,
          doubled,
          AdviceRule.TIMEOUT_TOO_SHORT,
          "%,d of %,d probes were given up after %s and a later one succeeded: the timeout hides how"
                  .formatted(Math.round(late), Math.round(probe.outcomes()), seconds(today))
              + " long answers take, so no rate can be promised; ask again after a day");
    }
    Duration needed = ceiling(scaled(bound.get().latency(), MARGIN));
    String rate =
        "at most 1 of %,d answers takes longer than %s (95 %% confidence, %,d outcomes)"
            .formatted(
                bound.get().oneIn(), seconds(bound.get().latency()), Math.round(probe.outcomes()));
    if (needed.compareTo(today) > 0) {
      return proposeTimeout(
          probe,
          needed,
          AdviceRule.TIMEOUT_TOO_SHORT,
          rate + ", which leaves less than the margin of %s times".formatted(MARGIN));
    }
    boolean decides = today.compareTo(probe.spec().period()) >= 0;
    if (decides && needed.multipliedBy(LOWER_FROM).compareTo(today) <= 0) {
      return proposeTimeout(
          probe,
          needed,
          AdviceRule.TIMEOUT_TOO_LONG,
          rate + ", and each probe of a hang lasts the whole timeout");
    }
    return Optional.empty();
  }

  private Optional<ProbeSpec> proposeTimeout(
      ProbeEvidence probe, Duration wanted, AdviceRule rule, String reason) {
    Duration timeout = wanted.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT : wanted;
    if (timeout.equals(probe.spec().timeout())
        || (rule == AdviceRule.TIMEOUT_TOO_SHORT
            && timeout.compareTo(probe.spec().timeout()) < 0)) {
      return Optional.empty();
    }
    ProbeSpec proposed = Settings.of(probe.spec()).timeout(timeout).build();
    proposals.add(
        new Proposal(
            field(probe.kind()),
            "timeoutSeconds",
            seconds(probe.spec().timeout()),
            seconds(timeout),
            (int) timeout.toSeconds(),
            rule.id(),
            reason,
            new ReplayEffect(probe).of(proposed)));
    return Optional.of(proposed);
  }

  /** Failures that pass by themselves show how many a container survives. */
  private ProbeSpec threshold(ProbeEvidence probe, ProbeSpec before) {
    ProbeSpec spec = probe.spec();
    if (probe.kind() != ProbeKind.LIVENESS) {
      return before;
    }
    List<Episode> recovered = probe.episodes().stream().filter(Episode::recovered).toList();
    int longest = recovered.stream().mapToInt(Episode::failures).max().orElse(0);
    int restarts = probe.decisions(spec, false).size();
    boolean single = spec.failureThreshold() == 1 && restarts > 0;
    if (!single && (longest == 0 || spec.failureThreshold() > longest + 1)) {
      return before;
    }
    int threshold =
        Math.max(USUAL_THRESHOLD, Math.max(spec.failureThreshold(), longest) + SPARE_FAILURES);
    if (single) {
      threshold = Math.max(USUAL_THRESHOLD, longest + SPARE_FAILURES);
    }
    ProbeSpec alone = Settings.of(spec).failureThreshold(threshold).build();
    String reason =
        single
            ? "each failed probe restarts the container, and %d did".formatted(restarts)
            : "the longest of %d failures that passed by themselves had %d failed probes in a row, and %d restart the container"
                .formatted(recovered.size(), longest, spec.failureThreshold());
    proposals.add(
        new Proposal(
            field(probe.kind()),
            "failureThreshold",
            Integer.toString(spec.failureThreshold()),
            Integer.toString(threshold),
            threshold,
            AdviceRule.THRESHOLD_TOO_LOW.id(),
            reason,
            new ReplayEffect(probe).of(alone)));
    return Settings.of(before).failureThreshold(threshold).build();
  }

  private void period(ProbeEvidence probe, ProbeSpec before) {
    Duration hang = new ProbeReplay(probe.kind(), before).hangTime();
    if (hang.compareTo(goals.maxHang()) <= 0) {
      return;
    }
    long room = goals.maxHang().minus(before.timeout()).toSeconds();
    long fits = Math.min(before.period().toSeconds() - 1, room / before.failureThreshold());
    ProbeSpec found = null;
    for (long period = fits; period >= 1 && found == null; period--) {
      ProbeSpec tried = Settings.of(before).period(Duration.ofSeconds(period)).build();
      if (new ProbeReplay(probe.kind(), tried).hangTime().compareTo(goals.maxHang()) <= 0) {
        found = tried;
      } else if (period <= before.timeout().toSeconds()) {
        break; // the timeout decides by now
      }
    }
    if (found == null) {
      notes.add(
          "%s: a hang lasts up to %s, and no period makes that %s: timeout and threshold decide"
              .formatted(
                  field(probe.kind()),
                  GoDuration.format(hang),
                  GoDuration.format(goals.maxHang())));
      return;
    }
    proposals.add(
        new Proposal(
            field(probe.kind()),
            "periodSeconds",
            seconds(probe.spec().period()),
            seconds(found.period()),
            (int) found.period().toSeconds(),
            AdviceRule.HANG_TOO_LONG.id(),
            "a hang lasts up to %s%s until it is found, longer than %s"
                .formatted(
                    GoDuration.format(hang),
                    before.equals(probe.spec()) ? "" : " with the proposals above",
                    GoDuration.format(goals.maxHang())),
            new ReplayEffect(probe).of(found)));
  }

  static String seconds(Duration duration) {
    return GoDuration.format(Duration.ofMillis(Math.round(duration.toNanos() / 1e6)));
  }

  static Duration scaled(Duration duration, double factor) {
    return Duration.ofNanos(Math.round(duration.toNanos() * factor));
  }

  static Duration ceiling(Duration duration) {
    long nanos = duration.toNanos();
    return Duration.ofSeconds(Math.max(1, Math.ceilDiv(nanos, 1_000_000_000L)));
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
