package io.probelet.monitor.node;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the monitor that depend on the machine.
 *
 * @param stateFile keeps the state over restarts; its directory is created if missing; null to keep
 *     no state
 * @param kmsg the source to read for {@code /dev/kmsg} in monitor files
 * @param zone the zone of log times without a zone
 */
public record MonitorSettings(
    @Nullable Path stateFile, Path kmsg, JournalAccess journal, Machine machine, ZoneId zone) {
  /**
   * {@return the settings of this machine}
   *
   * @param stateFile keeps the state over restarts; null to keep no state
   * @param kmsg the source to read for {@code /dev/kmsg} in monitor files
   */
  public static MonitorSettings of(@Nullable Path stateFile, Path kmsg, Machine machine) {
    return new MonitorSettings(
        stateFile, kmsg, JournalAccess.USUAL, machine, ZoneId.systemDefault());
  }
}
