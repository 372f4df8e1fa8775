package io.probelet.monitor.evidence;

import io.probelet.health.TimeSource;
import io.probelet.monitor.check.Kernel.ClockState;
import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Boot ID, kernel, memory usage, and the synchronization state of the clock. */
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
          "clock synchronized=%s offset=%sms"
              .formatted(clock.synchronised(), clock.offset().toMillis()));
      if (!clock.synchronised()) {
        out.highlight("clock is not synchronized");
      }
    } catch (IOException refused) {
      out.missing("clock: " + refused.getMessage());
    }
    for (String file : FILES) {
      KernelFiles.copy(machine.proc().resolve(file), out);
    }
    KernelFiles.copy(machine.seen(Path.of("/etc/os-release")), out);
  }
}
