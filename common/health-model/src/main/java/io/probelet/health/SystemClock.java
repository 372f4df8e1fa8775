package io.probelet.health;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The machine's clocks; the only class that reads them. */
public enum SystemClock implements TimeSource {
  /** The one instance. */
  INSTANCE;

  /**
   * CLOCK_BOOTTIME in seconds with two digits; unlike the monotonic clock it counts suspensions.
   */
  private static final Path UPTIME = Path.of("/proc/uptime");

  /** A reading that took longer is repeated: the two clocks must be read together. */
  private static final long TOGETHER_NANOS = Duration.ofMillis(5).toNanos();

  private static final int READINGS = 3;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant wallTime() {
    return Instant.now();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long suspendedNanos() {
    long suspended = 0;
    for (int reading = 0; reading < READINGS; reading++) {
      long before = System.nanoTime();
      try {
        suspended = hundredths(Files.readAllBytes(UPTIME)) * 10_000_000L;
      } catch (IOException | IllegalArgumentException unknown) {
        return 0; // not Linux: suspensions are unknown
      }
      long after = System.nanoTime();
      suspended -= after;
      if (after - before < TOGETHER_NANOS) {
        break;
      }
    }
    return suspended;
  }

  private static long hundredths(byte[] uptime) {
    String[] words = new String(uptime, StandardCharsets.US_ASCII).split(" ", 2);
    return Long.parseLong(words[0].replace(".", ""));
  }
}
