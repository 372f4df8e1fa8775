package io.probelet.remediator.controller;

import io.probelet.kube.event.EventCounts;
import io.probelet.remediator.resource.RemediationKind;
import java.time.Duration;
import java.util.List;

/** Receives events of remediations, for metrics. Called by several threads; must not block. */
public interface RemediatorListener {
  /** Ignores all events. */
  RemediatorListener NONE = new RemediatorListener() {};

  /**
   * Reports the current state.
   *
   * @param report each remediation and each kind
   */
  default void stands(RemediatorReport report) {}

  /**
   * A remediation has ended.
   *
   * @param succeeded whether it has succeeded
   * @param duration since its start; zero if it never started
   */
  default void finished(RemediationKind kind, boolean succeeded, Duration duration) {}

  /**
   * An action was carried out or failed.
   *
   * @param action in one word of a fixed set, such as Evict
   * @param done whether it was carried out
   */
  default void acted(RemediationKind kind, String action, boolean done) {}

  /** This replica became the leader. */
  default void records(EventCounts counts) {}

  /** This replica lost leadership, so its state no longer counts. */
  default void retired() {
    stands(new RemediatorReport(List.of(), List.of()));
  }
}
