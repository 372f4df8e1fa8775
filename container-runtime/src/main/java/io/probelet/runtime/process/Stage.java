package io.probelet.runtime.process;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where one container stands. */
sealed interface Stage {
  /** Not started yet: others come first. */
  record Waiting() implements Stage {}

  /** Handed to the shell, which has not answered yet; shown as what it was before. */
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
   * @param startedAt null when it could not even be launched
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
    /** The reason of one that cannot be held to what its manifest asks, as the kubelet gives it. */
    static final String MISCONFIGURED = "CreateContainerConfigError";

    /** The reason of one that failed, as the kubelet gives it. */
    static final String ERROR = "Error";

    /** The reason of one that went beyond its memory limit, as the kubelet gives it. */
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
   * @param untilNanos when that is started, by the monotonic clock
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
   * @param killNanos when the step is over at the latest: the hook's, or the one between TERM and
   *     KILL
   */
  record Stopping(long killNanos, StopStep step) {
    /** The same with an earlier end. */
    Stopping by(long nanos) {
      return new Stopping(nanos, step);
    }
  }

  /** How far a container has come on its way out (D-7). */
  enum StopStep {
    /** Its preStop hook runs. */
    HOOK,
    /** Its preStop hook is over, and it waits for others to end before TERM. */
    HOOKED,
    /** TERM has been sent. */
    TERM,
    /** KILL has been sent. */
    KILL
  }
}
