package io.probelet.monitor.evidence;

import io.probelet.health.TimeSource;
import io.probelet.monitor.check.Kernel.ClockState;
import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Which boot of which kernel this is, how its memory is used, and whether its clock is kept. */
record SystemPart(Machine machine, TimeSource time) implements EvidenceCollector {
  private static final List<String> FILES =
      List.of(
          "sys/kernel/random/boot_id",
          "sys/kernel/osrelease",
          "version",
          "uptime",
          "loadavg",
          "meminfo",
          "sys/fs/file-nr",
          "sys/kernel/pid_max");

  @Override
  public void collect(EvidenceOutput out) throws IOException {
    out.line("time=" + time.wallTime());
    try {
      ClockState clock = machine.kernel().clock();
      out.line(
          "clock synchronised=%s offset=%sms"
              .formatted(clock.synchronised(), clock.offset().toMillis()));
      if (!clock.synchronised()) {
        out.highlight("nothing keeps the clock in time");
      }
    } catch (IOException refused) {
      out.missing("the clock: " + refused.getMessage());
    }
    for (String file : FILES) {
      KernelFiles.copy(machine.proc().resolve(file), out);
    }
    KernelFiles.copy(machine.seen(Path.of("/etc/os-release")), out);
  }
}
