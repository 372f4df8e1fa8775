package io.probelet.nodehealth.workloads.controller;

import io.probelet.kube.event.EventCounts;

/** Receives what is found, for metrics. Called by one thread; must not block. */
public interface EvidenceListener {
  /** Ignores everything. */
  EvidenceListener NONE = new EvidenceListener() {};

  /** Reports the current state, after each round. */
  default void stands(EvidenceReport report) {}

  /** A condition could not be written, except because of a conflict. */
  default void failed() {}

  /** This replica became the leader. */
  default void records(EventCounts counts) {}

  /** This replica lost leadership, so its state no longer counts. */
  default void retired() {
    stands(EvidenceReport.NONE);
  }
}
