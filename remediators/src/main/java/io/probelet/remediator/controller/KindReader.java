package io.probelet.remediator.controller;

import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RemediationRequest;

/**
 * Reads what a kind's rules need besides the remediation, its node and its order. May block for as
 * long as requests to the API server do.
 */
@FunctionalInterface
interface KindReader<S, O> {
  /**
   * Reads.
   *
   * @throws UnreadableException if it could not be read; nothing is decided then, and it is tried
   *     again
   */
  O read(ApiServer api, RemediationRequest<S> remediation, ObservedNode node)
      throws UnreadableException;
}
