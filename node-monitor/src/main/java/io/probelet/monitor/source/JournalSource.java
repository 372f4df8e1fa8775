package io.probelet.monitor.source;

import io.probelet.health.TimeSource;
import io.probelet.monitor.journal.JournalLibrary;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.journal.JournalTaker;
import io.probelet.monitor.journal.OpenJournal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Follows the systemd journal with systemd's own library. */
public final class JournalSource implements LineSource {
  /** The library waits in native code, where closing does not reach it. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  /** The most wake-ups for a journal that is written continuously. */
  private static final Duration LULL = Duration.ofMillis(100);

  /** The library reports vanished files as silence, not as an error. */
  private static final Duration RECHECK = Duration.ofSeconds(30);

  private final JournalLibrary library;
  private final JournalPlace place;
  private final JournalOrigin origin;
  private final Instant notBefore;
  private final TimeSource time;
  private final Pause pause = new Pause();
  private volatile String cursor;

  /**
   * Creates a source.
   *
   * @param origin selects the lines
   * @param notBefore where to begin without a position
   * @param position an earlier {@link #position}; else empty
   */
  public JournalSource(
      JournalLibrary library,
      JournalPlace place,
      JournalOrigin origin,
      Instant notBefore,
      String position,
      TimeSource time) {
    this.library = library;
    this.place = place;
    this.origin = origin;
    this.notBefore = notBefore;
    this.time = time;
    cursor = position;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    place.requireReadable();
    try (OpenJournal journal = library.open(place, origin)) {
      journal.requireReadableFiles();
      begin(journal, sink);
      Lines lines = new Lines(sink);
      readAll(journal, lines);
      if (!pause.isClosed()) {
        sink.upToDate();
      }
      follow(journal, lines);
    }
  }

  private void begin(OpenJournal journal, Sink sink) throws IOException {
    if (!cursor.isEmpty() && journal.beginBehind(cursor)) {
      return;
    }
    if (!cursor.isEmpty()) {
      sink.gap(1, "the saved journal cursor is invalid; reading the lookback again");
      cursor = "";
    }
    journal.beginAt(notBefore);
  }

  private void follow(OpenJournal journal, Lines lines) throws IOException, InterruptedException {
    long checked = time.nanoTime();
    while (pause.lasts(LULL)) {
      journal.awaitChange(WAIT);
      readAll(journal, lines);
      if (time.nanoTime() - checked >= RECHECK.toNanos()) {
        place.requireReadable();
        journal.requireReadableFiles();
        checked = time.nanoTime();
      }
    }
  }

  private void readAll(OpenJournal journal, Lines lines) throws IOException {
    boolean more = true;
    while (more && !pause.isClosed()) {
      more = journal.next(lines);
    }
  }

  @Override
  public String position() {
    return cursor;
  }

  @Override
  public void close() {
    pause.close();
  }

  private final class Lines implements JournalTaker {
    private final Sink sink;

    Lines(Sink sink) {
      this.sink = sink;
    }

    @Override
    public void entry(String message, Instant at, String behind) {
      sink.line(message.strip(), at);
      if (!behind.isEmpty()) {
        cursor = behind;
      }
    }

    @Override
    public void gap(String why) {
      sink.gap(1, why);
    }
  }
}
