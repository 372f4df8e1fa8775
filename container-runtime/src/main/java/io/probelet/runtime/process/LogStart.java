package io.probelet.runtime.process;

import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the newest instance of a container begins in its log, which all instances share: an offset
 * from the start of the current file, which is negative if that output was rotated since. It is
 * kept in a file beside the log, for {@code probelet logs}. Best effort: if a start coincides with
 * a rotation, the offset is wrong and nothing else.
 */
public final class LogStart {
  private static final Logger LOG = LoggerFactory.getLogger(LogStart.class);
  private static final String SUFFIX = ".start";
  private static final int MAX_DIGITS = 18;

  private LogStart() {}

  /**
   * {@return the offset; empty if it is unknown}
   *
   * @param log the log file
   */
  public static OptionalLong of(Path log) {
    Path file = file(log);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return OptionalLong.empty(); // to open a pipe would wait for a writer
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      String text = new String(in.readNBytes(MAX_DIGITS), StandardCharsets.US_ASCII).strip();
      return text.matches("-?[0-9]+")
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    } catch (IOException unknown) {
      return OptionalLong.empty();
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
      OptionalLong start = of(log);
      if (start.isPresent()) {
        write(log, start.getAsLong() - bytes);
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
