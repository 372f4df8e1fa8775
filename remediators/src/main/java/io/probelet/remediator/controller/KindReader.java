package io.probelet.remediator.controller;

import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RemediationRequest;

/**
 * Reads what a kind's rules need besides the remediation, its node and its order. May block for as
 * long as requests to the API server do.
 *
 * @param <S> what is asked for
 * @param <O> what is read
 */
@FunctionalInterface
interface KindReader<S, O> {
  /**
   * Reads.
   *
   * @param api where to read
   * @param remediation what it is for
   * @param node the remediation's node
   * @return what was read
   * @throws UnreadableException if it could not be read; nothing is decided then, and it is tried
   *     again
   */
  O read(ApiServer api, RemediationRequest<S> remediation, ObservedNode node)
      throws UnreadableException;
}
