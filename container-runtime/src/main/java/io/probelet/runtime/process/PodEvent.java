package io.probelet.runtime.process;

import java.time.Duration;

/** An external event for a pod. */
sealed interface PodEvent {
  /** The pod is new; always the first event. */
  record Added() implements PodEvent {}

  /** Time has passed. */
  record Tick() implements PodEvent {}

  /** A launched container runs. */
  record Launched(String container, String id) implements PodEvent {}

  /** A container could not be launched; the exit code is the one that a shell would return. */
  record Refused(String container, String id, int exitCode, String reason, String message)
      implements PodEvent {}

  /**
   * The process of an instance ended.
   *
   * @param outOfMemory whether the kernel killed one of its processes at the memory limit
   */
  record Exited(String id, int exitCode, boolean outOfMemory) implements PodEvent {
    Exited(String id, int exitCode) {
      this(id, exitCode, false);
    }
  }

  /** The startup probe of an instance succeeded. */
  record StartedUp(String id) implements PodEvent {}

  /**
   * An instance has to stop; whether another follows is the restart policy's business.
   *
   * @param pod whether all other containers of the pod have to restart with it
   */
  record StopAsked(String id, Duration grace, boolean pod) implements PodEvent {
    StopAsked(String id, Duration grace) {
      this(id, grace, false);
    }
  }

  /** The preStop hook of an instance has ended, successful or not. */
  record HookEnded(String id) implements PodEvent {}

  /** The pod must end. */
  record Removed() implements PodEvent {}
}
