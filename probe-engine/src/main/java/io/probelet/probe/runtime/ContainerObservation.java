package io.probelet.probe.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the newest instance of a container.
 *
 * @param id the runtime's id; empty when no instance has been created yet
 * @param state whether it runs
 * @param startedAt when it started; null when it has not
 * @param exitCode how it ended; 0 unless terminated
 * @param restartCount how many instances there were before this one
 * @param reason one word on why it waits or ended, such as CrashLoopBackOff; possibly empty
 * @param startedBefore whether an earlier life of the agent reported it started (W-8)
 * @param readyBefore whether an earlier life of the agent reported it ready (W-9)
 * @param nextStart wall time at which it is started again, null when it does not wait for that or
 *     nobody here knows how long
 * @param details what no rule reads, for people
 */
public record ContainerObservation(
    String id,
    State state,
    @Nullable Instant startedAt,
    int exitCode,
    int restartCount,
    String reason,
    boolean startedBefore,
    boolean readyBefore,
    @Nullable Instant nextStart,
    ContainerDetails details) {
  /**
   * An observation without details and without the next instance.
   *
   * @param id the runtime's id; empty when no instance has been created yet
   * @param state whether it runs
   * @param startedAt when it started; null when it has not
   * @param exitCode how it ended; 0 unless terminated
   * @param restartCount how many instances there were before this one
   * @param reason one word on why it waits or ended
   * @param startedBefore whether an earlier life of the agent reported it started (W-8)
   * @param readyBefore whether an earlier life of the agent reported it ready (W-9)
   */
  public ContainerObservation(
      String id,
      State state,
      @Nullable Instant startedAt,
      int exitCode,
      int restartCount,
      String reason,
      boolean startedBefore,
      boolean readyBefore) {
    this(
        id,
        state,
        startedAt,
        exitCode,
        restartCount,
        reason,
        startedBefore,
        readyBefore,
        null,
        ContainerDetails.NONE);
  }

  /** Rejects a running container without id or start time. */
  public ContainerObservation {
    if (state == State.RUNNING && (id.isEmpty() || startedAt == null)) {
      throw new IllegalArgumentException("a running container has an id and a start time");
    }
  }

  /** Whether a container runs. */
  public enum State {
    /** Not started, or waiting to be started again. */
    WAITING,
    /** Running. */
    RUNNING,
    /** Ended. */
    TERMINATED
  }

  /**
   * {@return a running container}
   *
   * @param id the runtime's id
   * @param startedAt when it started
   * @param restartCount instances before this one
   */
  public static ContainerObservation running(String id, Instant startedAt, int restartCount) {
    return new ContainerObservation(
        id, State.RUNNING, startedAt, 0, restartCount, "", false, false);
  }

  /**
   * {@return a container that waits to be started}
   *
   * @param id id of the last instance, possibly empty
   * @param restartCount instances before this one
   * @param reason why it waits
   */
  public static ContainerObservation waiting(String id, int restartCount, String reason) {
    return new ContainerObservation(id, State.WAITING, null, 0, restartCount, reason, false, false);
  }

  /**
   * {@return a container that ended}
   *
   * @param id the runtime's id
   * @param startedAt when it started, null when it never did
   * @param exitCode how it ended
   * @param restartCount instances before this one
   */
  public static ContainerObservation terminated(
      String id, @Nullable Instant startedAt, int exitCode, int restartCount) {
    return new ContainerObservation(
        id, State.TERMINATED, startedAt, exitCode, restartCount, "", false, false);
  }

  /**
   * {@return the same, with the time at which it is started again}
   *
   * @param at wall time
   */
  public ContainerObservation startingAgain(Instant at) {
    return new ContainerObservation(
        id,
        state,
        startedAt,
        exitCode,
        restartCount,
        reason,
        startedBefore,
        readyBefore,
        at,
        details);
  }

  /**
   * {@return this observation with other details}
   *
   * @param known what is known for people
   */
  public ContainerObservation with(ContainerDetails known) {
    return new ContainerObservation(
        id,
        state,
        startedAt,
        exitCode,
        restartCount,
        reason,
        startedBefore,
        readyBefore,
        nextStart,
        known);
  }

  /** {@return whether it runs} */
  public boolean running() {
    return state == State.RUNNING;
  }
}
