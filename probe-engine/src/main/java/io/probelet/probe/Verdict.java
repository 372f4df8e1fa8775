package io.probelet.probe;

import org.jspecify.annotations.Nullable;

/** The result of one probe attempt. */
public sealed interface Verdict {
  /** Longest output kept from a target: 10 KiB, in bytes before decoding. */
  int OUTPUT_LIMIT = 10 * 1024;

  /**
   * The target is healthy.
   *
   * @param output what it said, possibly empty
   */
  record Success(String output) implements Verdict {}

  /**
   * A success with a warning for the user.
   *
   * @param output what it said
   */
  record Warning(String output) implements Verdict {}

  /**
   * The target is unhealthy or did not respond.
   *
   * @param message what was wrong
   * @param definite true for a response or a refused connection; false for a timeout or a broken
   *     connection, which a stall of the agent may have caused (W-12). Ignored by {@code equals}
   * @param cause what kind of trouble, for the metric
   * @param code the HTTP status or the exit code; 0 for none. Ignored by {@code equals}
   */
  record Failure(String message, boolean definite, Cause cause, int code) implements Verdict {
    /**
     * A failure without a code.
     *
     * @param message what was wrong
     * @param definite true for a response or a refused connection
     * @param cause what kind of trouble
     */
    public Failure(String message, boolean definite, Cause cause) {
      this(message, definite, cause, 0);
    }

    /**
     * A definite failure.
     *
     * @param message what was wrong
     */
    public Failure(String message) {
      this(message, true);
    }

    /**
     * A definite failure.
     *
     * @param message what was wrong
     * @param cause what kind of trouble
     */
    public Failure(String message, Cause cause) {
      this(message, true, cause);
    }

    /**
     * A failure whose cause is not known yet.
     *
     * @param message what was wrong
     * @param definite true for a response or a refused connection
     */
    public Failure(String message, boolean definite) {
      this(message, definite, Cause.OTHER);
    }

    /**
     * {@return the same failure with this cause, unless it already has one}
     *
     * @param known what kind of trouble it is
     */
    public Failure by(Cause known) {
      return cause == Cause.OTHER ? new Failure(message, definite, known, code) : this;
    }

    /**
     * {@return a failure by timeout or by a broken connection}
     *
     * @param message what was wrong
     */
    public static Failure indefinite(String message) {
      return new Failure(message, false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Failure failure && message.equals(failure.message);
    }

    @Override
    public int hashCode() {
      return message.hashCode();
    }
  }

  /**
   * The probe could not run. It says nothing about the target and is discarded (W-4).
   *
   * @param reason what kind of trouble, for the metric
   * @param message what happened
   */
  record ProberError(Reason reason, String message) implements Verdict {}

  /** Why a probe failed. */
  enum Cause {
    /** The probe timed out. */
    TIMEOUT,
    /** Its name could not be resolved. */
    RESOLVE,
    /** No connection could be made. */
    CONNECT,
    /** The TLS handshake failed. */
    TLS,
    /** The response was invalid or incomplete. */
    ANSWER,
    /** The answer's status, of HTTP or of gRPC health, is not one of a healthy target. */
    STATUS,
    /** The response's body does not meet the probe's expectation. */
    BODY,
    /** Another part of the answer does not meet the probe's expectation. */
    EXPECT,
    /** The command exited with another code than 0. */
    EXIT_CODE,
    /** The probe's request cannot be made. */
    REQUEST,
    /** Something else. */
    OTHER;

    /** {@return the word used in metrics: timeout, resolve, …} */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Why a probe could not run. */
  enum Reason {
    /** No such port, no address to connect to: the specification cannot be probed (P-17). */
    BAD_TARGET,
    /** This machine ran short of ports, files or memory. */
    LOCAL_SHORTAGE,
    /** The container runtime could not run the command. */
    RUNTIME,
    /** An HTTP response ended early or stalled after its header, or its body is malformed (H-5). */
    INCOMPLETE_ANSWER,
    /** The agent was stalled during the probe, without a definite result (W-12). */
    STALLED,
    /**
     * The agent had just started and was loading or compiling code, or waited for a CPU, without a
     * definite result (W-21).
     */
    COLD_START,
    /** The pod exceeded its limit of probes or of work on responses. */
    POD_BUDGET,
    /** All pods together exceeded the node's limit, and this one its share. */
    NODE_BUDGET,
    /** An internal error in the prober; the worker continues (W-11). */
    INTERNAL;

    /** {@return whether a limit discarded the probe, so that an immediate retry would not help} */
    public boolean heldBack() {
      return this == POD_BUDGET || this == NODE_BUDGET;
    }

    /** {@return the word used in metrics: bad_target, local_shortage, …} */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** {@return the target's output or the problem, possibly empty} */
  default String text() {
    return switch (this) {
      case Success success -> success.output();
      case Warning warning -> warning.output();
      case Failure failure -> failure.message();
      case ProberError error -> error.message();
    };
  }

  /** {@return whether the target was found healthy} */
  default boolean healthy() {
    return this instanceof Success || this instanceof Warning;
  }
}
