package io.probelet.probe;

import java.util.Locale;

/**
 * The origin of each value of a {@link ProbeSpec}, in two bits per value to save memory.
 *
 * @param bits two for each {@link Value}, in their order
 */
public record ProbeOrigins(int bits) {
  /** All from the defaults. */
  public static final ProbeOrigins DEFAULTS = new ProbeOrigins(0);

  private static final int MASK = 0b11;

  /** A value that has an origin. */
  public enum Value {
    /** The handler: httpGet, exec and so on. */
    HANDLER(0),
    /** The TLS settings. */
    TLS(2),
    /** The responses that count as success. */
    EXPECT(4),
    /** The settings from the administrator's profile. */
    PROFILE(6),
    /** {@link ProbeSpec#initialDelay}. */
    INITIAL_DELAY(8),
    /** {@link ProbeSpec#period}. */
    PERIOD(10),
    /** {@link ProbeSpec#timeout}. */
    TIMEOUT(12),
    /** {@link ProbeSpec#successThreshold}. */
    SUCCESS_THRESHOLD(14),
    /** {@link ProbeSpec#failureThreshold}. */
    FAILURE_THRESHOLD(16),
    /** {@link ProbeSpec#terminationGracePeriod}. */
    TERMINATION_GRACE_PERIOD(18),
    /** {@link ProbeSpec#failingPeriod}. */
    FAILING_PERIOD(20),
    /** {@link ProbeSpec#jitter}. */
    JITTER(22),
    /** {@link ProbeSpec#throttleHold}. */
    THROTTLE_HOLD(24),
    /** {@link ProbeSpec#restartsPod}. */
    ON_FAILURE(26),
    /** {@link ProbeSpec#recoveryTime}. */
    RECOVERY_TIME(28),
    /** {@link ProbeSpec#preKill}. */
    PRE_KILL(30);

    /** Where its two bits are. */
    private final int shift;

    Value(int shift) {
      this.shift = shift;
    }
  }

  /** Where a value comes from. */
  public enum Origin {
    /** The default. */
    DEFAULT(0),
    /** The container's own specification. */
    SPEC(1),
    /** An annotation of its pod. */
    ANNOTATION(2),
    /** The administrator's policy. */
    POLICY(3);

    private final int code;

    Origin(int code) {
      this.code = code;
    }

    /** {@return the word for users: default, spec, annotation or policy} */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * {@return where a value comes from}
   *
   * @param value which
   */
  public Origin of(Value value) {
    return switch ((bits >>> value.shift) & MASK) {
      case 1 -> Origin.SPEC;
      case 2 -> Origin.ANNOTATION;
      case 3 -> Origin.POLICY;
      default -> Origin.DEFAULT;
    };
  }

  /**
   * {@return these origins with one changed}
   *
   * @param value which
   * @param origin where that comes from
   */
  public ProbeOrigins with(Value value, Origin origin) {
    return new ProbeOrigins((bits & ~(MASK << value.shift)) | (origin.code << value.shift));
  }

  /**
   * {@return these origins with one changed, if that value was given}
   *
   * @param given whether it was given
   * @param value which
   * @param origin where that comes from
   */
  public ProbeOrigins withIf(boolean given, Value value, Origin origin) {
    return given ? with(value, origin) : this;
  }
}
