package io.probelet.agent.manifest;

import io.probelet.agent.manifest.pod.Mode;
import io.probelet.health.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manifests that are read again whenever they change.
 *
 * <p>A change is acted on once the files have been quiet for a moment, so that a file half written
 * or half replaced by an editor is not taken for a broken one:
 *
 * <pre>
 *   write  write write           quiet            read, tell the listener
 *     |------|-----|---------- 200 ms ----------|--->
 *     |------------------- at most 2 s ---------|
 * </pre>
 *
 * <p>A file with errors is reported and its pods of before stay; a file that is gone takes its pods
 * along.
 */
public final class ManifestFolder implements AutoCloseable {
  /** How soon a change is noticed that the operating system does not tell of. */
  static final Duration RESCAN = Duration.ofSeconds(5);

  static final Duration QUIET = Duration.ofMillis(200);
  static final Duration LONGEST_UNREST = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(ManifestFolder.class);

  private final List<Path> paths;
  private final Mode mode;
  private final TimeSource time;
  private final LastGood pods;
  private FolderState state;
  private @Nullable FolderSignal signal;
  private @Nullable Thread watcher;

  /**
   * Reads manifests for the first time.
   *
   * @param paths files and directories, taken as {@link ManifestReader} does
   * @param mode what pods are read for
   * @param time the clock for waiting
   */
  public ManifestFolder(List<Path> paths, Mode mode, TimeSource time) {
    this.paths = List.copyOf(paths);
    this.mode = mode;
    this.time = time;
    this.state = FolderState.of(paths);
    this.pods = new LastGood(read(state), state.found());
  }

  /** {@return what the first reading came to} */
  public Manifests first() {
    return pods.first();
  }

  /**
   * Begins to watch, on a thread of its own. The changes since the first reading come first.
   *
   * @param listener told of each change that makes a difference, one at a time
   */
  public void watch(Consumer<ManifestChange> listener) {
    watch(listener, WatchedDirectories.of(paths, time));
  }

  void watch(Consumer<ManifestChange> listener, FolderSignal newSignal) {
    signal = newSignal;
    watcher = Thread.ofVirtual().name("manifests").start(() -> run(listener, newSignal));
  }

  private void run(Consumer<ManifestChange> listener, FolderSignal folders) {
    try {
      boolean stirred = true;
      while (!Thread.currentThread().isInterrupted()) {
        if (stirred || !state.equals(FolderState.of(paths))) {
          settle(folders);
          update(listener);
        }
        stirred = folders.await(RESCAN);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
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

  private void update(Consumer<ManifestChange> listener) throws InterruptedException {
    FolderState now = FolderState.of(paths);
    List<FileManifests> files = read(now);
    if (Thread.interrupted()) {
      throw new InterruptedException("closed while reading, which may have broken it off");
    }
    state = now;
    Optional<ManifestChange> change = pods.update(files, now.found());
    try {
      change.ifPresent(listener);
    } catch (RuntimeException e) {
      LOG.error("manifests change=lost: the listener failed", e);
    }
  }

  private List<FileManifests> read(FolderState folder) {
    return folder.found().files().stream().map(file -> FileManifests.read(file, mode)).toList();
  }

  /** Stops watching; the listener is not called any more when this returns. */
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
