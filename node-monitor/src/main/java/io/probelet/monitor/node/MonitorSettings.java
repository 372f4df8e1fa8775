package io.probelet.monitor.node;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * What a monitor needs to know of the machine.
 *
 * @param stateFile what a restart begins with; its directory is made if need be; null to keep
 *     nothing
 * @param kmsg what is read where a file says {@code /dev/kmsg}
 * @param zone the zone of times in logs that say none
 */
public record MonitorSettings(
    @Nullable Path stateFile, Path kmsg, JournalAccess journal, Machine machine, ZoneId zone) {
  /**
   * {@return the settings of this machine}
   *
   * @param stateFile what a restart begins with; null to keep nothing
   * @param kmsg what is read where a file says {@code /dev/kmsg}
   */
  public static MonitorSettings of(@Nullable Path stateFile, Path kmsg, Machine machine) {
    return new MonitorSettings(
        stateFile, kmsg, JournalAccess.USUAL, machine, ZoneId.systemDefault());
  }
}
