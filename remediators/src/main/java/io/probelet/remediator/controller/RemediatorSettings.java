package io.probelet.remediator.controller;

import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.resource.RemediationKind;
import java.util.List;

/**
 * Settings of the remediators.
 *
 * @param identity name of the pod or the node, by which a reader knows the leader
 * @param namespace namespace of the orders to agents; must exist
 * @param kinds enabled kinds, without duplicates
 * @param gate decides whether a remediation may start
 * @param hooks calls users' endpoints
 */
public record RemediatorSettings(
    String identity,
    String namespace,
    List<RemediationKind> kinds,
    ActionGate gate,
    HookEndpoint hooks) {
  /** Keeps an unmodifiable copy. */
  public RemediatorSettings {
    kinds = List.copyOf(kinds);
  }
}
