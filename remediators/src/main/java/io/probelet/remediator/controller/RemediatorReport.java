package io.probelet.remediator.controller;

import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of the remediations that this controller carries out.
 *
 * @param kinds one entry for each enabled kind
 * @param requests one entry for each remediation
 */
public record RemediatorReport(List<KindState> kinds, List<Standing> requests) {
  /** Keeps unmodifiable copies. */
  public RemediatorReport {
    kinds = List.copyOf(kinds);
    requests = List.copyOf(requests);
  }

  /**
   * Whether a kind is available.
   *
   * @param problem why the kind is unavailable; empty if it is available
   */
  public record KindState(RemediationKind kind, String problem) {}

  /**
   * State of one remediation.
   *
   * @param since when it reached that; null if it was not begun
   * @param holdReason reason why it is held back, in CamelCase; empty if it is not
   */
  public record Standing(
      RemediationKind kind,
      String namespace,
      String name,
      String node,
      RemediationPhase phase,
      @Nullable Instant since,
      String holdReason,
      String message) {}
}
