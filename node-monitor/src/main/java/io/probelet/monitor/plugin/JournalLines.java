package io.probelet.monitor.plugin;

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
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What the journal holds of one origin, from some time until now.
 *
 * @param program journalctl
 * @param origin which lines, as an option of journalctl
 * @param directory where the journal's files are; empty for the machine's own
 */
record JournalLines(String program, String origin, String directory) {
  /** What one message of the journal may have at most, unless it was sent as a file. */
  private static final int MAX_LINE_BYTES = 64 << 10;

  private static final int MAX_COMPLAINT_BYTES = 4096;

  /**
   * Reads all messages since then; gives up after so long.
   *
   * @param each takes the messages, one at a time, on another thread
   */
  void read(Instant since, Duration timeout, Consumer<String> each)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--no-pager",
                "--quiet",
                "--output=cat",
                origin,
                "--since=@" + Math.max(0, since.getEpochSecond())));
    if (!directory.isEmpty()) {
      command.add("--directory=" + directory);
    }
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
}
