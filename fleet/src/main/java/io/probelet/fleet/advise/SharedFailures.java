package io.probelet.fleet.advise;

import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeReplay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Judges a liveness probe that checks the same as readiness: a failure that several pods share, as
 * that of a dependency, is none that a restart repairs.
 */
final class SharedFailures {
  private static final Duration TOGETHER = Duration.ofSeconds(60);
  private static final int FACTOR = 2;

  private SharedFailures() {}

  /**
   * Proposes to remove the probe, or to let it decide later.
   *
   * @return whether it should be removed
   */
  static boolean judge(
      ProbeEvidence liveness, ProbeEvidence readiness, Consumer<Proposal> proposals) {
    if (liveness.does().isEmpty() || !liveness.does().equals(readiness.does())) {
      return false;
    }
    int restarts = liveness.decisions(liveness.spec(), false).size();
    int shared = shared(liveness);
    if (shared > 1) {
      proposals.accept(
          new Proposal(
              ProbeAdvisor.field(liveness.kind()),
              "",
              "restarts on the same check as readiness",
              "remove it, or check only the process itself",
              null,
              AdviceRule.LIVENESS_SHARES_FAILURE.id(),
              "%d pods failed it by their answers within %d s: a failure that pods share, which no restart repairs"
                  .formatted(shared, TOGETHER.toSeconds()),
              "%d of %d restarts would not have happened; readiness would still have stopped traffic"
                  .formatted(restarts, restarts)));
      return true;
    }
    boolean failed = liveness.episodes().stream().findAny().isPresent();
    Duration later = new ProbeReplay(readiness.kind(), readiness.spec()).hangTime();
    Duration today = new ProbeReplay(liveness.kind(), liveness.spec()).hangTime();
    if (failed && today.compareTo(later) <= 0) {
      int threshold =
          FACTOR
              * Math.max(liveness.spec().failureThreshold(), readiness.spec().failureThreshold());
      ProbeSpec proposed = Settings.of(liveness.spec()).failureThreshold(threshold).build();
      proposals.accept(
          new Proposal(
              ProbeAdvisor.field(liveness.kind()),
              "failureThreshold",
              Integer.toString(liveness.spec().failureThreshold()),
              Integer.toString(threshold),
              threshold,
              AdviceRule.LIVENESS_EQUALS_READINESS.id(),
              "it checks the same as readiness and decides no later, so a failure that should only"
                  + " stop traffic restarts the container",
              new ReplayEffect(liveness).of(proposed)));
    }
    return false;
  }

  /**
   * {@return how many pods failed by definite answers within a minute, at most} The times are those
   * of several nodes, whose clocks may differ: a person decides on what follows from it.
   */
  private static int shared(ProbeEvidence liveness) {
    List<Instant> failures = new ArrayList<>();
    for (var pod : liveness.runs()) {
      ProbeReplay replay = new ProbeReplay(liveness.kind(), liveness.spec());
      // A timeout may be that of one slow node.
      replay.failures(pod, liveness.spec().period(), true).stream()
          .reduce((_, last) -> last)
          .ifPresent(failures::add);
    }
    failures.sort(null);
    int most = 0;
    int first = 0;
    for (int last = 0; last < failures.size(); last++) {
      while (failures.get(first).plus(TOGETHER).isBefore(failures.get(last))) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
