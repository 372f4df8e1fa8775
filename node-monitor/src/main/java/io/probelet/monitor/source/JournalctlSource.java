package io.probelet.monitor.source;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.TimeSource;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.process.CappedOutput;
import io.probelet.process.GroupCommand;
import io.probelet.process.LineOutput;
import io.probelet.process.ProcessGroup;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the systemd journal with {@code journalctl}, where systemd's library is not installed.
 * Its cursors are the same.
 */
public final class JournalctlSource implements LineSource {
  /** journalctl does not report when it has caught up. */
  private static final Duration BACKLOG = Duration.ofMillis(500);

  /** journalctl shows messages up to 4 KiB only, each byte with at most 5 characters. */
  private static final int MAX_ENTRY_BYTES = 64 << 10;

  private static final int MAX_COMPLAINT_BYTES = 4096;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String program;
  private final JournalPlace place;
  private final JournalOrigin origin;
  private final Instant notBefore;
  private final TimeSource time;
  private final Pause pause = new Pause();
  private volatile String cursor;
  private volatile @Nullable ProcessGroup process;

  /**
   * Creates a source.
   *
   * @param origin selects the lines
   * @param notBefore where to begin without a position
   * @param position an earlier {@link #position}; else empty
   */
  public JournalctlSource(
      String program,
      JournalPlace place,
      JournalOrigin origin,
      Instant notBefore,
      String position,
      TimeSource time) {
    this.program = program;
    this.place = place;
    this.origin = origin;
    this.notBefore = notBefore;
    this.time = time;
    cursor = position;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    CappedOutput complaint = new CappedOutput(MAX_COMPLAINT_BYTES);
    ProcessGroup reader =
        start(
            new ProcessOutput(
                new LineOutput(MAX_ENTRY_BYTES, line -> entry(line, sink)), complaint, true));
    process = reader;
    if (pause.isClosed()) {
      reader.kill();
    }
    Thread.ofVirtual().name("journal-backlog").start(() -> signalWhenRead(reader, sink));
    try {
      reader.readOutput();
      var _ = reader.waitFor();
    } finally {
      reader.kill();
    }
    if (!pause.isClosed()) {
      String why = complaint.text().lines().findFirst().map(line -> ": " + line).orElse("");
      throw new IOException(program + " exited" + why);
    }
  }

  private ProcessGroup start(ProcessOutput output) throws IOException {
    place.requireReadable();
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--follow",
                "--no-tail",
                "--no-pager",
                "--quiet",
                "--output=json",
                "--output-fields=MESSAGE"));
    command.addAll(origin.options());
    command.addAll(place.options());
    command.add(
        cursor.isEmpty()
            ? "--since=@" + Math.max(0, notBefore.getEpochSecond())
            : "--after-cursor=" + cursor);
    try {
      return ProcessGroups.load().start(GroupCommand.leading(command, System.getenv()), output);
    } catch (IOException missing) {
      throw new UnavailableException(
          Obstacle.NOT_INSTALLED,
          "cannot read the journal: libsystemd is not installed, and "
              + program
              + " cannot be run: "
              + missing.getMessage(),
          missing);
    }
  }

  private void entry(String line, Sink sink) {
    try {
      JsonNode entry = JSON.readTree(line);
      long micros = entry.path("__REALTIME_TIMESTAMP").asLong();
      Instant at =
          micros == 0
              ? time.wallTime()
              : Instant.EPOCH.plus(Duration.of(micros, ChronoUnit.MICROS));
      sink.line(message(entry.path("MESSAGE")).strip(), at);
      cursor = entry.path("__CURSOR").asText(cursor);
    } catch (JacksonException malformed) {
      sink.gap(1, program + " wrote a line that is not JSON");
    }
  }

  /** A message that is not UTF-8 is a list of bytes. */
  private static String message(JsonNode message) {
    if (!message.isArray()) {
      return message.asText();
    }
    byte[] bytes = new byte[message.size()];
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = (byte) message.get(at).asInt();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void signalWhenRead(ProcessGroup reader, Sink sink) {
    try {
      if (pause.lasts(BACKLOG) && reader.isAlive()) {
        sink.upToDate();
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String position() {
    return cursor;
  }

  @Override
  public void close() {
    pause.close();
    ProcessGroup reader = process;
    if (reader != null) {
      reader.kill();
    }
  }
}
