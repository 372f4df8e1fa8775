package io.probelet.remediator.controller;

import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.DrainPod;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationRequest;
import java.util.List;

/** Reads the pods of a node that is drained before it is rebooted, as long as that lasts. */
final class RebootReader {
  private RebootReader() {}

  static List<DrainPod> read(
      ApiServer api, RemediationRequest<RebootSpec> remediation, ObservedNode node)
      throws UnreadableException {
    RemediationPhase phase = remediation.status().phase();
    boolean drained =
        remediation.spec().drain().isPresent()
            && phase != RemediationPhase.ORDERED
            && phase != RemediationPhase.WAITING;
    return drained ? DrainReader.read(api, remediation, node) : List.of();
  }
}
