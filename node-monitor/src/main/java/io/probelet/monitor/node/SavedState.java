package io.probelet.monitor.node;

import io.probelet.monitor.track.SavedCondition;
import io.probelet.monitor.track.SavedCondition.SavedRule;
import java.util.Map;

/**
 * What outlives the program (B-4).
 *
 * @param bootId the boot it is about; in another boot it means nothing
 * @param conditions the trackers by condition
 * @param events what counts for the next event of a rule, by its id
 * @param positions up to where logs have been read, by log
 */
record SavedState(
    String bootId,
    Map<String, SavedCondition> conditions,
    Map<String, SavedRule> events,
    Map<String, String> positions) {
  SavedState {
    conditions = Map.copyOf(conditions);
    events = Map.copyOf(events);
    positions = Map.copyOf(positions);
  }

  static SavedState none(String bootId) {
    return new SavedState(bootId, Map.of(), Map.of(), Map.of());
  }
}
