package io.probelet.nodehealth.readiness.controller;

import io.probelet.kube.event.EventCounts;
import java.util.List;

/** Receives what happens in node admission, for metrics. Called by one thread; must not block. */
public interface ReadinessListener {
  /** Ignores everything. */
  ReadinessListener NONE = new ReadinessListener() {};

  /** Reports the current state. */
  default void stands(AdmissionReport report) {}

  /**
   * A taint was added to a node or removed from it.
   *
   * @param rule the name of the rule; empty for a taint whose rule is gone
   */
  default void tainted(String rule, boolean added) {}

  /** A rule is done with a node. */
  default void bootstrapped(String rule) {}

  /**
   * A write to a node failed.
   *
   * @param rule the name of the rule; empty for a taint whose rule is gone
   * @param reason AddTaintError, RemoveTaintError or EvaluationError
   */
  default void failed(String rule, String reason) {}

  /** This replica became the leader. */
  default void records(EventCounts counts) {}

  /** This replica lost leadership, so its state no longer counts. */
  default void retired() {
    stands(new AdmissionReport(List.of(), List.of()));
  }
}
