package io.probelet.kube.event;

/** Counters of Events, for metrics. Thread-safe. */
public interface EventCounts {
  /** {@return the number of writes since the start, including updates} */
  long written();

  /** {@return the number of Events that wait to be written or updated} */
  long waiting();

  /**
   * Returns the number of dropped Events.
   *
   * @return the number of Events, or counts of them, dropped since the start
   */
  long dropped(DropReason why);
}
