package io.probelet.runtime.process;

import java.nio.file.Path;

/**
 * How much of a container's output is kept: {@code web.log} and the older {@code web.log.1}, {@code
 * web.log.2} and so on. Together they are the newest of what the container wrote, without gaps.
 *
 * @param maxBytes size at which a file is rotated, above zero; what is written until the next
 *     check, a second later at most, still goes into it
 * @param maxFiles how many files there are at most, the current one included; at least 2. A file of
 *     a fast writer can be larger, but the rotated ones never have more bytes in all than so many
 *     files of the usual size
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

  /** {@return how many bytes the rotated files have at most in all} */
  public long maxRotated() {
    return maxBytes * maxFiles;
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
}
