package io.probelet.cli.once;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The phases of one probe, which add up to its duration. */
final class Phases {
  private Phases() {}

  /** {@return nanoseconds by phase, in order; only phases that were reached} */
  static SequencedMap<String, Long> of(ProbeOutcome outcome) {
    ProbeTimings timings = outcome.timings();
    SequencedMap<String, Long> phases = new LinkedHashMap<>();
    long from = 0;
    if (timings.begun() > 0) {
      phases.put("before", timings.begun());
      from = timings.begun();
    }
    from = add(phases, "resolve", from, timings.resolved());
    from = add(phases, "connect", from, timings.connected());
    from = add(phases, "TLS", from, timings.secured());
    from = add(phases, "first byte", from, timings.firstByte());
    if (!phases.isEmpty() || outcome.verdict() instanceof Verdict.Failure) {
      phases.merge(last(outcome), timings.total() - from, Long::sum);
    }
    return phases;
  }

  private static long add(SequencedMap<String, Long> phases, String name, long from, long until) {
    if (until == ProbeTimings.NOT_REACHED) {
      return from;
    }
    phases.put(name, until - from);
    return until;
  }

  /** The phase after the last completed one: for a failure, the one that failed. */
  private static String last(ProbeOutcome outcome) {
    if (outcome.timings().firstByte() != ProbeTimings.NOT_REACHED) {
      return "body";
    }
    Cause cause =
        outcome.verdict() instanceof Verdict.Failure failure ? failure.cause() : Cause.OTHER;
    return switch (cause) {
      case RESOLVE -> "resolve";
      case CONNECT -> "connect";
      case TLS -> "TLS";
      case ANSWER -> "first byte";
      case TIMEOUT -> "no answer";
      case STATUS, BODY, EXPECT, EXIT_CODE, REQUEST, OTHER -> "end";
    };
  }
}
