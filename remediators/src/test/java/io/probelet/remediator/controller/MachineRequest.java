package io.probelet.remediator.controller;

import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.resource.MachineSpec;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A remediation for tests of what is read and written on its behalf. */
final class MachineRequest {
  /** Of the node worker-1, not begun. */
  static final RemediationRequest<MachineSpec> NEW =
      new RemediationRequest<>(
          RemediationKind.MACHINE,
          new ObjectRef(RemediationKind.API_VERSION, "MachineRemediation", "n", "worker-1"),
          "u",
          "1",
          Instant.EPOCH,
          "worker-1",
          new MachineSpec(Duration.ofMinutes(30)),
          RemediationProgress.NONE,
          false,
          List.of(),
          Map.of());

  private MachineRequest() {}
}
