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
 * The boot the machine is in.
 *
 * @param id the kernel's name for it; no other boot has it
 * @param at when it was, on the wall clock
 */
public record Boot(String id, Instant at) {
  private static final Logger LOG = LoggerFactory.getLogger(Boot.class);

  /**
   * Says what the stamps of the kernel's messages count from. That is later than the boot on a
   * machine that was suspended: its kernel's clock stood still meanwhile.
   *
   * @return the moment, on the wall clock; the boot where the kernel does not say
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
   * Asks the kernel.
   *
   * @param proc where procfs is, {@code /proc}
   * @return the boot; with an empty id and now as its time where there is no procfs
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
