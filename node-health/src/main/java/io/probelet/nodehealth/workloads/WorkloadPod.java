package io.probelet.nodehealth.workloads;

import org.jspecify.annotations.Nullable;

/**
 * A pod as far as it is evidence.
 *
 * @param node the node it runs on; empty if it is no evidence
 * @param revision what it is compared with; null if it is no evidence (WE-1)
 * @param restarted whether one of its containers has been started more than once
 */
public record WorkloadPod(
    String node, @Nullable WorkloadRevision revision, State state, boolean restarted) {
  /** A pod that is no evidence. */
  static final WorkloadPod NONE = new WorkloadPod("", null, State.UNTRIED, false);

  /** The state of a pod. */
  public enum State {
    /** It is Ready. */
    READY,
    /** It is not Ready, although each of its containers has been started. */
    DOWN,
    /** A container has not been started yet: the image may be missing, or the volume. */
    UNTRIED
  }

  boolean isDown() {
    return state == State.DOWN;
  }

  boolean isReady() {
    return state == State.READY;
  }
}
