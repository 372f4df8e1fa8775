package io.probelet.monitor.check;

import io.probelet.health.GoDuration;
import io.probelet.monitor.check.Kernel.ClockState;
import java.io.IOException;
import java.time.Duration;

/** Sees that somebody keeps the clock in time, whoever it is: they all tell the kernel. */
final class ClockCheck implements Check {
  private final Duration maxOffset;
  private final Machine machine;

  ClockCheck(Duration maxOffset, Machine machine) {
    this.maxOffset = maxOffset;
    this.machine = machine;
  }

  @Override
  public CheckResult look() throws IOException {
    ClockState clock = machine.kernel().clock();
    if (!clock.synchronised()) {
      return new CheckResult.Problem("nothing keeps the clock in time");
    }
    return clock.offset().compareTo(maxOffset) > 0
        ? new CheckResult.Problem("the clock is off by more than " + GoDuration.format(maxOffset))
        : CheckResult.OK;
  }
}
