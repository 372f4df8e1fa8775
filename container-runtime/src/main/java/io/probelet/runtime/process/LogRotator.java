package io.probelet.runtime.process;

import io.probelet.health.PrivateFiles;
import io.probelet.health.TimeSource;
import io.probelet.process.GroupCommand;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Rotates log files while processes write to them.
 *
 * <p>Containers write to their files themselves, in append mode: no thread of ours copies what they
 * say, a stopped agent blocks nobody, and the last words of a dying container are in its log. The
 * price is that the writer cannot be made to open another file, so its file has to shrink in place:
 * the full part is copied away and then cut off the front in one step, which loses nothing (ext4
 * and XFS can do it). Elsewhere the file is emptied right after the copy has caught up with it;
 * what is written in the microseconds between is lost.
 */
final class LogRotator {
  /** On a full disk each attempt writes as much as there is room for. */
  static final Duration REST = Duration.ofMinutes(1);

  /** It moves blocks, not bytes. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final LogRotation rotation;
  private final ProcessGroups groups;
  private final TimeSource time;

  /** When which file could not be rotated. */
  private final Map<Path, Long> failures = new HashMap<>();

  /** Creates one that is used by one thread at a time. */
  LogRotator(LogRotation rotation, ProcessGroups groups, TimeSource time) {
    this.rotation = rotation;
    this.groups = groups;
    this.time = time;
  }

  /**
   * Rotates a file that has grown to its limit; one that could not be rotated is left alone for a
   * minute.
   *
   * @param file need not exist
   * @throws IOException if it cannot be copied or shrunk; nothing is lost then
   * @throws InterruptedException if the caller gave up waiting
   */
  void rotateIfFull(Path file) throws IOException, InterruptedException {
    if (rests(file) || !Files.exists(file) || Files.size(file) < rotation.maxBytes()) {
      return;
    }
    try {
      moveAway(file);
      shift(file);
    } catch (IOException failed) {
      failures.put(file, time.nanoTime());
      throw failed;
    }
  }

  private boolean rests(Path file) {
    long now = time.nanoTime();
    failures.values().removeIf(at -> now - at >= REST.toNanos());
    return failures.containsKey(file);
  }

  private void moveAway(Path file) throws IOException, InterruptedException {
    Path copy = numbered(file, 0);
    try (FileChannel from =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel to =
            PrivateFiles.open(
                copy,
                Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE))) {
      // Only whole blocks can be cut off, and never all there is.
      long block = Files.getFileStore(file).getBlockSize();
      long whole = (from.size() - 1) / block * block;
      // More than all rotated files may have would be deleted right away.
      copy(from, Math.max(0, whole - rotation.maxRotated()), whole, to);
      long copied = whole;
      if (!cutOff(file, whole)) {
        for (long size = from.size(); copied < size; size = from.size()) {
          copy(from, copied, size, to);
          copied = size;
        }
        from.truncate(0);
      }
      LogStart.cut(file, copied);
    }
  }

  private void shift(Path file) throws IOException {
    for (int i = rotation.maxFiles() - 1; i > 0; i--) {
      Path younger = numbered(file, i - 1);
      if (Files.exists(younger)) {
        Files.move(younger, numbered(file, i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    long kept = 0;
    for (int i = 1; i < rotation.maxFiles(); i++) {
      Path each = numbered(file, i);
      if (Files.exists(each)) {
        kept += Files.size(each);
        if (kept > rotation.maxRotated()) {
          Files.delete(each); // and so all that are older
        }
      }
    }
  }

  private static Path numbered(Path file, int number) {
    return number == 0 ? LogRotation.rotating(file) : LogRotation.rotated(file, number);
  }

  /** A copy that breaks off gives back the room it took. */
  static void copy(FileChannel from, long start, long end, FileChannel to) throws IOException {
    try {
      for (long at = start; at < end; ) {
        long copied = from.transferTo(at, end - at, to);
        if (copied == 0) {
          throw new IOException("somebody else made it shorter while it was copied");
        }
        at += copied;
      }
    } catch (IOException brokenOff) {
      to.truncate(0);
      throw brokenOff;
    }
  }

  private boolean cutOff(Path file, long length) throws InterruptedException {
    if (length == 0) {
      return false;
    }
    List<String> command =
        List.of(
            "fallocate",
            "--collapse-range",
            "--offset",
            "0",
            "--length",
            Long.toString(length),
            file.toString());
    try {
      return groups
          .start(GroupCommand.leading(command, System.getenv()), ProcessOutput.NONE)
          .endWithin(TIMEOUT)
          .equals(OptionalInt.of(0));
    } catch (IOException notInstalled) {
      return false;
    }
  }
}
