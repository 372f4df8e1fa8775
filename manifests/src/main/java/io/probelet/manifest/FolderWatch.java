package io.probelet.manifest;

import io.probelet.health.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that files change.
 *
 * <p>A change is acted on once the files have been quiet for a moment, so that a file half written
 * or half replaced by an editor is not taken for a broken one:
 *
 * <pre>
 *   write  write write           quiet            read
 *     |------|-----|---------- 200 ms ----------|--->
 *     |------------------- at most 2 s ---------|
 * </pre>
 */
public final class FolderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  /** How soon a change is noticed that the operating system does not report. */
  static final Duration RESCAN = Duration.ofSeconds(5);

  static final Duration QUIET = Duration.ofMillis(200);
  static final Duration LONGEST_UNREST = Duration.ofSeconds(2);

  private final List<Path> paths;
  private final TimeSource time;
  private FolderState state;
  private @Nullable FolderSignal signal;
  private @Nullable Thread watcher;

  /** Reads files again. */
  @FunctionalInterface
  interface Reader {
    /**
     * Reads the files as they are now.
     *
     * @throws InterruptedException if it was to end meanwhile; the files are as good as unread
     */
    void read(FolderState now) throws InterruptedException;
  }

  /** Lists the files, which are to be read once before they are watched. */
  public FolderWatch(List<Path> paths, TimeSource time) {
    this.paths = List.copyOf(paths);
    this.time = time;
    this.state = FolderState.of(paths);
  }

  /**
   * Watches single files by the folders that they are in.
   *
   * @param name of the thread
   * @param changed reads them again; they may as well be what they were
   * @return ends the watching
   */
  public static Runnable follow(String name, List<Path> files, TimeSource time, Runnable changed) {
    FolderWatch watch = new FolderWatch(files, time);
    watch.start(name, changed);
    return watch::close;
  }

  /** Returns whether there is nothing to watch. */
  boolean isEmpty() {
    return paths.isEmpty();
  }

  /** Returns what there was to see at first. */
  FolderState first() {
    return state;
  }

  /**
   * Begins to watch, on a thread of its own. The changes since the first listing come first.
   *
   * @param name of the thread
   * @param changed reads the files again; the files may as well be what they were
   */
  public void start(String name, Runnable changed) {
    start(name, (FolderState _) -> changed.run());
  }

  /** Begins to watch, on a thread of its own. The changes since the first listing come first. */
  void start(String name, Reader reader) {
    start(name, reader, WatchedDirectories.of(paths, time));
  }

  void start(String name, Reader reader, FolderSignal newSignal) {
    signal = newSignal;
    watcher = Thread.ofVirtual().name(name).start(() -> run(reader, newSignal));
  }

  private void run(Reader reader, FolderSignal folders) {
    try {
      boolean stirred = true;
      while (!Thread.currentThread().isInterrupted()) {
        if (stirred || !state.equals(state.next(paths))) {
          settle(folders);
          FolderState now = state.next(paths);
          read(reader, now);
          state = now;
        }
        stirred = folders.await(RESCAN);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(Reader reader, FolderState now) throws InterruptedException {
    try {
      reader.read(now);
    } catch (RuntimeException bug) {
      LOG.error("internal error, a change of files is lost files={}", paths, bug);
    }
  }

  private void settle(FolderSignal folders) throws InterruptedException {
    long begin = time.nanoTime();
    boolean quiet = false;
    while (!quiet && time.nanoTime() - begin < LONGEST_UNREST.toNanos()) {
      FolderState before = FolderState.of(paths);
      quiet = !folders.await(QUIET) && before.equals(FolderState.of(paths));
    }
  }

  /** Stops watching; nothing is read any more when this returns. */
  @Override
  public void close() {
    if (watcher != null) {
      watcher.interrupt();
      try {
        if (!watcher.equals(Thread.currentThread())) {
          watcher.join();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (signal != null) {
      signal.close();
    }
  }
}
