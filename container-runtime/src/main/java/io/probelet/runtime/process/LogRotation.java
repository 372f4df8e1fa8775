package io.probelet.runtime.process;

import java.nio.file.Path;

/**
 * How much of a container's output is kept: {@code web.log} and the older {@code web.log.1}, {@code
 * web.log.2} and so on. Together they are what the container wrote; the text says where output was
 * dropped.
 *
 * @param maxBytes the most bytes of one file, above zero
 * @param maxFiles how many files there are at most, the current one included; at least 2
 */
public record LogRotation(long maxBytes, int maxFiles) {
  /** As the kubelet does: five files of 10 MiB. */
  public static final LogRotation KUBELET = new LogRotation(10L << 20, 5);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public LogRotation {
    if (maxBytes < 1 || maxFiles < 2) {
      throw new IllegalArgumentException(
          "log rotation needs at least 1 byte and 2 files: maxBytes %d, maxFiles %d"
              .formatted(maxBytes, maxFiles));
    }
  }

  /**
   * {@return a rotated file}
   *
   * @param file the current log
   * @param number 1 for the newest, less than the number of files
   */
  public static Path rotated(Path file, int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /**
   * {@return what a part of the log is copied to before it becomes the newest rotated file}
   *
   * @param file the current log
   */
  public static Path rotating(Path file) {
    return file.resolveSibling(file.getFileName() + ".rotating");
  }

  /** {@return the most bytes of all files together, and the most that are written in a second} */
  public long total() {
    return Math.multiplyExact(maxBytes, maxFiles);
  }
}
