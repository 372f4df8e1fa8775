package io.probelet.remediator.controller;

import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the remediations stand that are carried out here.
 *
 * @param kinds one entry for each kind that is switched on
 * @param requests one entry for each remediation
 */
public record RemediatorReport(List<KindState> kinds, List<Standing> requests) {
  /** Keeps unmodifiable copies. */
  public RemediatorReport {
    kinds = List.copyOf(kinds);
    requests = List.copyOf(requests);
  }

  /**
   * Whether a kind can be carried out.
   *
   * @param problem why not, in a sentence; empty if it can
   */
  public record KindState(RemediationKind kind, String problem) {}

  /**
   * How one remediation stands.
   *
   * @param since when it reached that; null if it was not begun
   * @param holdReason why it may not begin yet, one word; empty unless it is held
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
