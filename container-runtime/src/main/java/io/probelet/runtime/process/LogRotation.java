package io.probelet.runtime.process;

/**
 * How much of a container's output is kept: {@code web.log} and the older {@code web.log.1}, {@code
 * web.log.2} and so on.
 *
 * @param maxBytes size at which a file is rotated, above zero; output until the next check, at most
 *     a second later, still goes into it
 * @param maxFiles maximum number of files, including the current one; at least 2
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
}
