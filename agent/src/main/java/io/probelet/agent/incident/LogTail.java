package io.probelet.agent.incident;

import io.probelet.health.OneLine;
import io.probelet.monitor.evidence.Redaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The last lines of a container's log, redacted. Reads the file's end only, and never a pipe. */
public final class LogTail {
  /** Most lines that an administrator can allow. */
  public static final int MAX_LINES = 100;

  /** Characters that are kept of a line. */
  static final int MAX_LINE = 256;

  private static final int MAX_BYTES = 16 << 10;

  /** What a runtime writes before each line: time, stream, and whether the line is whole. */
  private static final Pattern CRI_PREFIX =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T[0-9:.]{8,20}(?:Z|[+-]\\d{2}:\\d{2}) std(?:out|err) [FP] ");

  private final IntSupplier lines;

  /**
   * Creates a reader.
   *
   * @param lines how many lines the administrator allows, 0 for none; asked each time
   */
  public LogTail(IntSupplier lines) {
    this.lines = lines;
  }

  /** {@return the last lines, oldest first; none if they are not allowed or cannot be read} */
  List<String> of(String path) {
    int wanted = Math.clamp(lines.getAsInt(), 0, MAX_LINES);
    if (wanted == 0 || path.isEmpty()) {
      return List.of();
    }
    try {
      List<String> all = lines(Path.of(path));
      return all.subList(Math.max(0, all.size() - wanted), all.size());
    } catch (IOException | InvalidPathException unreadable) {
      return List.of();
    }
  }

  /**
   * {@return the first lines of a command's output after a headline; none if they are not allowed}
   */
  List<String> ofCommand(String headline, String output) {
    int wanted = Math.clamp(lines.getAsInt(), 0, MAX_LINES);
    if (wanted == 0) {
      return List.of();
    }
    Redaction redaction = new Redaction();
    Stream<String> shown =
        output
            .lines()
            .map(redaction::line)
            .map(line -> OneLine.of(line, MAX_LINE))
            .filter(line -> !line.isBlank())
            .limit(wanted);
    return Stream.concat(Stream.of(OneLine.of(headline, MAX_LINE)), shown).toList();
  }

  private static List<String> lines(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long size = log.size();
      long start = Math.max(0, size - MAX_BYTES);
      ByteBuffer end = ByteBuffer.allocate((int) (size - start));
      while (end.hasRemaining() && log.read(end, start + end.position()) > 0) {
        // until the buffer is full, or the file has shrunk
      }
      String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
      Redaction redaction = new Redaction();
      Stream<String> whole = start == 0 ? text.lines() : text.lines().skip(1);
      return whole
          .map(line -> CRI_PREFIX.matcher(line).replaceFirst(""))
          .map(redaction::line)
          .map(line -> OneLine.of(line, MAX_LINE))
          .filter(line -> !line.isBlank())
          .toList();
    }
  }
}
