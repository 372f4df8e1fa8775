package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;

/**
 * A NodeHealthCheck's status in two stages: as we decided it and as the API server has it. What
 * others write into it counts only while we have nothing to write ourselves.
 */
final class StatusRecord {
  private NodeHealthCheckStatus decided;
  private NodeHealthCheckStatus confirmed;
  private String version;
  private boolean same = true; // kept, as every event of every node asks for it
  private boolean underWay;

  StatusRecord(NodeHealthCheckStatus status, String version) {
    this.decided = status;
    this.confirmed = status;
    this.version = version;
  }

  NodeHealthCheckStatus decided() {
    return decided;
  }

  boolean isConfirmed() {
    return same;
  }

  /** The version that a write has to name. */
  String version() {
    return version;
  }

  void decide(NodeHealthCheckStatus status) {
    decided = status;
    same = decided.equals(confirmed);
  }

  /**
   * Takes what a watch shows.
   *
   * @return whether someone else has changed it
   */
  boolean observe(NodeHealthCheckStatus status, String seenVersion) {
    version = seenVersion;
    if (underWay || !isConfirmed() || decided.equals(status)) {
      return false;
    }
    decided = status;
    confirmed = status;
    return true;
  }

  boolean isUnderWay() {
    return underWay;
  }

  void send() {
    underWay = true;
  }

  /** Records that a write was answered. */
  void sent(NodeHealthCheckStatus status, String newVersion) {
    underWay = false;
    confirmed = status;
    same = decided.equals(confirmed);
    version = newVersion;
  }

  void notSent() {
    underWay = false;
  }
}
