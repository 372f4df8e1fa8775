package io.probelet.monitor.evidence;

import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalLibrary;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.journal.JournalTaker;
import io.probelet.monitor.journal.OpenJournal;
import io.probelet.process.CappedOutput;
import io.probelet.process.GroupCommand;
import io.probelet.process.LineOutput;
import io.probelet.process.ProcessGroup;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The newest journal entries of some units, oldest first. Since a journal can be very long, reading
 * starts a number of entries before its end.
 */
record JournalPart(JournalAccess access, JournalPlace place, JournalOrigin origin, Duration timeout)
    implements EvidenceCollector {
  private static final int MAX_ENTRIES = 3000;
  private static final int MAX_LINE_BYTES = 8192;
  private static final String CONTINUED = "| ";
  private static final int MAX_COMPLAINT_BYTES = 4096;

  @Override
  public void collect(EvidenceOutput out) throws IOException, InterruptedException {
    place.requireReadable();
    Optional<JournalLibrary> library = access.library();
    boolean any = library.isPresent() ? byLibrary(library.get(), out) : byProgram(out);
    if (!any) {
      out.line("no journal entries for these units");
    }
  }

  private boolean byLibrary(JournalLibrary library, EvidenceOutput out)
      throws IOException, InterruptedException {
    try (OpenJournal journal = library.open(place, origin)) {
      journal.requireReadableFiles();
      journal.beginWithNewest(MAX_ENTRIES);
      Entries entries = new Entries(out);
      int read = 0;
      // New entries may be written faster than they are read.
      while (read < MAX_ENTRIES && journal.next(entries)) {
        read++;
        if (Thread.interrupted()) {
          throw new InterruptedException("timed out");
        }
      }
      return read > 0;
    }
  }

  private record Entries(EvidenceOutput out) implements JournalTaker {
    @Override
    public void entry(String message, Instant at, String cursor) {
      String before = at + " ";
      for (String line : message.split("\n", -1)) {
        out.line(before + line);
        before = CONTINUED; // with a time it would look like a separate entry
      }
    }

    @Override
    public void gap(String why) {
      out.missing(why);
    }
  }

  private boolean byProgram(EvidenceOutput out) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                access.journalctl(),
                "--no-pager",
                "--quiet",
                "--output=short-iso",
                "--lines=" + MAX_ENTRIES));
    command.addAll(origin.options());
    command.addAll(place.options());
    CappedOutput complaint = new CappedOutput(MAX_COMPLAINT_BYTES);
    boolean[] any = new boolean[1];
    LineOutput lines =
        new LineOutput(
            MAX_LINE_BYTES,
            line -> {
              any[0] = true;
              // journalctl indents what follows a newline, and begins entries with their time
              out.line(line.startsWith(" ") ? CONTINUED + line.strip() : line);
            });
    ProcessGroup reader = start(command, ProcessOutput.to(lines, complaint));
    OptionalInt exitCode = reader.endWithin(timeout);
    if (!exitCode.equals(OptionalInt.of(0))) {
      String why = complaint.text().lines().findFirst().map(line -> ": " + line).orElse("");
      throw new IOException(access.journalctl() + " failed" + why);
    }
    return any[0];
  }

  private ProcessGroup start(List<String> command, ProcessOutput output) throws IOException {
    try {
      return ProcessGroups.load().start(GroupCommand.leading(command, System.getenv()), output);
    } catch (IOException missing) {
      throw new IOException(
          "cannot read the journal: libsystemd is not installed, and "
              + access.journalctl()
              + " cannot be run",
          missing);
    }
  }
}
