package io.probelet.monitor.plugin;

import io.probelet.health.TimeSource;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalLibrary;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.journal.JournalTaker;
import io.probelet.monitor.journal.OpenJournal;
import io.probelet.process.CappedOutput;
import io.probelet.process.GroupCommand;
import io.probelet.process.LineOutput;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Reads the journal lines of one origin since a given time.
 *
 * @param origin selects the lines
 */
record JournalLines(
    JournalAccess access, JournalPlace place, JournalOrigin origin, TimeSource time) {
  /** The size limit of a journal message, unless it was sent as a file. */
  private static final int MAX_LINE_BYTES = 64 << 10;

  private static final int MAX_COMPLAINT_BYTES = 4096;

  /**
   * Reads all messages since then, within the timeout.
   *
   * @param each receives the messages one by one
   * @throws IOException if not all can be read in time; the message is for the user
   */
  void read(Instant since, Duration timeout, Consumer<String> each)
      throws IOException, InterruptedException {
    place.requireReadable();
    Optional<JournalLibrary> library = access.library();
    if (library.isPresent()) {
      readByLibrary(library.get(), since, timeout, each);
    } else {
      readByProgram(since, timeout, each);
    }
  }

  private void readByLibrary(
      JournalLibrary library, Instant since, Duration timeout, Consumer<String> each)
      throws IOException, InterruptedException {
    long begun = time.nanoTime();
    try (OpenJournal journal = library.open(place, origin)) {
      journal.requireReadableFiles();
      journal.beginAt(since);
      Messages messages = new Messages(each);
      while (journal.next(messages)) {
        if (Thread.interrupted()) {
          throw new InterruptedException("reading the journal was canceled");
        }
        if (time.nanoTime() - begun > timeout.toNanos()) {
          throw new IOException(
              "reading the journal timed out after " + timeout.toSeconds() + " s");
        }
      }
      if (!messages.unread.isEmpty()) {
        throw new IOException(messages.unread);
      }
    }
  }

  private void readByProgram(Instant since, Duration timeout, Consumer<String> each)
      throws IOException, InterruptedException {
    String program = access.journalctl();
    List<String> command =
        new ArrayList<>(List.of(program, "--no-pager", "--quiet", "--output=cat"));
    command.addAll(origin.options());
    command.add("--since=@" + Math.max(0, since.getEpochSecond()));
    command.addAll(place.options());
    CappedOutput complaint = new CappedOutput(MAX_COMPLAINT_BYTES);
    OptionalInt exitCode =
        ProcessGroups.load()
            .start(
                GroupCommand.leading(command, System.getenv()),
                ProcessOutput.to(new LineOutput(MAX_LINE_BYTES, each), complaint))
            .endWithin(timeout);
    if (!exitCode.equals(OptionalInt.of(0))) {
      String why = complaint.text().lines().findFirst().map(line -> ": " + line).orElse("");
      throw new IOException(program + " failed" + why);
    }
  }

  private static final class Messages implements JournalTaker {
    private final Consumer<String> each;
    private String unread = "";

    Messages(Consumer<String> each) {
      this.each = each;
    }

    @Override
    public void entry(String message, Instant at, String cursor) {
      each.accept(message);
    }

    @Override
    public void gap(String why) {
      unread = why;
    }
  }
}
