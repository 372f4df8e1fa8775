package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * What all processors together have done since the machine was started, by {@code /proc/stat}.
 *
 * @param busyMicros at work: programs, the kernel, interrupts
 */
record MachineTimes(long busyMicros, long stolenMicros) {
  private static final int TICKS_PER_SECOND = 100;

  /** Columns of proc(5), behind the name: user, nice, system, then irq and softirq. */
  private static final int[] BUSY = {1, 2, 3, 6, 7};

  private static final int STOLEN = 8;

  static MachineTimes now() throws IOException {
    return parse(Files.readString(Path.of("/proc/stat")));
  }

  static MachineTimes parse(String stat) {
    String first = stat.lines().findFirst().orElse("");
    String[] columns = first.split(" +", -1);
    if (!columns[0].equals("cpu") || columns.length <= STOLEN) {
      throw new IllegalArgumentException(
          "/proc/stat begins with cpu and its times, found: " + first);
    }
    long busy = 0;
    for (int column : BUSY) {
      busy += micros(columns[column]);
    }
    return new MachineTimes(busy, micros(columns[STOLEN]));
  }

  MachineTimes since(MachineTimes before) {
    return new MachineTimes(busyMicros - before.busyMicros, stolenMicros - before.stolenMicros);
  }

  private static long micros(String ticks) {
    return TimeUnit.SECONDS.toMicros(Long.parseLong(ticks)) / TICKS_PER_SECOND;
  }
}
