package io.probelet.remediator.controller;

import io.probelet.kube.event.EventCounts;
import io.probelet.remediator.resource.RemediationKind;
import java.time.Duration;
import java.util.List;

/** Takes what happens to remediations, for metrics. Called by several threads; must be quick. */
public interface RemediatorListener {
  /** Nobody wants to know. */
  RemediatorListener NONE = new RemediatorListener() {};

  /**
   * This is how all stands.
   *
   * @param report each remediation and each kind
   */
  default void stands(RemediatorReport report) {}

  /**
   * A remediation is over.
   *
   * @param succeeded whether it has succeeded
   * @param duration from its beginning; zero if it was never begun
   */
  default void finished(RemediationKind kind, boolean succeeded, Duration duration) {}

  /**
   * An action was carried out, or was not.
   *
   * @param action in one word of a fixed set, such as Evict
   * @param done whether it was carried out
   */
  default void acted(RemediationKind kind, String action, boolean done) {}

  /** A term of leadership begins. */
  default void records(EventCounts counts) {}

  /** This is not the leader any more, so nothing stands. */
  default void retired() {
    stands(new RemediatorReport(List.of(), List.of()));
  }
}
