package io.probelet.cli.status;

import io.probelet.runtime.process.LogRotation;
import io.probelet.runtime.process.LogStart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A log and its rotated files as one sequence of bytes. Offset 0 is where the current file began
 * when it was opened: rotated output has negative offsets. Offsets stay valid while the log is
 * rotated, as it is by cutting off its front.
 */
final class RotatedLog implements AutoCloseable {
  private static final int MAX_ROTATED = LogRotation.KUBELET.maxFiles() - 1;
  private static final int PAUSE_MILLIS = 50;
  private static final int MAX_PAUSES = 40;

  private final Path path;
  private final FileChannel current;
  private final OptionalLong newestInstance;

  /** How much had been rotated when it was opened. */
  private final long rotatedBefore;

  /** The rotated files, oldest first. */
  private List<Part> rotated = List.of();

  /** The offset of the current file's first byte. */
  private long base;

  /** Whether a rotation has broken off and left its file. */
  private boolean brokenOff;

  /** One rotated file. */
  private record Part(FileChannel file, long start, long size) {}

  /**
   * Opens a log.
   *
   * @throws IOException if it cannot be read, or is not a regular file
   */
  RotatedLog(Path path) throws IOException, InterruptedException {
    this.path = path;
    current = open(path);
    awaitRotation();
    LogStart start = LogStart.of(path);
    newestInstance = start.offset();
    rotatedBefore = start.rotated();
    place(openRotated());
  }

  /** {@return where the newest instance begins, possibly before the oldest byte; empty: unknown} */
  OptionalLong newestInstance() {
    return newestInstance;
  }

  /** {@return the offset of the oldest byte that is kept} */
  long oldest() {
    return rotated.isEmpty() ? base : rotated.getFirst().start();
  }

  /** {@return whether as many files are kept as can be: older output may have been deleted} */
  boolean isFull() {
    return rotated.size() >= MAX_ROTATED;
  }

  /** {@return the offset after the newest byte} */
  long end() throws IOException, InterruptedException {
    update();
    return base + current.size();
  }

  /**
   * Reads bytes.
   *
   * @return fewer bytes than wanted, or none, at the log's end and if they are kept no longer
   */
  byte[] read(long start, int length) throws IOException, InterruptedException {
    while (true) {
      update();
      byte[] piece = readNow(start, length);
      if (!isRotating() && !isRotated()) {
        return piece;
      }
    }
  }

  private void update() throws IOException, InterruptedException {
    awaitRotation();
    if (isRotated()) {
      reopen();
    }
  }

  private byte[] readNow(long start, int length) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(length);
    for (Part part : rotated) {
      fill(piece, start, part.file(), part.start(), part.size());
    }
    fill(piece, start, current, base, Long.MAX_VALUE);
    return Arrays.copyOf(piece.array(), piece.position());
  }

  private static void fill(ByteBuffer piece, long start, FileChannel file, long from, long size)
      throws IOException {
    long at = start + piece.position() - from;
    while (piece.hasRemaining() && at >= 0 && at < size && file.read(piece, at) > 0) {
      at = start + piece.position() - from;
    }
  }

  /** Between cutting off the front and moving its copy to its place, some bytes are in neither. */
  private void awaitRotation() throws InterruptedException {
    for (int i = 0; isRotating(); i++) {
      if (i == MAX_PAUSES) {
        brokenOff = true;
        return;
      }
      boolean _ = new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isRotating() {
    return !brokenOff && Files.exists(LogRotation.rotating(path), LinkOption.NOFOLLOW_LINKS);
  }

  private boolean isRotated() {
    return LogStart.of(path).rotated() - rotatedBefore != base;
  }

  /** Adopts the present rotated files; the current file begins behind them. */
  private void reopen() throws IOException {
    base = LogStart.of(path).rotated() - rotatedBefore;
    place(openRotated());
  }

  /** Opens the rotated files, oldest first; their offsets are still to be found. */
  private List<Part> openRotated() throws IOException {
    List<Part> found = new ArrayList<>();
    try {
      for (int i = 1; i <= MAX_ROTATED; i++) {
        Path file = LogRotation.rotated(path, i);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          break;
        }
        FileChannel channel = open(file);
        found.addFirst(new Part(channel, 0, channel.size()));
      }
      return found;
    } catch (IOException failed) {
      close(found);
      throw failed;
    }
  }

  private void place(List<Part> found) throws IOException {
    List<Part> placed = new ArrayList<>();
    long end = base;
    for (Part each : found.reversed()) {
      end -= each.size();
      placed.addFirst(new Part(each.file(), end, each.size()));
    }
    close(rotated);
    rotated = placed;
  }

  private static void close(List<Part> parts) throws IOException {
    for (Part each : parts) {
      each.file().close();
    }
  }

  /** Never waits, as for the writer of a pipe, and follows no link. */
  private static FileChannel open(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not a regular file");
    }
    return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void close() throws IOException {
    current.close();
    close(rotated);
  }
}
