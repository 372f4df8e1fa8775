package io.probelet.runtime.process;

import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offset in the log at which the newest instance of a container starts; all instances share the
 * log. A file beside the log stores it, for {@code probelet logs}. Best effort: without the file,
 * or if a start coincides with a rotation, only the offset is wrong.
 */
public final class LogStart {
  private static final Logger LOG = LoggerFactory.getLogger(LogStart.class);
  private static final String SUFFIX = ".start";
  private static final int MAX_DIGITS = 18;

  private LogStart() {}

  /**
   * {@return the offset; 0 if it is unknown}
   *
   * @param log the log file
   */
  public static long of(Path log) {
    try (InputStream in = Files.newInputStream(file(log))) {
      String text = new String(in.readNBytes(MAX_DIGITS), StandardCharsets.US_ASCII).strip();
      return text.matches("[0-9]+") ? Long.parseLong(text) : 0;
    } catch (IOException unknown) {
      return 0;
    }
  }

  /** Records that an instance starts at the current end of the log. */
  static void mark(Path log) {
    try {
      write(log, Files.size(log));
    } catch (IOException failed) {
      unknown(log, failed);
    }
  }

  /** Records that bytes were cut off the front of the log. */
  static void cut(Path log, long bytes) {
    try {
      if (Files.exists(file(log))) {
        write(log, Math.max(0, of(log) - bytes));
      }
    } catch (IOException failed) {
      unknown(log, failed);
    }
  }

  private static void write(Path log, long offset) throws IOException {
    PrivateFiles.replace(file(log), Long.toString(offset).getBytes(StandardCharsets.US_ASCII));
  }

  /** A full disk must neither prevent a start nor stop a rotation. */
  private static void unknown(Path log, IOException failed) {
    LOG.debug("cannot determine the start of {}: {}", log, FailureReason.of(failed));
  }

  private static Path file(Path log) {
    return log.resolveSibling(log.getFileName() + SUFFIX);
  }
}
