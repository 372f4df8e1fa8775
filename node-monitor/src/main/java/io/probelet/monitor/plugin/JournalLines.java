package io.probelet.monitor.plugin;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the journal holds of one origin, from some time until now.
 *
 * @param program journalctl
 * @param origin which lines, as an option of journalctl
 * @param directory where the journal's files are; empty for the machine's own
 */
record JournalLines(String program, String origin, String directory) {

  /** Reads all messages since then; gives up after so long. */
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
    Process reader = new ProcessBuilder(command).start();
    Thread watchdog = Thread.ofVirtual().name("journal-timeout").start(() -> kill(reader, timeout));
    try (BufferedReader messages = reader.inputReader(StandardCharsets.UTF_8)) {
      for (String line = messages.readLine(); line != null; line = messages.readLine()) {
        each.accept(line);
      }
      String complaint = reader.errorReader(StandardCharsets.UTF_8).readLine();
      if (reader.waitFor() != 0) {
        throw new IOException(program + " failed" + (complaint == null ? "" : ": " + complaint));
      }
    } finally {
      watchdog.interrupt();
      reader.destroyForcibly();
    }
  }

  private static void kill(Process reader, Duration timeout) {
    try {
      if (!reader.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        reader.destroyForcibly();
      }
    } catch (InterruptedException done) {
      Thread.currentThread().interrupt();
    }
  }
}
