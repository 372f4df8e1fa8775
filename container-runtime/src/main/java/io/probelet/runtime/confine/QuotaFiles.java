package io.probelet.runtime.confine;

import io.probelet.probe.runtime.CpuQuota;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads how the kernel throttles a control group. It reads only the group's own limit, not those of
 * its parents.
 */
public final class QuotaFiles {
  /** The kernel's files have a few hundred bytes. */
  private static final int MAX_BYTES = 4096;

  private static final long MILLIS = 1000;

  private QuotaFiles() {}

  /**
   * {@return the limit and its counters; empty without a limit, or if the group does not exist}
   *
   * @param group its folder, in a hierarchy of either version that controls CPU time
   */
  public static Optional<CpuQuota> read(Path group) {
    try {
      Optional<Long> limit = limitMillis(group);
      if (limit.isEmpty()) {
        return Optional.empty();
      }
      String counts = text(group.resolve("cpu.stat"));
      return Optional.of(
          new CpuQuota(limit.get(), count(counts, "nr_periods"), count(counts, "nr_throttled")));
    } catch (IOException | NumberFormatException unreadable) {
      return Optional.empty(); // the group disappears with its last process
    }
  }

  private static Optional<Long> limitMillis(Path group) throws IOException {
    Path unified = group.resolve("cpu.max");
    String quota;
    String period;
    if (Files.exists(unified)) {
      String[] words = text(unified).split(" ", -1);
      quota = words[0];
      period = words.length == 2 ? words[1] : "";
    } else {
      quota = text(group.resolve("cpu.cfs_quota_us"));
      period = text(group.resolve("cpu.cfs_period_us"));
    }
    if (quota.equals("max") || quota.startsWith("-")) {
      return Optional.empty();
    }
    long micros = Long.parseLong(period);
    return micros <= 0
        ? Optional.empty()
        : Optional.of(Math.max(1, Math.multiplyExact(Long.parseLong(quota), MILLIS) / micros));
  }

  private static long count(String counts, String name) throws IOException {
    return counts
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new IOException("no " + name));
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII).strip();
    }
  }
}
