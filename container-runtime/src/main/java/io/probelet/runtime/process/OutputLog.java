package io.probelet.runtime.process;

import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import io.probelet.health.TimeSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one container, which all its instances share. Its files never exceed {@link
 * LogRotation#total}, whatever is written: a container writes to a pipe, and only this class writes
 * to the files. It never makes the container wait for room: output that is written faster than it
 * could be kept, and output for which the disk has no room, is dropped, counted and reported in the
 * log. The last bytes are kept in any case, since they tell why a container failed.
 */
final class OutputLog {
  /** A failed rotation has copied up to one file in vain. */
  static final Duration REST = Duration.ofSeconds(10);

  static final int TAIL = 8192;

  private static final Logger LOG = LoggerFactory.getLogger(OutputLog.class);
  private static final long WINDOW = Duration.ofSeconds(1).toNanos();
  private static final long LINES_EVERY = Duration.ofMinutes(1).toNanos();

  private final Path file;
  private final LogRotation rotation;
  private final TimeSource time;
  private final LongAdder droppedByAll;
  private final LogRotator rotator;
  private final ReentrantLock lock = new ReentrantLock();
  private final byte[] tail = new byte[TAIL];

  // Guarded by the lock.
  private int tailLength;
  private long dropped;
  private long windowStart;
  private long allowed;
  private boolean lineEnded = true;
  private @Nullable Long failedAt;
  private @Nullable Long loggedAt;

  /**
   * Creates the log of a container that has not started.
   *
   * @param droppedByAll counts the dropped bytes of all containers
   */
  OutputLog(Path file, LogRotation rotation, TimeSource time, LongAdder droppedByAll) {
    this.file = file;
    this.rotation = rotation;
    this.time = time;
    this.droppedByAll = droppedByAll;
    rotator = new LogRotator(rotation);
    windowStart = time.nanoTime();
    allowed = rotation.total();
  }

  /**
   * Takes the output of a new instance.
   *
   * @return where to write it; writing never fails
   * @throws IOException if the file cannot be opened, or is not a regular file
   */
  OutputStream start() throws IOException {
    lock.lock();
    try {
      Instance instance = new Instance(open());
      LogStart.mark(file);
      return instance;
    } finally {
      lock.unlock();
    }
  }

  private FileChannel open() throws IOException {
    return PrivateFiles.open(
        file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  private final class Instance extends OutputStream {
    private FileChannel log;
    private boolean closed;
    private boolean planned;

    Instance(FileChannel log) {
      this.log = log;
    }

    @Override
    public void write(int single) {
      write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      lock.lock();
      try {
        nextWindow();
        int fits = (int) (tailLength > 0 ? 0 : Math.min(allowed, length));
        int stored = store(ByteBuffer.wrap(bytes, from, fits));
        allowed -= stored;
        drop(bytes, from + stored, length - stored);
        plan();
      } finally {
        lock.unlock();
      }
    }

    private void nextWindow() {
      long now = time.nanoTime();
      if (now - windowStart >= WINDOW) {
        windowStart = now;
        allowed = rotation.total();
        reopenIfDeleted();
        report();
      }
    }

    /** A container may fall silent after a flood: its last output is written all the same. */
    private void plan() {
      if (tailLength > 0 && !planned && !closed) {
        planned = true;
        CompletableFuture.delayedExecutor(WINDOW, TimeUnit.NANOSECONDS).execute(this::catchUp);
      }
    }

    private void catchUp() {
      lock.lock();
      try {
        planned = false;
        if (!closed) {
          nextWindow();
        }
        plan();
      } finally {
        lock.unlock();
      }
    }

    /** Somebody who deletes a log expects its room back. */
    private void reopenIfDeleted() {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      try {
        FileChannel fresh = open();
        log.close();
        log = fresh;
      } catch (IOException failed) {
        warn(failed);
      }
    }

    /** Writes what was dropped, as a number, and the last of it. */
    private void report() {
      if (tailLength == 0) {
        return;
      }
      if (dropped > 0) {
        String text =
            "%sprobelet: %d bytes of output dropped\n".formatted(lineEnded ? "" : "\n", dropped);
        byte[] line = text.getBytes(StandardCharsets.UTF_8);
        if (store(ByteBuffer.wrap(line)) < line.length) {
          return;
        }
        if (mayLog()) {
          LOG.warn(
              "container output dropped file={} dropped_bytes={} limit={}",
              file,
              dropped,
              rotation.total());
        }
        dropped = 0;
      }
      int stored = store(ByteBuffer.wrap(tail, 0, tailLength));
      System.arraycopy(tail, stored, tail, 0, tailLength - stored);
      tailLength -= stored;
    }

    /** Writes as much as there is room for. */
    private int store(ByteBuffer bytes) {
      int start = bytes.position();
      int limit = bytes.limit();
      if (start == limit || (failedAt != null && time.nanoTime() - failedAt < REST.toNanos())) {
        return 0;
      }
      failedAt = null;
      try {
        while (bytes.position() < limit) {
          long size = log.size();
          if (size >= rotation.maxBytes()) {
            rotator.rotate(file, log);
            size = log.size();
          }
          bytes.limit((int) Math.min(limit, bytes.position() + rotation.maxBytes() - size));
          log.write(bytes, size);
        }
      } catch (IOException failed) {
        failedAt = time.nanoTime();
        warn(failed);
      }
      int stored = bytes.position() - start;
      if (stored > 0) {
        lineEnded = bytes.get(bytes.position() - 1) == '\n';
      }
      return stored;
    }

    @Override
    public void close() {
      lock.lock();
      try (FileChannel _ = log) {
        closed = true;
        report();
      } catch (IOException failed) {
        warn(failed);
      } finally {
        lock.unlock();
      }
    }
  }

  private void drop(byte[] bytes, int from, int length) {
    int fresh = Math.min(length, TAIL);
    int old = Math.min(tailLength, TAIL - fresh);
    System.arraycopy(tail, tailLength - old, tail, 0, old);
    System.arraycopy(bytes, from + length - fresh, tail, old, fresh);
    long lost = (long) tailLength + length - old - fresh;
    tailLength = old + fresh;
    dropped += lost;
    droppedByAll.add(lost);
  }

  private void warn(IOException failed) {
    if (mayLog()) {
      LOG.warn(
          "cannot write container log, dropping output file={} reason=\"{}\"",
          file,
          FailureReason.withFile(failed));
    }
  }

  private boolean mayLog() {
    long now = time.nanoTime();
    if (loggedAt != null && now - loggedAt < LINES_EVERY) {
      return false;
    }
    loggedAt = now;
    return true;
  }
}
