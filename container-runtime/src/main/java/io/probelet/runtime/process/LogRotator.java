package io.probelet.runtime.process;

import io.probelet.health.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Rotates the log of a container. The file shrinks in place, so that a reader can keep it open: its
 * content is copied, then removed. Nothing is lost, as the caller is the only writer and waits.
 */
final class LogRotator {
  private final LogRotation rotation;

  LogRotator(LogRotation rotation) {
    this.rotation = rotation;
  }

  /**
   * Makes room in a log. The oldest rotated file is deleted first, so that the copy has room even
   * on a full disk.
   *
   * @param file the log
   * @param log the open log, for reading and writing
   * @throws IOException if it cannot be copied; the log is unchanged then
   */
  void rotate(Path file, FileChannel log) throws IOException {
    Files.deleteIfExists(numbered(file, rotation.maxFiles() - 1));
    Path copy = numbered(file, 0);
    long size = log.size();
    try (FileChannel to =
        PrivateFiles.open(
            copy,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE))) {
      // Somebody else may have made the file larger than this program does.
      copy(log, Math.max(0, size - rotation.maxBytes()), size, to);
    }
    log.truncate(0);
    LogStart.cut(file, size);
    for (int i = rotation.maxFiles() - 1; i > 0; i--) {
      Path younger = numbered(file, i - 1);
      if (Files.exists(younger)) {
        Files.move(younger, numbered(file, i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static Path numbered(Path file, int number) {
    return number == 0 ? LogRotation.rotating(file) : LogRotation.rotated(file, number);
  }

  /** An incomplete copy is deleted to free its space. */
  static void copy(FileChannel from, long start, long end, FileChannel to) throws IOException {
    try {
      for (long at = start; at < end; ) {
        long copied = from.transferTo(at, end - at, to);
        if (copied == 0) {
          throw new IOException("another process truncated it while it was copied");
        }
        at += copied;
      }
    } catch (IOException brokenOff) {
      to.truncate(0);
      throw brokenOff;
    }
  }
}
