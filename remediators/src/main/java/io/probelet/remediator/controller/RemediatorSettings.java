package io.probelet.remediator.controller;

import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.resource.RemediationKind;
import java.util.List;

/**
 * How remediators are set up.
 *
 * @param identity name of the pod or the node, by which a reader knows the leader
 * @param namespace where the orders to agents are; exists
 * @param kinds what is carried out, each once
 * @param gate says whether one may begin
 */
public record RemediatorSettings(
    String identity, String namespace, List<RemediationKind> kinds, ActionGate gate) {
  /** Keeps an unmodifiable copy. */
  public RemediatorSettings {
    kinds = List.copyOf(kinds);
  }
}
