package io.probelet.probe;

import io.probelet.probe.ProbeOutcome.ProbeTimings;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Several handlers probed in parallel as one. The first deciding part ends the combination. A
 * prober error of a part counts only if the other parts do not decide.
 */
final class Combination {
  private final boolean all;
  private final Consumer<ProbeOutcome> done;
  private final SortedMap<Integer, ProbeOutcome> outcomes = new TreeMap<>();
  private int missing;
  private boolean over;

  private Combination(boolean all, Consumer<ProbeOutcome> done) {
    this.all = all;
    this.done = done;
  }

  /** Succeeds when every part does; the first failure decides. */
  static Combination allOf(Consumer<ProbeOutcome> done) {
    return new Combination(true, done);
  }

  /** Succeeds as soon as one part does. */
  static Combination anyOf(Consumer<ProbeOutcome> done) {
    return new Combination(false, done);
  }

  void start(
      List<ProbeHandler> parts, Prober<ProbeHandler> prober, ProbeTarget target, Duration timeout) {
    missing = parts.size();
    for (int part = 0; part < parts.size() && !over; part++) {
      int which = part;
      prober.probe(parts.get(part), target, timeout, outcome -> ended(which, outcome));
    }
  }

  private void ended(int part, ProbeOutcome outcome) {
    if (over) {
      return;
    }
    outcomes.put(part, outcome);
    missing--;
    boolean decides =
        all ? outcome.verdict() instanceof Verdict.Failure : outcome.verdict().healthy();
    if (decides || missing == 0) {
      over = true;
      done.accept(
          new ProbeOutcome(decides ? outcome.verdict() : together(), slowest(), earliestExpiry()));
    }
  }

  /** All parts ended, and no part decided alone. */
  private Verdict together() {
    List<Verdict> verdicts = outcomes.values().stream().map(ProbeOutcome::verdict).toList();
    for (Verdict verdict : verdicts) {
      if (verdict instanceof Verdict.ProberError) {
        return verdict;
      }
    }
    String text =
        verdicts.stream()
            .map(Verdict::text)
            .filter(said -> !said.isEmpty())
            .collect(Collectors.joining("; "));
    if (!all) {
      boolean definite =
          verdicts.stream()
              .allMatch(verdict -> verdict instanceof Verdict.Failure failed && failed.definite());
      return new Verdict.Failure(text, definite, firstCause(verdicts));
    }
    return verdicts.stream().anyMatch(Verdict.Warning.class::isInstance)
        ? new Verdict.Warning(text)
        : new Verdict.Success(text);
  }

  private static Verdict.Cause firstCause(List<Verdict> verdicts) {
    return verdicts.stream()
        .filter(Verdict.Failure.class::isInstance)
        .map(verdict -> ((Verdict.Failure) verdict).cause())
        .findFirst()
        .orElse(Verdict.Cause.OTHER);
  }

  private long earliestExpiry() {
    return outcomes.values().stream()
        .mapToLong(ProbeOutcome::certificateExpiry)
        .min()
        .orElse(ProbeOutcome.NO_CERTIFICATE);
  }

  private ProbeTimings slowest() {
    return ProbeTimings.of(
        outcomes.values().stream().mapToLong(ended -> ended.timings().total()).max().orElse(0));
  }
}
