package io.probelet.probe.engine;

import io.probelet.probe.ProbeResult;
import java.time.Duration;

/**
 * Where an instance stands between its first readiness and being ready again after a failure: a
 * pure function of its outcomes and their times (W-23).
 *
 * <pre>
 *   STARTING  ──ready──►  READY  ──failed──►  RECOVERING  ──succeeded for recoveryTime──►  READY
 * </pre>
 *
 * @param since when the first of the latest successes in a row ended, by the monotonic clock in
 *     nanoseconds; of meaning only while recovering
 */
record Recovery(Phase phase, long since) {
  /** Where it stands. */
  enum Phase {
    /** It has not been ready. */
    STARTING,
    /** It is ready. */
    READY,
    /** It was ready and failed. */
    RECOVERING
  }

  /** Of an instance that has not been ready, and of probes that do not ask. */
  static final Recovery STARTING = new Recovery(Phase.STARTING, 0);

  /** Of an instance that is ready. */
  static final Recovery READY = new Recovery(Phase.READY, 0);

  private static final Recovery FAILED = new Recovery(Phase.RECOVERING, 0);

  /** {@return the same after an outcome that decides nothing by itself} */
  Recovery after(ProbeResult outcome, boolean first, long now) {
    return phase == Phase.RECOVERING && outcome == ProbeResult.SUCCESS && first
        ? new Recovery(Phase.RECOVERING, now)
        : this;
  }

  /** {@return the same after a decision} */
  Recovery decided(ProbeResult result) {
    if (result == ProbeResult.SUCCESS) {
      return READY;
    }
    return phase == Phase.READY ? FAILED : this;
  }

  /** {@return how much longer it must succeed; zero or less for no longer} */
  Duration remaining(Duration recoveryTime, long now) {
    return phase == Phase.RECOVERING ? recoveryTime.minusNanos(now - since) : Duration.ZERO;
  }
}
