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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the newest instance of a container begins in its log, which all instances share, and how
 * much of the log was rotated. It is kept in a file beside the log, for {@code probelet logs}. Best
 * effort: if a start coincides with a rotation, the offset is wrong and nothing else.
 *
 * @param offset where the instance begins, from the start of the current file; negative if that
 *     output was rotated since; empty if unknown
 * @param rotated bytes that were ever cut off the front of the current file
 */
public record LogStart(OptionalLong offset, long rotated) {
  private static final Logger LOG = LoggerFactory.getLogger(LogStart.class);
  private static final String SUFFIX = ".start";
  private static final LogStart UNKNOWN = new LogStart(OptionalLong.empty(), 0);

  /** An earlier version wrote only the offset. */
  private static final Pattern TEXT = Pattern.compile("(-?[0-9]{1,18}|unknown)(?: ([0-9]{1,18}))?");

  private static final int MAX_TEXT = 40;

  /**
   * {@return what is known}
   *
   * @param log the log file
   */
  public static LogStart of(Path log) {
    Path file = file(log);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return UNKNOWN; // to open a pipe would wait for a writer
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      Matcher text =
          TEXT.matcher(new String(in.readNBytes(MAX_TEXT), StandardCharsets.US_ASCII).strip());
      if (!text.matches()) {
        return UNKNOWN;
      }
      return new LogStart(
          text.group(1).equals("unknown")
              ? OptionalLong.empty()
              : OptionalLong.of(Long.parseLong(text.group(1))),
          text.group(2) == null ? 0 : Long.parseLong(text.group(2)));
    } catch (IOException unknown) {
      return UNKNOWN;
    }
  }

  /** Records that an instance starts at the present end of the log. */
  static void mark(Path log) {
    try {
      write(log, new LogStart(OptionalLong.of(Files.size(log)), of(log).rotated));
    } catch (IOException failed) {
      unknown(log, failed);
    }
  }

  /** Records that bytes were cut off the front of the log. */
  static void cut(Path log, long bytes) {
    try {
      LogStart before = of(log);
      OptionalLong offset =
          before.offset.isPresent()
              ? OptionalLong.of(before.offset.getAsLong() - bytes)
              : OptionalLong.empty();
      write(log, new LogStart(offset, before.rotated + bytes));
    } catch (IOException failed) {
      unknown(log, failed);
    }
  }

  private static void write(Path log, LogStart start) throws IOException {
    String offset = start.offset.isPresent() ? Long.toString(start.offset.getAsLong()) : "unknown";
    PrivateFiles.replace(
        file(log), (offset + " " + start.rotated).getBytes(StandardCharsets.US_ASCII));
  }

  /** A full disk must neither keep a container from starting nor stop a rotation. */
  private static void unknown(Path log, IOException failed) {
    LOG.debug("start of {} is unknown: {}", log, FailureReason.of(failed));
  }

  private static Path file(Path log) {
    return log.resolveSibling(log.getFileName() + SUFFIX);
  }
}
