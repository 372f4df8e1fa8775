package io.probelet.remediator.controller;

import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.DrainPods;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationRequest;

/** Reads the pods of a node that is drained before it is rebooted, as long as that lasts. */
final class RebootReader {
  private RebootReader() {}

  static DrainPods read(
      ApiServer api, RemediationRequest<RebootSpec> remediation, ObservedNode node)
      throws UnreadableException {
    RemediationPhase phase = remediation.status().phase();
    boolean drained =
        remediation.spec().drain().isPresent()
            && phase != RemediationPhase.ORDERED
            && phase != RemediationPhase.WAITING;
    return drained ? DrainReader.read(api, node) : DrainPods.NONE;
  }
}
