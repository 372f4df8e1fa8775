package io.probelet.agent.order;

import io.probelet.monitor.bus.SystemBus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Restarts units of systemd, one after the other, each until it is active (ACT-41).
 *
 * @param pause waits between questions
 */
record ServiceRestart(BusConnector connector, OrderPause pause) {
  private static final Duration BETWEEN = Duration.ofMillis(250);

  /**
   * Restarts them.
   *
   * @throws IOException if one is not there, or not active afterwards; the message is for the user
   * @throws InterruptedException if time runs out
   */
  String of(List<String> units) throws IOException, InterruptedException {
    try (SystemBus bus = connector.connect()) {
      for (SystemBus.Unit unit : bus.units(units)) {
        if (!unit.load().equals("loaded")) { // none is restarted if one cannot be
          throw new IOException(unit.name() + " is " + unit.load() + "; nothing was restarted");
        }
      }
      for (String unit : units) {
        bus.restart(unit);
        awaitActive(bus, unit);
      }
    }
    return "restarted and active: " + String.join(", ", units);
  }

  private void awaitActive(SystemBus bus, String unit) throws IOException, InterruptedException {
    while (true) {
      SystemBus.Unit now = bus.units(List.of(unit)).getFirst();
      if (now.job() == 0) { // until then it may still be active from before
        switch (now.active()) {
          case "active" -> {
            return;
          }
          case "activating", "reloading", "deactivating" -> {} // systemd tries again by itself
          default -> throw new IOException(unit + " is " + now.active() + " after its restart");
        }
      }
      pause.of(BETWEEN);
    }
  }
}
