package io.probelet.monitor.journal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** An open journal, read entry by entry by the thread that opened it. */
public final class OpenJournal implements AutoCloseable {
  /** Per message; longer ones are truncated. */
  static final int MAX_MESSAGE_BYTES = 4096;

  /** systemd's cursors have about 130 characters. */
  private static final int MAX_CURSOR_LENGTH = 512;

  private static final String MESSAGE = "MESSAGE";
  private static final int PREFIX = MESSAGE.length() + 1;
  private static final int NO_SUCH_FIELD = -2;

  private final LibSystemd calls;
  private final MemorySegment journal;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment field = arena.allocateFrom(MESSAGE);
  private final MemorySegment pointer = arena.allocate(ADDRESS);
  private final MemorySegment number = arena.allocate(JAVA_LONG);

  /** The entry after which to begin, until another has been read. */
  private String behind = "";

  OpenJournal(LibSystemd calls, MemorySegment journal) {
    this.calls = calls;
    this.journal = journal;
  }

  void restrict(JournalOrigin origin, Optional<String> machine) throws IOException {
    calls.setMaxBytes(journal, MAX_MESSAGE_BYTES + PREFIX);
    boolean first = true;
    for (List<String> all : origin.matches()) {
      if (!first) {
        calls.or(journal);
      }
      first = false;
      for (String match : all) {
        calls.addMatch(journal, match);
      }
    }
    if (machine.isPresent()) {
      calls.and(journal);
      calls.addMatch(journal, "_MACHINE_ID=" + machine.get());
    }
  }

  /**
   * Begins after an entry.
   *
   * @return whether the cursor is valid; otherwise nothing has changed
   */
  public boolean beginBehind(String cursor) {
    if (cursor.length() > MAX_CURSOR_LENGTH || calls.seekCursor(journal, cursor) < 0) {
      return false;
    }
    behind = cursor;
    return true;
  }

  /**
   * Begins with the first entry at or after that time.
   *
   * @throws IOException if it cannot be read; the message is for the user
   */
  public void beginAt(Instant time) throws IOException {
    calls.seekTime(journal, Math.max(0, ChronoUnit.MICROS.between(Instant.EPOCH, time)));
  }

  /**
   * Begins with the newest entries, or with the first if there are fewer.
   *
   * @param entries how many, 1 or more
   * @throws IOException if it cannot be read; the message is for the user
   */
  public void beginWithNewest(int entries) throws IOException {
    if (!calls.seekBeforeEnd(journal, entries + 1L)) { // behind that one
      calls.seekTime(journal, 0);
    }
  }

  /**
   * Rejects a journal of which the library silently skips all files.
   *
   * @throws IOException if none can be read; the message is for the user
   */
  public void requireReadableFiles() throws IOException {
    if (calls.usage(journal, number) < 0 || number.get(JAVA_LONG, 0) == 0) {
      throw new IOException(
          "cannot read the journal: all its files are corrupt, or written by a newer systemd than"
              + " the installed libsystemd");
    }
  }

  /**
   * Reads one entry, if there is one.
   *
   * @param taker receives it, or why it cannot be read
   * @return whether to continue; if not, there is currently no further entry
   * @throws IOException if nothing more can be read; the message is for the user
   */
  public boolean next(JournalTaker taker) throws IOException {
    if (!calls.next(journal)) {
      return false;
    }
    if (!behind.isEmpty()) {
      boolean seen = calls.testCursor(journal, behind) > 0;
      behind = "";
      if (seen) {
        return true;
      }
      taker.gap("the last entry read was removed from the journal, perhaps with some after it");
    }
    int result = calls.data(journal, field, pointer, number);
    if (result < 0 && result != NO_SUCH_FIELD) {
      taker.gap("cannot read a journal entry: error " + -result);
      return true;
    }
    String message = result < 0 ? "" : message();
    if (calls.realtime(journal, number) < 0) {
      taker.gap("a journal entry has no timestamp");
      return true;
    }
    long micros = number.get(JAVA_LONG, 0);
    taker.entry(message, Instant.EPOCH.plus(micros, ChronoUnit.MICROS), cursor());
    return true;
  }

  private String message() {
    long length = Math.clamp(number.get(JAVA_LONG, 0) - PREFIX, 0, MAX_MESSAGE_BYTES);
    byte[] bytes = at(PREFIX + length).asSlice(PREFIX, length).toArray(JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String cursor() {
    if (calls.cursor(journal, pointer) < 0) {
      return "";
    }
    try {
      return at(MAX_CURSOR_LENGTH + 1).getString(0, StandardCharsets.US_ASCII);
    } catch (IndexOutOfBoundsException tooLong) {
      return "";
    } finally {
      calls.free(pointer.get(ADDRESS, 0));
    }
  }

  /** The memory at the address and of the length reported by the library. */
  @SuppressWarnings("restricted") // memory of a native library
  private MemorySegment at(long bytes) {
    return pointer.get(ADDRESS, 0).reinterpret(bytes);
  }

  /**
   * Waits until something may have been written.
   *
   * @throws IOException if the journal cannot be followed; the message is for the user
   */
  public void awaitChange(Duration atMost) throws IOException {
    calls.await(journal, atMost.toNanos() / 1000);
  }

  @Override
  public void close() {
    calls.close(journal);
    arena.close();
  }
}
