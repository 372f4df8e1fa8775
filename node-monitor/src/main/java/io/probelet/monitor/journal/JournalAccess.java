package io.probelet.monitor.journal;

import java.util.Optional;

/**
 * How a journal is read.
 *
 * @param byLibrary whether to use systemd's library where it is installed
 * @param journalctl the program to use otherwise
 */
public record JournalAccess(boolean byLibrary, String journalctl) {
  /** systemd's library, or the {@code journalctl} in PATH where it is not installed. */
  public static final JournalAccess USUAL = new JournalAccess(true, "journalctl");

  /** {@return systemd's library; empty if disabled or not installed} */
  public Optional<JournalLibrary> library() {
    return byLibrary ? JournalLibrary.find() : Optional.empty();
  }
}
