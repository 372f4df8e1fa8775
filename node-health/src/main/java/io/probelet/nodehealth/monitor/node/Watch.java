package io.probelet.nodehealth.monitor.node;

import io.probelet.health.TimeSource;

/** One monitor at work. */
interface Watch extends AutoCloseable {
  /** Begins, on threads of its own. */
  void start(TimeSource time);

  /** {@return up to where it has come, for the state file; empty if that means nothing} */
  String position();

  @Override
  void close();
}
