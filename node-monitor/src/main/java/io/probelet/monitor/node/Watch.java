package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.track.Evidence;
import java.util.List;
import java.util.Set;

/** A running monitor. */
interface Watch extends AutoCloseable {
  /** Nothing runs. */
  Watch NONE =
      new Watch() {
        @Override
        public void start(TimeSource time) {}

        @Override
        public String position() {
          return "";
        }

        @Override
        public List<SourceView> stats() {
          return List.of();
        }

        @Override
        public void close() {}
      };

  /** Starts on its own threads. */
  void start(TimeSource time);

  /** {@return its read position for the state file; empty if it has none} */
  String position();

  /** {@return the state of its sources} */
  List<SourceView> stats();

  /** Runs its checks of these kinds; see {@link CheckStarter}. */
  default void runChecks(Set<CheckKind> kinds) {}

  @Override
  void close();

  /** Takes evidence from any thread. Blocks while the queue is full. */
  @FunctionalInterface
  interface EvidenceSink {
    void observe(String ruleId, Evidence evidence);
  }

  /** Runs checks immediately because of a log line. */
  @FunctionalInterface
  interface CheckStarter {
    /** Runs the checks of these kinds soon, subject to their minimum interval. */
    void run(Set<CheckKind> kinds);
  }
}
