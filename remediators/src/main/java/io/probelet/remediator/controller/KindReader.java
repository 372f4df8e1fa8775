package io.probelet.remediator.controller;

import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RemediationRequest;

/**
 * Reads the additional objects that the rules of a kind need, besides the remediation, its node and
 * its order. May block as long as API requests do.
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
