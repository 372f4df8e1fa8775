package io.probelet.monitor.node;

import io.probelet.health.Condition;
import io.probelet.monitor.rule.ConditionSpec;
import java.util.List;

/** Notified of what the monitor finds, on its loop: slow work is done elsewhere. */
public interface MonitorListener {
  /**
   * Other monitors are watched than before, or monitors for the first time (B-12).
   *
   * @param specs the conditions that can be said from now on
   */
  default void watching(List<ConditionSpec> specs) {}

  /** A condition says something else than before, or something for the first time. */
  default void conditionChanged(Condition condition) {}

  /** Something happened. */
  default void happened(NodeEvent event) {}
}
