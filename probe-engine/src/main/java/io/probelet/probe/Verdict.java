package io.probelet.probe;

import org.jspecify.annotations.Nullable;

/** What one probe found out. */
public sealed interface Verdict {
  /** Longest output that is kept of a target: 10 KiB, in bytes before decoding. */
  int OUTPUT_LIMIT = 10 * 1024;

  /**
   * The target answered as it should.
   *
   * @param output what it said, possibly empty
   */
  record Success(String output) implements Verdict {}

  /**
   * Counts as success, but with something a user should check.
   *
   * @param output what it said
   */
  record Warning(String output) implements Verdict {}

  /**
   * The target did not answer, or not as it should.
   *
   * @param message what was wrong
   * @param definite whether the target answered so, or nothing listens there; false when only a
   *     timeout or a broken connection says so, which a stall of our own may have caused (W-12).
   *     Failures that say the same are equal even if only one is definite
   * @param cause what kind of trouble, for the metric
   */
  record Failure(String message, boolean definite, Cause cause) implements Verdict {
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
     * A failure of which nobody has said yet what kind of trouble it is.
     *
     * @param message what was wrong
     * @param definite whether the target answered so, or nothing listens there
     */
    public Failure(String message, boolean definite) {
      this(message, definite, Cause.OTHER);
    }

    /**
     * {@return the same failure, by this cause unless its own is known already}
     *
     * @param known what kind of trouble it is
     */
    public Failure by(Cause known) {
      return cause == Cause.OTHER ? new Failure(message, definite, known) : this;
    }

    /**
     * {@return a failure by time, or by a connection that broke}
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
   * The probe could not be carried out; says nothing about the target and is thrown away (W-4).
   *
   * @param reason what kind of trouble, for the metric
   * @param message what happened
   */
  record ProberError(Reason reason, String message) implements Verdict {}

  /** Why a probe failed. */
  enum Cause {
    /** The target did not answer in time. */
    TIMEOUT,
    /** Its name could not be resolved. */
    RESOLVE,
    /** No connection could be made. */
    CONNECT,
    /** The TLS handshake failed. */
    TLS,
    /** There was a connection, but no answer that could be understood. */
    ANSWER,
    /** The answer's status, of HTTP or of gRPC health, is not one of a healthy target. */
    STATUS,
    /** The answer is not as the probe expects it. */
    BODY,
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

  /** Why a probe could not be carried out. */
  enum Reason {
    /** No such port, no address to connect to: the specification cannot be probed (P-17). */
    BAD_TARGET,
    /** This machine ran short of ports, files or memory. */
    LOCAL_SHORTAGE,
    /** The container runtime could not run the command. */
    RUNTIME,
    /** An HTTP answer broke off or stalled behind its head, or its body is malformed (H-5). */
    INCOMPLETE_ANSWER,
    /** The agent itself stood still during the probe, and nothing definite came (W-12). */
    STALLED,
    /**
     * The agent had only just begun and was loading or compiling code during the probe, or waited
     * for a processor, and nothing definite came (W-21).
     */
    COLD_START,
    /** The pod asked for more probes, or more work on answers, than one pod may. */
    POD_BUDGET,
    /** All pods together asked for more than the node may, and this one for more than its share. */
    NODE_BUDGET,
    /** A bug in the prober; the worker lives on (W-11). */
    INTERNAL;

    /** {@return whether the probe was held back, and trying again at once would not help} */
    public boolean heldBack() {
      return this == POD_BUDGET || this == NODE_BUDGET;
    }

    /** {@return the word used in metrics: bad_target, local_shortage, …} */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** {@return what the target said or what went wrong, possibly empty} */
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
