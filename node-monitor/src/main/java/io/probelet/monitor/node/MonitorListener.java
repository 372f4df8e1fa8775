package io.probelet.monitor.node;

import io.probelet.health.Condition;
import io.probelet.monitor.rule.ConditionSpec;
import java.util.List;

/** Receives the monitor's findings, on its loop; must not block. */
public interface MonitorListener {
  /**
   * The set of monitors was loaded or has changed (B-12).
   *
   * @param specs the conditions that can be set from now on
   */
  default void watching(List<ConditionSpec> specs) {}

  /** A condition has changed, or was set for the first time. */
  default void conditionChanged(Condition condition) {}

  /** Something happened. */
  default void happened(NodeEvent event) {}
}
