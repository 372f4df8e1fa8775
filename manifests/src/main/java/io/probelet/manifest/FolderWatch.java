package io.probelet.manifest;

import io.probelet.health.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects changes of files.
 *
 * <p>The files are read after a quiet moment, so that a file that is being written or replaced does
 * not count as invalid:
 *
 * <pre>
 *   write  write write           quiet            read
 *     |------|-----|---------- 200 ms ----------|--->
 *     |------------------- at most 2 s ---------|
 * </pre>
 */
public final class FolderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  /** How soon a change is detected that the operating system does not report. */
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
     * Reads the current files.
     *
     * @throws InterruptedException if the watch was closed meanwhile; the result is then discarded
     */
    void read(FolderState now) throws InterruptedException;
  }

  /** Lists the files; the caller reads them before the watch starts. */
  public FolderWatch(List<Path> paths, TimeSource time) {
    this.paths = List.copyOf(paths);
    this.time = time;
    this.state = FolderState.of(paths);
  }

  /**
   * Watches single files through their folders.
   *
   * @param name of the thread
   * @param changed rereads the files; they may be unchanged
   * @return closes the watch
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

  /** Returns the first listing. */
  FolderState first() {
    return state;
  }

  /**
   * Starts to watch, on a new thread. Changes since the first listing come first.
   *
   * @param name of the thread
   * @param changed rereads the files; they may be unchanged
   */
  public void start(String name, Runnable changed) {
    start(name, (FolderState _) -> changed.run());
  }

  /** Starts to watch, on a new thread. Changes since the first listing come first. */
  void start(String name, Reader reader) {
    start(name, reader, WatchedDirectories.of(paths, time));
  }

  void start(String name, Reader reader, FolderSignal newSignal) {
    signal = newSignal;
    watcher = time.threads().ofVirtual().name(name).start(() -> run(reader, newSignal));
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

  /** Stops the watch; nothing is read after this returns. */
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
