package io.probelet.monitor.journal;

import java.io.IOException;
import java.util.Optional;

/** systemd's library for reading journals. */
public final class JournalLibrary {
  private static final Optional<JournalLibrary> FOUND = LibSystemd.load().map(JournalLibrary::new);

  private final LibSystemd calls;

  private JournalLibrary(LibSystemd calls) {
    this.calls = calls;
  }

  /** {@return the library; empty if it is not installed, or native access is disabled} */
  static Optional<JournalLibrary> find() {
    return FOUND;
  }

  /**
   * Opens a journal. Its files need not exist yet; see {@link JournalPlace#requireReadable}.
   *
   * @return the journal, before its first entry; for the calling thread only
   * @throws IOException if it cannot be opened; the message is for the user
   */
  public OpenJournal open(JournalPlace place, JournalOrigin origin) throws IOException {
    OpenJournal journal = new OpenJournal(calls, calls.open(place));
    try {
      journal.restrict(origin, place.machine());
      return journal;
    } catch (IOException refused) {
      journal.close();
      throw refused;
    }
  }
}
