package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;

/**
 * The mass-failure guard as {@code GET /api/v1/node} shows it.
 *
 * @param enabled whether it holds restarts at all
 * @param trouble what is wrong with the whole node at present, restarts asked for or not; empty if
 *     nothing is
 * @param holds what it holds, or has held long enough while the trouble goes on, at most 20
 * @param kept containers that a failed probe would have stopped and that were kept, by reason
 */
@JsonPropertyOrder({"enabled", "trouble", "holds", "kept"})
public record GuardView(
    boolean enabled, String trouble, List<HoldView> holds, Map<String, Long> kept) {
  /** Takes what another agent leaves out for empty. */
  public GuardView {
    trouble = JsonDefaults.text(trouble);
    holds = JsonDefaults.list(holds);
    kept = JsonDefaults.counts(kept);
  }

  /** {@return the same with other counts} */
  public GuardView with(Map<String, Long> counts) {
    return new GuardView(enabled, trouble, holds, counts);
  }

  /**
   * Restarts that are held.
   *
   * @param namespace whose; empty for those of the whole node
   * @param reason what is wrong
   * @param since when it began, RFC 3339 in UTC
   * @param until when restarts pass at the latest, RFC 3339 in UTC; in the past if they do already
   * @param holding whether they are held now; else the trouble goes on, and they pass
   */
  @JsonPropertyOrder({"namespace", "reason", "since", "until", "holding"})
  public record HoldView(
      String namespace, String reason, String since, String until, boolean holding) {
    /** Takes what another agent leaves out for empty. */
    public HoldView {
      namespace = JsonDefaults.text(namespace);
      reason = JsonDefaults.text(reason);
      since = JsonDefaults.text(since);
      until = JsonDefaults.text(until);
    }
  }
}
