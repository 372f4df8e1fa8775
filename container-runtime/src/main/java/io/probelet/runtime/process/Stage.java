package io.probelet.runtime.process;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stage of one container. */
sealed interface Stage {
  /** Not started yet; others start first. */
  record Waiting() implements Stage {}

  /** Being launched; reported as its previous stage. */
  record Launching(Stage before) implements Stage {}

  /**
   * A process runs.
   *
   * @param started whether the startup probe succeeded, or there is none
   * @param stopping null unless it is being stopped
   */
  record Running(
      String id, Instant startedAt, long startedNanos, boolean started, @Nullable Stopping stopping)
      implements Stage {}

  /**
   * The process ended.
   *
   * @param startedAt null if it could not be launched
   * @param restarts whether another instance follows
   */
  record Ended(
      String id,
      @Nullable Instant startedAt,
      long endedNanos,
      int exitCode,
      String reason,
      boolean restarts)
      implements Stage {
    /** The kubelet's reason for a container whose restrictions cannot be enforced. */
    static final String MISCONFIGURED = "CreateContainerConfigError";

    /** The kubelet's reason for a failed container. */
    static final String ERROR = "Error";

    /** The kubelet's reason for a container that exceeded its memory limit. */
    static final String OUT_OF_MEMORY = "OOMKilled";

    boolean failed() {
      return exitCode != 0 || reason.equals(ERROR);
    }

    boolean misconfigured() {
      return reason.equals(MISCONFIGURED);
    }

    /** The same, followed by another instance whatever its policy says. */
    Ended comingBack() {
      return new Ended(id, startedAt, endedNanos, exitCode, reason, true);
    }

    Ended forGood() {
      return new Ended(id, startedAt, endedNanos, exitCode, reason, false);
    }
  }

  /**
   * Ended, and waits for its next instance.
   *
   * @param untilNanos the start of that instance, on the monotonic clock
   */
  record BackingOff(Ended previous, long untilNanos, Instant until) implements Stage {}

  /**
   * Ended, and waits for its turn to start again, as all containers of the pod do.
   *
   * @param previous how it ended
   */
  record Again(Ended previous) implements Stage {}

  /**
   * It is being stopped.
   *
   * @param killNanos the deadline of the current step: of the hook, or between TERM and KILL
   */
  record Stopping(long killNanos, StopStep step) {
    /** The same with an earlier deadline. */
    Stopping by(long nanos) {
      return new Stopping(nanos, step);
    }
  }

  /** The step of a container's stop (D-7). */
  enum StopStep {
    /** Its preStop hook runs. */
    HOOK,
    /** The preStop hook has ended, and the container waits for others to end before TERM. */
    HOOKED,
    /** TERM has been sent. */
    TERM,
    /** KILL has been sent. */
    KILL
  }
}
