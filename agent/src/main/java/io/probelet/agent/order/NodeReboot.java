package io.probelet.agent.order;

import io.probelet.monitor.bus.SystemBus;
import io.probelet.remediator.resource.RebootMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Reboots the node, and does not return if that works (ACT-41).
 *
 * @param sysRq the kernel's file for magic keys, {@code /proc/sysrq-trigger}
 */
record NodeReboot(BusConnector connector, Path sysRq, OrderPause pause) {
  /** Syncing goes on after the key is pressed, and nobody says when it is done. */
  private static final Duration SYNCING = Duration.ofSeconds(5);

  /**
   * Reboots.
   *
   * @param within how long it may take until this process is ended with all others
   * @throws IOException if it is refused, or does not happen; the message is for the user
   * @throws InterruptedException if time runs out
   */
  void of(RebootMode mode, Duration within) throws IOException, InterruptedException {
    switch (mode) {
      case REBOOT, KEXEC -> {
        try (SystemBus bus = connector.connect()) {
          bus.reboot(mode == RebootMode.KEXEC);
        }
      }
      case SYS_RQ -> {
        press("s");
        pause.of(SYNCING);
        press("u");
        press("b");
      }
    }
    pause.of(within);
    throw new IOException("the node did not shut down within " + within.toSeconds() + " s");
  }

  private void press(String key) throws IOException {
    try {
      Files.write(sysRq, key.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
    } catch (IOException refused) {
      throw new IOException("cannot write " + key + " to " + sysRq + ": " + refused, refused);
    }
  }
}
