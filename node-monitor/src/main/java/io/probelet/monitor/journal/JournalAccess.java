package io.probelet.monitor.journal;

import java.util.Optional;

/**
 * By what a journal is read.
 *
 * @param byLibrary whether systemd's library is used where it is installed
 * @param journalctl the program that is used otherwise
 */
public record JournalAccess(boolean byLibrary, String journalctl) {
  /** systemd's library, or the {@code journalctl} in PATH where it is not installed. */
  public static final JournalAccess USUAL = new JournalAccess(true, "journalctl");

  /** {@return systemd's library; empty if it is not to be used or not installed} */
  public Optional<JournalLibrary> library() {
    return byLibrary ? JournalLibrary.find() : Optional.empty();
  }
}
