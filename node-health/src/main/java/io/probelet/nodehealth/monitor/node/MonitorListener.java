package io.probelet.nodehealth.monitor.node;

import io.probelet.health.Condition;

/** Told what the monitor finds, on its loop: whoever needs time takes it elsewhere. */
public interface MonitorListener {
  /**
   * A condition says something else than before, or something for the first time.
   *
   * @param condition what it says now
   */
  default void conditionChanged(Condition condition) {}

  /**
   * A condition is not watched any more.
   *
   * @param type its type
   */
  default void conditionRemoved(String type) {}

  /**
   * Something happened.
   *
   * @param event what
   */
  default void happened(NodeEvent event) {}
}
