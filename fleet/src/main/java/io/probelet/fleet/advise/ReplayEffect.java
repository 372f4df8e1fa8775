package io.probelet.fleet.advise;

import io.probelet.health.GoDuration;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeReplay;
import io.probelet.probe.latency.OutcomeRun;
import java.time.Duration;

/** Says what other settings would have changed, by a replay of the stored outcomes. */
final class ReplayEffect {
  private final ProbeEvidence evidence;

  ReplayEffect(ProbeEvidence evidence) {
    this.evidence = evidence;
  }

  /** {@return in a sentence what settings would have changed} */
  String of(ProbeSpec proposed) {
    return decisions(proposed) + hang(proposed);
  }

  private String decisions(ProbeSpec proposed) {
    int outcomes =
        evidence.runs().stream().flatMap(pod -> pod.stream()).mapToInt(OutcomeRun::count).sum();
    if (outcomes == 0) {
      return "unknown, as no outcomes are stored";
    }
    int today = evidence.decisions(evidence.spec(), false).size();
    int then = evidence.decisions(proposed, false).size();
    boolean longer = proposed.timeout().compareTo(evidence.spec().timeout()) > 0;
    int best = longer ? evidence.decisions(proposed, true).size() : then;
    String things = things();
    if (today == 0) {
      return then == 0
          ? "no stored outcome would have been decided otherwise"
          : "%d %s would have happened, of which none did".formatted(then, things);
    }
    if (then > today) {
      return "%d %s instead of %d".formatted(then, things, today);
    }
    int avoided = today - then;
    if (best < then) {
      return "%d of %d %s would not have happened if the answers came within %s"
          .formatted(today - best, today, things, GoDuration.format(proposed.timeout()));
    }
    return avoided == 0
        ? "all %d %s would have happened all the same".formatted(today, things)
        : "%d of %d %s would not have happened by then".formatted(avoided, today, things);
  }

  private String things() {
    return evidence.kind() == ProbeKind.READINESS ? "times not ready" : "restarts";
  }

  private String hang(ProbeSpec proposed) {
    if (evidence.kind() == ProbeKind.STARTUP) {
      return "";
    }
    Duration today = new ProbeReplay(evidence.kind(), evidence.spec()).hangTime();
    Duration then = new ProbeReplay(evidence.kind(), proposed).hangTime();
    return today.equals(then)
        ? ""
        : "; a hang is found after at most %s instead of %s"
            .formatted(GoDuration.format(then), GoDuration.format(today));
  }
}
