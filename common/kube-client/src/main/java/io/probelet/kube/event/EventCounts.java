package io.probelet.kube.event;

/** What becomes of Events, for metrics. Safe for use by several threads. */
public interface EventCounts {
  /** {@return how many were written since the beginning, updates included} */
  long written();

  /** {@return how many wait for being written, or for being written again with their count} */
  long waiting();

  /**
   * Counts what was lost.
   *
   * @return how many Events, or counts of them, were never written since the beginning
   */
  long dropped(DropReason why);
}
