package io.probelet.monitor.check;

import io.probelet.health.GoDuration;
import io.probelet.monitor.check.Kernel.ClockState;
import java.io.IOException;
import java.time.Duration;

/**
 * Checks that the clock is synchronized. Works with any daemon, since all of them report to the
 * kernel.
 */
final class ClockCheck implements NodeCheck {
  private final Duration maxOffset;
  private final Machine machine;

  ClockCheck(Duration maxOffset, Machine machine) {
    this.maxOffset = maxOffset;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    ClockState clock = machine.kernel().clock();
    if (!clock.synchronised()) {
      return new NodeCheckResult.Problem(
          "clock is not synchronized; check chrony or systemd-timesyncd");
    }
    return clock.offset().compareTo(maxOffset) > 0
        ? new NodeCheckResult.Problem("clock offset exceeds " + GoDuration.format(maxOffset))
        : NodeCheckResult.OK;
  }
}
