package io.probelet.manifest;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import io.probelet.health.FailureReason;
import io.probelet.health.TimeSource;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of the operating system about changes in directories. If it cannot watch a directory,
 * there is no signal, and callers must poll.
 */
final class WatchedDirectories implements FolderSignal {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedDirectories.class);

  private final List<Path> paths;
  private final TimeSource time;
  private final WatchService service;
  private final Set<Path> unwatched = new HashSet<>();

  private WatchedDirectories(List<Path> paths, TimeSource time, WatchService service) {
    this.paths = List.copyOf(paths);
    this.time = time;
    this.service = service;
  }

  /** Watches directories, and the directories of files. */
  static FolderSignal of(List<Path> paths, TimeSource time) {
    try {
      WatchedDirectories watched =
          new WatchedDirectories(paths, time, FileSystems.getDefault().newWatchService());
      watched.register();
      return watched;
    } catch (IOException e) {
      LOG.warn(
          "cannot watch files, changes are noticed later reason=\"{}\"", FailureReason.withFile(e));
      return new Silence();
    }
  }

  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    register();
    long deadline = time.nanoTime() + atMost.toNanos();
    try {
      long left;
      while ((left = deadline - time.nanoTime()) > 0) {
        WatchKey key = service.poll(left, TimeUnit.NANOSECONDS);
        if (key == null) {
          return false;
        }
        boolean relevant = key.pollEvents().stream().anyMatch(this::isRelevant);
        // false if the directory is gone, which is relevant too
        if (!key.reset() || relevant) {
          return true;
        }
      }
      return false;
    } catch (ClosedWatchServiceException closed) {
      throw new InterruptedException("closed");
    }
  }

  private boolean isRelevant(WatchEvent<?> event) {
    if (!(event.context() instanceof Path name)) {
      return true; // an overflow: anything may have changed
    }
    // "..data" is the link by which a mounted ConfigMap changes all its files at once
    return FoundFiles.isManifestName(name.toString())
        || name.startsWith("..data")
        || paths.stream().anyMatch(path -> name.equals(path.getFileName()));
  }

  /** Called repeatedly, because a recreated directory needs a new watch. */
  private void register() {
    for (Path path : paths) {
      Path directory = Files.isDirectory(path) ? path : parent(path);
      if (directory == null) {
        continue;
      }
      try {
        directory.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE);
        unwatched.remove(directory);
      } catch (IOException e) {
        if (unwatched.add(directory)) {
          LOG.warn(
              "cannot watch files, changes are noticed later path={} reason=\"{}\"",
              directory,
              FailureReason.of(e));
        }
      }
    }
  }

  private static @Nullable Path parent(Path path) {
    return path.toAbsolutePath().getParent();
  }

  /** Signals nothing, if the machine cannot watch files. */
  private static final class Silence implements FolderSignal {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      if (closed.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new InterruptedException("closed");
      }
      return false;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @Override
  public void close() {
    try {
      service.close();
    } catch (IOException e) {
      LOG.debug("cannot close the watch of files", e);
    }
  }
}
