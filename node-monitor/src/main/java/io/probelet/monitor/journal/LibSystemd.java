package io.probelet.monitor.journal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The calls of libsystemd that read a journal. They return negative error numbers. A journal is
 * used by one thread at a time.
 */
final class LibSystemd {
  private static final String NAME = "libsystemd.so.0";

  /** The path is a root directory, in which the default journal folders are searched. */
  private static final int OS_ROOT = 1 << 4;

  private static final Linker LINKER = Linker.nativeLinker();

  private final MethodHandle openDirectory;
  private final MethodHandle close;
  private final MethodHandle addMatch;
  private final MethodHandle addDisjunction;
  private final MethodHandle addConjunction;
  private final MethodHandle setDataThreshold;
  private final MethodHandle seekCursor;
  private final MethodHandle testCursor;
  private final MethodHandle seekRealtime;
  private final MethodHandle seekTail;
  private final MethodHandle previousSkip;
  private final MethodHandle next;
  private final MethodHandle getData;
  private final MethodHandle getRealtime;
  private final MethodHandle getCursor;
  private final MethodHandle await;
  private final MethodHandle getUsage;
  private final MethodHandle free;

  @SuppressWarnings("restricted") // native calls
  private LibSystemd(SymbolLookup library) {
    openDirectory = of(library, "open_directory", ADDRESS, ADDRESS, JAVA_INT);
    close =
        LINKER.downcallHandle(
            library.findOrThrow("sd_journal_close"), FunctionDescriptor.ofVoid(ADDRESS));
    addMatch = of(library, "add_match", ADDRESS, ADDRESS, JAVA_LONG);
    addDisjunction = of(library, "add_disjunction", ADDRESS);
    addConjunction = of(library, "add_conjunction", ADDRESS);
    setDataThreshold = of(library, "set_data_threshold", ADDRESS, JAVA_LONG);
    seekCursor = of(library, "seek_cursor", ADDRESS, ADDRESS);
    testCursor = of(library, "test_cursor", ADDRESS, ADDRESS);
    seekRealtime = of(library, "seek_realtime_usec", ADDRESS, JAVA_LONG);
    seekTail = of(library, "seek_tail", ADDRESS);
    previousSkip = of(library, "previous_skip", ADDRESS, JAVA_LONG);
    next = of(library, "next", ADDRESS);
    getData = of(library, "get_data", ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    getRealtime = of(library, "get_realtime_usec", ADDRESS, ADDRESS);
    getCursor = of(library, "get_cursor", ADDRESS, ADDRESS);
    await = of(library, "wait", ADDRESS, JAVA_LONG);
    getUsage = of(library, "get_usage", ADDRESS, ADDRESS);
    free =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ADDRESS));
  }

  @SuppressWarnings("restricted") // native calls
  private static MethodHandle of(SymbolLookup library, String name, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        library.findOrThrow("sd_journal_" + name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /**
   * {@return the library; empty if it is not installed, lacks a call, or native access is disabled}
   */
  @SuppressWarnings("restricted") // a native library
  static Optional<LibSystemd> load() {
    try {
      return Optional.of(new LibSystemd(SymbolLookup.libraryLookup(NAME, Arena.global())));
    } catch (IllegalArgumentException | NoSuchElementException | IllegalCallerException absent) {
      return Optional.empty();
    }
  }

  /** Opens a journal, which {@link #close} has to close. */
  MemorySegment open(JournalPlace place) throws IOException {
    Optional<Path> named = place.named();
    String path = named.orElse(place.root()).toString();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment journal = arena.allocate(ADDRESS);
      int result =
          (int)
              openDirectory.invokeExact(
                  journal, arena.allocateFrom(path), named.isPresent() ? 0 : OS_ROOT);
      if (result < 0) {
        throw refused("opening " + path, result);
      }
      return journal.get(ADDRESS, 0);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  void close(MemorySegment journal) {
    try {
      close.invokeExact(journal);
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Adds a match: entries must have this field with this value. */
  void addMatch(MemorySegment journal, String match) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(match);
      int result = (int) addMatch.invokeExact(journal, text, text.byteSize() - 1);
      requireSuccess("filtering by " + match, result);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Starts an alternative to the matches so far (OR). */
  void or(MemorySegment journal) throws IOException {
    requireSuccess("combining filters", call(addDisjunction, journal));
  }

  /** Starts matches that must hold in addition (AND). */
  void and(MemorySegment journal) throws IOException {
    requireSuccess("combining filters", call(addConjunction, journal));
  }

  /** Limits how many bytes of larger values are unpacked. */
  void setMaxBytes(MemorySegment journal, long bytes) throws IOException {
    try {
      int result = (int) setDataThreshold.invokeExact(journal, bytes);
      requireSuccess("limiting the entry size", result);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** {@return a negative error if the cursor is invalid} */
  int seekCursor(MemorySegment journal, String cursor) {
    return withCursor(seekCursor, journal, cursor);
  }

  /** {@return positive if the current entry matches the cursor} */
  int testCursor(MemorySegment journal, String cursor) {
    return withCursor(testCursor, journal, cursor);
  }

  private static int withCursor(MethodHandle call, MemorySegment journal, String cursor) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) call.invokeExact(journal, arena.allocateFrom(cursor));
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  void seekTime(MemorySegment journal, long micros) throws IOException {
    try {
      int result = (int) seekRealtime.invokeExact(journal, micros);
      requireSuccess("seeking to a time", result);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /**
   * Moves back from the end by a number of entries.
   *
   * @return whether there were that many
   */
  boolean seekBeforeEnd(MemorySegment journal, long entries) throws IOException {
    requireSuccess("seeking to the end", call(seekTail, journal));
    try {
      int result = (int) previousSkip.invokeExact(journal, entries);
      requireSuccess("reading backwards", result);
      return result == entries;
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** {@return whether there is another entry, which becomes the current one} */
  boolean next(MemorySegment journal) throws IOException {
    int result = call(next, journal);
    requireSuccess("reading", result);
    return result > 0;
  }

  /** Stores the address of the field's data, {@code FIELD=value}, valid until the next call. */
  int data(MemorySegment journal, MemorySegment field, MemorySegment data, MemorySegment length) {
    try {
      return (int) getData.invokeExact(journal, field, data, length);
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  int realtime(MemorySegment journal, MemorySegment micros) {
    return with(getRealtime, journal, micros);
  }

  /** Stores the address of the cursor, which must be {@link #free}d. */
  int cursor(MemorySegment journal, MemorySegment cursor) {
    return with(getCursor, journal, cursor);
  }

  private static int with(MethodHandle call, MemorySegment journal, MemorySegment answer) {
    try {
      return (int) call.invokeExact(journal, answer);
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  void free(MemorySegment memory) {
    try {
      free.invokeExact(memory);
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Waits until something may have changed, at most for this time. */
  void await(MemorySegment journal, long micros) throws IOException {
    try {
      int result = (int) await.invokeExact(journal, micros);
      requireSuccess("waiting for entries", result);
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  /** Stores the total size of the files that could be opened. */
  int usage(MemorySegment journal, MemorySegment bytes) {
    return with(getUsage, journal, bytes);
  }

  private static int call(MethodHandle call, MemorySegment journal) {
    try {
      return (int) call.invokeExact(journal);
    } catch (Throwable impossible) {
      throw broken(impossible);
    }
  }

  private static void requireSuccess(String what, int result) throws IOException {
    if (result < 0) {
      throw refused(what, result);
    }
  }

  private static IOException refused(String what, int result) {
    return new IOException(
        "cannot read the journal: " + what + " failed with error " + Math.negateExact(result));
  }

  private static AssertionError broken(Throwable impossible) {
    return new AssertionError("unexpected exception from a libsystemd call", impossible);
  }
}
