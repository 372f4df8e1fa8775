package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.track.Evidence;
import java.util.List;
import java.util.Set;

/** One monitor at work. */
interface Watch extends AutoCloseable {
  /** Begins, on threads of its own. */
  void start(TimeSource time);

  /** {@return up to where it has come, for the state file; empty if that means nothing} */
  String position();

  /** {@return how its sources of evidence are doing} */
  List<SourceView> stats();

  /** Runs the checks of these kinds that it has; see {@link CheckStarter}. */
  default void runChecks(Set<CheckKind> kinds) {}

  @Override
  void close();

  /** Takes evidence from any thread. Blocks while more is waiting than can be taken. */
  @FunctionalInterface
  interface EvidenceSink {
    void observe(String ruleId, Evidence evidence);
  }

  /** Has checks run at once, because a line gives reason to. */
  @FunctionalInterface
  interface CheckStarter {
    /** Runs the checks of these kinds soon; one that ran for a line just now waits for its turn. */
    void run(Set<CheckKind> kinds);
  }
}
