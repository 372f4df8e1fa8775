package io.probelet.probe;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One probe of one container: handler, timing and thresholds. Specs with the same values are equal,
 * whatever their origins.
 *
 * @param handler what the probe does
 * @param initialDelay no probing before the container has run this long; zero or more (P-1)
 * @param period time between ticks; at least 100 ms, whole seconds in plain Kubernetes (P-2)
 * @param timeout bound of one attempt; at least 100 ms (P-3)
 * @param successThreshold successes in a row that publish Success; at least 1 (P-4)
 * @param failureThreshold failures in a row that publish Failure; at least 1 (P-5)
 * @param terminationGracePeriod grace when this probe kills; null means the pod's (P-6)
 * @param failingPeriod time between ticks while the last outcome was a failure; null means the same
 *     as {@code period}
 * @param jitter each tick waits a random part of this on top; zero or more, at most the period
 * @param throttleHold how long a kill waits in total while the container's own CPU quota throttles
 *     it; zero to kill at once, null means what the administrator has set (D-13)
 * @param restartsPod whether a kill restarts all containers of the pod (D-23)
 * @param recoveryTime how long a container that was ready and has failed must succeed, beside
 *     {@code successThreshold}, before it is ready again; zero for no longer than that (W-23)
 * @param preKill a command that runs in the container before a kill, empty for none (D-24)
 * @param origins where each value comes from
 */
public record ProbeSpec(
    ProbeHandler handler,
    Duration initialDelay,
    Duration period,
    Duration timeout,
    int successThreshold,
    int failureThreshold,
    @Nullable Duration terminationGracePeriod,
    @Nullable Duration failingPeriod,
    Duration jitter,
    @Nullable Duration throttleHold,
    boolean restartsPod,
    Duration recoveryTime,
    List<String> preKill,
    ProbeOrigins origins) {
  /** The shortest period and timeout, reachable by annotation only. */
  public static final Duration SHORTEST = Duration.ofMillis(100);

  /** The longest {@code throttleHold}, whoever sets it. */
  public static final Duration LONGEST_THROTTLE_HOLD = Duration.ofHours(1);

  /** The longest {@code recoveryTime}, whoever sets it. */
  public static final Duration LONGEST_RECOVERY_TIME = Duration.ofHours(1);

  /** Rejects values that manifest validation does not allow. */
  public ProbeSpec {
    preKill = List.copyOf(preKill);
    require(!initialDelay.isNegative(), "initialDelay must not be negative", initialDelay);
    require(period.compareTo(SHORTEST) >= 0, "period must be at least 100ms", period);
    require(timeout.compareTo(SHORTEST) >= 0, "timeout must be at least 100ms", timeout);
    require(successThreshold >= 1, "successThreshold must be at least 1", successThreshold);
    require(failureThreshold >= 1, "failureThreshold must be at least 1", failureThreshold);
    require(
        terminationGracePeriod == null || terminationGracePeriod.isPositive(),
        "terminationGracePeriod must be greater than 0",
        terminationGracePeriod);
    require(
        failingPeriod == null || failingPeriod.compareTo(SHORTEST) >= 0,
        "failingPeriod must be at least 100ms",
        failingPeriod);
    require(
        !jitter.isNegative() && jitter.compareTo(period) <= 0,
        "jitter must be between 0 and the period",
        jitter);
    require(
        throttleHold == null || !throttleHold.isNegative(),
        "throttleHold must not be negative",
        throttleHold);
    require(
        !recoveryTime.isNegative() && recoveryTime.compareTo(LONGEST_RECOVERY_TIME) <= 0,
        "recoveryTime must be between 0 and 1h",
        recoveryTime);
  }

  /**
   * {@return the time until the next probe, which may be shorter while the probe fails}
   *
   * @param last the last outcome; null before the first
   */
  public Duration period(@Nullable ProbeResult last) {
    return failingPeriod != null && last == ProbeResult.FAILURE ? failingPeriod : period;
  }

  /**
   * {@return the number of consecutive equal outcomes that decide}
   *
   * @param outcome of which kind; null counts as a failure
   */
  public int threshold(@Nullable ProbeResult outcome) {
    return outcome == ProbeResult.SUCCESS ? successThreshold : failureThreshold;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ProbeSpec spec
        && handler.equals(spec.handler)
        && initialDelay.equals(spec.initialDelay)
        && period.equals(spec.period)
        && timeout.equals(spec.timeout)
        && successThreshold == spec.successThreshold
        && failureThreshold == spec.failureThreshold
        && Objects.equals(terminationGracePeriod, spec.terminationGracePeriod)
        && Objects.equals(failingPeriod, spec.failingPeriod)
        && jitter.equals(spec.jitter)
        && Objects.equals(throttleHold, spec.throttleHold)
        && restartsPod == spec.restartsPod
        && recoveryTime.equals(spec.recoveryTime)
        && preKill.equals(spec.preKill);
  }

  @Override
  public int hashCode() {
    return Objects.hash(handler, initialDelay, period, timeout, failureThreshold);
  }

  private static void require(boolean holds, String rule, @Nullable Object found) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", found " + found);
    }
  }

  /**
   * Starts a spec with the API server's defaults: no delay, every 10 s, 1 s timeout, one success,
   * three failures (P-1 to P-5).
   *
   * @param handler what the probe does
   * @return a builder
   */
  public static Builder of(ProbeHandler handler) {
    return new Builder(handler);
  }

  /** Collects the parts of a {@link ProbeSpec}; every value has the API server's default. */
  public static final class Builder {
    private final ProbeHandler handler;
    private Duration initialDelay = Duration.ZERO;
    private Duration period = Duration.ofSeconds(10);
    private Duration timeout = Duration.ofSeconds(1);
    private int successThreshold = 1;
    private int failureThreshold = 3;
    private @Nullable Duration terminationGracePeriod;
    private @Nullable Duration failingPeriod;
    private Duration jitter = Duration.ZERO;
    private @Nullable Duration throttleHold;
    private boolean restartsPod;
    private Duration recoveryTime = Duration.ZERO;
    private List<String> preKill = List.of();
    private ProbeOrigins origins = ProbeOrigins.DEFAULTS;

    private Builder(ProbeHandler handler) {
      this.handler = handler;
    }

    /**
     * Sets how long the container must have run before it is probed.
     *
     * @param value zero or more
     * @return this
     */
    public Builder initialDelay(Duration value) {
      initialDelay = value;
      return this;
    }

    /**
     * Sets the time between ticks.
     *
     * @param value at least 100 ms
     * @return this
     */
    public Builder period(Duration value) {
      period = value;
      return this;
    }

    /**
     * Sets the bound of one attempt.
     *
     * @param value at least 100 ms
     * @return this
     */
    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    /**
     * Sets how many successes in a row publish Success.
     *
     * @param value at least 1
     * @return this
     */
    public Builder successThreshold(int value) {
      successThreshold = value;
      return this;
    }

    /**
     * Sets how many failures in a row publish Failure.
     *
     * @param value at least 1
     * @return this
     */
    public Builder failureThreshold(int value) {
      failureThreshold = value;
      return this;
    }

    /**
     * Sets the grace period of a kill by this probe.
     *
     * @param value greater than zero, or null for the pod's
     * @return this
     */
    public Builder terminationGracePeriod(@Nullable Duration value) {
      terminationGracePeriod = value;
      return this;
    }

    /**
     * Sets the time between ticks while the probe fails.
     *
     * @param value at least 100 ms, or null for the ordinary period
     * @return this
     */
    public Builder failingPeriod(@Nullable Duration value) {
      failingPeriod = value;
      return this;
    }

    /**
     * Sets the random part added to each tick.
     *
     * @param value zero to the period
     * @return this
     */
    public Builder jitter(Duration value) {
      jitter = value;
      return this;
    }

    /**
     * Sets how long a kill waits while the container's own CPU quota throttles it.
     *
     * @param value zero or more, or null for what the administrator has set
     * @return this
     */
    public Builder throttleHold(@Nullable Duration value) {
      throttleHold = value;
      return this;
    }

    /**
     * Sets whether a kill restarts all containers of the pod.
     *
     * @param value false for this container alone
     * @return this
     */
    public Builder restartsPod(boolean value) {
      restartsPod = value;
      return this;
    }

    /**
     * Sets how long a container that has failed must succeed before it is ready again.
     *
     * @param value zero to an hour
     * @return this
     */
    public Builder recoveryTime(Duration value) {
      recoveryTime = value;
      return this;
    }

    /**
     * Sets what runs in the container before a kill.
     *
     * @param command program and arguments; empty for none
     * @return this
     */
    public Builder preKill(List<String> command) {
      preKill = command;
      return this;
    }

    /**
     * Sets where the values come from.
     *
     * @param value instead of the defaults
     * @return this
     */
    public Builder origins(ProbeOrigins value) {
      origins = value;
      return this;
    }

    /**
     * Builds the spec.
     *
     * @return a valid spec
     * @throws IllegalArgumentException naming the field that is out of range
     */
    public ProbeSpec build() {
      return new ProbeSpec(
          handler,
          initialDelay,
          period,
          timeout,
          successThreshold,
          failureThreshold,
          terminationGracePeriod,
          failingPeriod,
          jitter,
          throttleHold,
          restartsPod,
          recoveryTime,
          preKill,
          origins);
    }
  }
}
