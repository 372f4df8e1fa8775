package io.probelet.nodehealth.monitor.track;

import io.probelet.health.ConditionStatus;
import org.jspecify.annotations.Nullable;

/** What a source has to say about a rule. */
public sealed interface Evidence {
  /**
   * A line of a log matched the rule's pattern.
   *
   * @param text what matched, cleaned
   * @param pod the container it is about; null if it is about none (B-10)
   */
  record Matched(String text, @Nullable PodTrace pod) implements Evidence {
    /**
     * A match that is about the node.
     *
     * @param text what matched, cleaned
     */
    public Matched(String text) {
      this(text, null);
    }
  }

  /** A line of a log matched the rule's clear pattern (B-1). */
  record Cleared() implements Evidence {}

  /** The log is being read, and has been up to here. */
  record Watching() implements Evidence {}

  /**
   * A plugin or a check has an opinion.
   *
   * @param status True for a problem, False for none, Unknown if it could not tell
   * @param message what it says, cleaned; may be empty
   */
  record Reported(ConditionStatus status, String message) implements Evidence {}

  /**
   * Nothing could be observed: a source is gone, or a check could not be carried out (B-5).
   *
   * @param why in a few words
   */
  record Lost(String why) implements Evidence {}
}
