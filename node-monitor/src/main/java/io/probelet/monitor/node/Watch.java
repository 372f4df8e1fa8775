package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import java.util.List;

/** One monitor at work. */
interface Watch extends AutoCloseable {
  /** Begins, on threads of its own. */
  void start(TimeSource time);

  /** {@return up to where it has come, for the state file; empty if that means nothing} */
  String position();

  /** {@return how its sources of evidence are doing} */
  List<SourceView> stats();

  @Override
  void close();
}
