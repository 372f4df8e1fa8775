package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.check.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current boot of the machine.
 *
 * @param id the kernel's unique boot ID
 * @param at when it began, on the wall clock
 */
public record Boot(String id, Instant at) {
  private static final Logger LOG = LoggerFactory.getLogger(Boot.class);

  /**
   * Returns the moment from which timestamps of kernel messages count. On a machine that was
   * suspended this is later than the boot, because the kernel's clock stood still.
   *
   * @return the moment, on the wall clock; the boot if the kernel does not report it
   */
  public static Instant stampsBegin(Machine machine) {
    try {
      return machine.time().wallTime().minus(machine.kernel().awake());
    } catch (IOException unknown) {
      LOG.debug("dating kernel messages by uptime: {}", unknown.getMessage());
      return of(machine.proc(), machine.time()).at();
    }
  }

  /**
   * Reads the current boot.
   *
   * @param proc the procfs, {@code /proc}
   * @return the boot; with an empty ID and the current time if there is no procfs
   */
  public static Boot of(Path proc, TimeSource time) {
    try {
      String id = Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
      String uptime = Files.readString(proc.resolve("uptime")).split(" ", -1)[0];
      Duration up = Duration.ofMillis((long) (Double.parseDouble(uptime) * 1000));
      return new Boot(id, time.wallTime().minus(up));
    } catch (IOException | NumberFormatException unknown) {
      LOG.warn("boot ID unknown, state will not survive a restart: {}", unknown.toString());
      return new Boot("", time.wallTime());
    }
  }
}
