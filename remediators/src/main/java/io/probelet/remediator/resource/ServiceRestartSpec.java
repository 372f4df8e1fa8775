package io.probelet.remediator.resource;

import java.time.Duration;
import java.util.List;

/**
 * Units of systemd are restarted on the node.
 *
 * @param units their names, 1 to 8, such as kubelet.service
 * @param activeWithin how long they may take until they are active
 * @param healthyWithin how long the node may take after that until it has the conditions
 * @param conditions what the node must have in the end, at most 8; none means nothing
 */
public record ServiceRestartSpec(
    List<String> units,
    Duration activeWithin,
    Duration healthyWithin,
    List<NodeConditionStatus> conditions)
    implements RemediationSpec {
  /** Keeps unmodifiable copies. */
  public ServiceRestartSpec {
    units = List.copyOf(units);
    conditions = List.copyOf(conditions);
  }

  @Override
  public RemediationKind kind() {
    return RemediationKind.SERVICE_RESTART;
  }
}
