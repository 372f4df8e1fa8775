package io.probelet.monitor.check;

import io.probelet.health.GoDuration;
import io.probelet.monitor.check.Kernel.ClockState;
import java.io.IOException;
import java.time.Duration;

/** Checks that the clock is synchronised, by whatever daemon: all of them report to the kernel. */
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
      return new NodeCheckResult.Problem("nothing keeps the clock in time");
    }
    return clock.offset().compareTo(maxOffset) > 0
        ? new NodeCheckResult.Problem(
            "the clock is off by more than " + GoDuration.format(maxOffset))
        : NodeCheckResult.OK;
  }
}
