package io.probelet.remediator.resource;

import java.time.Duration;

/**
 * The node's machine is replaced by Cluster API.
 *
 * @param within how long that may take
 */
public record MachineSpec(Duration within) implements RemediationSpec {
  @Override
  public RemediationKind kind() {
    return RemediationKind.MACHINE;
  }
}
