package io.probelet.monitor.node;

import io.probelet.monitor.track.ConditionHistory;
import java.time.Instant;
import java.util.List;

/**
 * What is behind a condition (B-18).
 *
 * @param history what was found lately
 * @param evidence what holds now, in the order of the rules, at most {@link #MAX_EVIDENCE}
 */
public record ConditionDetail(ConditionHistory history, List<Found> evidence) {
  /** The problems of one condition that are shown. */
  public static final int MAX_EVIDENCE = 16;

  /** Keeps an unmodifiable copy of the first. */
  public ConditionDetail {
    evidence = List.copyOf(evidence.subList(0, Math.min(MAX_EVIDENCE, evidence.size())));
  }

  /**
   * A problem that a monitor has found.
   *
   * @param source the monitor
   * @param reason one word for programs
   * @param device the device it is about; empty if it is about none
   * @param message what was seen
   * @param since when it began, on the wall clock
   */
  public record Found(String source, String reason, String device, String message, Instant since) {}
}
