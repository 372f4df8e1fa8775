package io.probelet.monitor.source;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows a text file through rotation, by rename or copytruncate, without losing or repeating a
 * line (B-7). It is polled four times a second, and fifty times while it grows. Two rotations
 * between two polls lose the file in between.
 */
public final class FileSource implements LineSource {
  private static final Duration BUSY = Duration.ofMillis(20);
  private static final Duration QUIET = Duration.ofMillis(250);

  /** Writers continue with a renamed file until they are signaled to reopen it. */
  private static final Duration STRAGGLERS = Duration.ofSeconds(10);

  private final Path path;
  private final Lookback lookback;
  private final Predicate<String> wanted;
  private final TimeSource time;
  private final RotatedFiles names;
  private final Pause pause = new Pause();
  private final List<Retired> retired = new ArrayList<>();
  private @Nullable TailedFile current;

  /** The position to continue from; empty if there is none. */
  private String resumeAt;

  private volatile String position;

  private record Retired(TailedFile file, long quietSince) {}

  /**
   * Creates a source.
   *
   * @param lookback where to begin in the existing content
   * @param position an earlier {@link #position}; else empty
   * @param wanted selects the lines to report
   */
  public FileSource(
      Path path, Lookback lookback, String position, Predicate<String> wanted, TimeSource time) {
    this.path = path;
    this.lookback = lookback;
    this.wanted = wanted;
    this.time = time;
    names = new RotatedFiles(path);
    this.position = position;
    resumeAt = position;
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    boolean caughtUp = false;
    try {
      boolean any;
      do {
        any = poll(sink);
        if (!caughtUp && current != null) {
          sink.upToDate();
          caughtUp = true;
        }
      } while (pause.lasts(any ? BUSY : QUIET));
    } finally {
      if (pause.isClosed()) {
        closeAll();
      }
    }
  }

  private boolean poll(Sink sink) throws IOException {
    Instant now = time.wallTime();
    boolean any = false;
    for (Iterator<Retired> files = retired.iterator(); files.hasNext(); ) {
      Retired old = files.next();
      any |= drain(old.file(), sink, now);
      if (time.nanoTime() - old.quietSince() > STRAGGLERS.toNanos()) {
        old.file().close();
        files.remove();
      }
    }
    TailedFile file = current;
    if (file == null) {
      file = openFirst(sink);
      current = file;
    }
    any |= drain(file, sink, now);
    Optional<String> named = names.keyNow();
    if (named.isPresent() && !named.get().equals(file.key())) {
      any |= drain(file, sink, now);
      // Opened first: while the new file cannot be opened, the old one is still read.
      TailedFile next = TailedFile.open(path, 0);
      retired.add(new Retired(file, time.nanoTime()));
      current = next;
      any |= drain(next, sink, now);
    }
    TailedFile open = current;
    position = open == null ? "" : open.place().toString();
    return any;
  }

  private boolean drain(TailedFile file, Sink sink, Instant now) throws IOException {
    return file.drain(
        line -> {
          if (wanted.test(line)) {
            sink.line(line, now);
          }
        },
        () -> sink.gap(1, path + " was truncated before its end was read"));
  }

  private TailedFile openFirst(Sink sink) throws IOException {
    try {
      return resumeAt.isEmpty()
          ? TailedFile.open(path, file -> lookback.start(file, sink))
          : resume(FilePlace.parse(resumeAt), sink);
    } catch (NoSuchFileException missing) {
      resumeAt = FilePlace.ABSENT.toString(); // once it appears, all of it is new
      throw new IOException("cannot read " + path + ": no such file", missing);
    } catch (AccessDeniedException denied) {
      throw new IOException("cannot read " + path + ": permission denied", denied);
    }
  }

  private TailedFile resume(FilePlace place, Sink sink) throws IOException {
    Optional<Path> before = place.isAbsent() ? Optional.empty() : names.find(place.key());
    if (before.isPresent()) {
      TailedFile found = TailedFile.resume(before.get(), place);
      for (Path skipped : before.get().equals(path) ? List.<Path>of() : names.after(before.get())) {
        sink.gap(1, skipped + " was rotated before it was read");
      }
      return found;
    }
    TailedFile fresh = TailedFile.open(path, 0); // a different file, and all of it is new
    if (!place.isAbsent()) {
      sink.gap(1, path + " was replaced before the agent started, and the previous file is gone");
    }
    return fresh;
  }

  private void closeAll() throws IOException {
    for (Retired old : retired) {
      old.file().close();
    }
    TailedFile file = current;
    if (file != null) {
      file.close();
    }
  }

  @Override
  public String position() {
    return position;
  }

  @Override
  public void close() {
    pause.close();
  }
}
