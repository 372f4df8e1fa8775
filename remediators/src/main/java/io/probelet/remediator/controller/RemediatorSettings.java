package io.probelet.remediator.controller;

import io.probelet.kube.election.ElectionTiming;
import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.resource.RemediationKind;
import java.time.Duration;
import java.util.List;

/**
 * How remediators are set up.
 *
 * @param identity name of the pod or the node, by which a reader knows the leader
 * @param namespace where the leader's lease and the orders to agents are; exists
 * @param kinds what is carried out, each once
 * @param gate says whether one may begin
 * @param timing how the leader is elected
 */
public record RemediatorSettings(
    String identity,
    String namespace,
    List<RemediationKind> kinds,
    ActionGate gate,
    ElectionTiming timing) {
  /** Keeps an unmodifiable copy. */
  public RemediatorSettings {
    kinds = List.copyOf(kinds);
  }

  /** How long a request may take: less than others wait after our last sign of life. */
  Duration requestTimeout() {
    return timing.lease().minus(timing.deadline());
  }
}
