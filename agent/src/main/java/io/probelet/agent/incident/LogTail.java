package io.probelet.agent.incident;

import io.probelet.health.OneLine;
import io.probelet.health.RecentMap;
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

/**
 * The last lines of an instance's log, redacted. Reads the file's end only, and never a pipe. Where
 * all instances of a container share a file, what an earlier one had written at its last record
 * does not count.
 */
public final class LogTail {
  /** Most lines that an administrator can allow. */
  public static final int MAX_LINES = 100;

  /** Characters that are kept of a line. */
  static final int MAX_LINE = 256;

  private static final int MAX_BYTES = 16 << 10;
  private static final int MAX_FILES = 1_000;

  /** What a runtime writes before each line: time, stream, and whether the line is whole. */
  private static final Pattern CRI_PREFIX =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T[0-9:.]{8,20}(?:Z|[+-]\\d{2}:\\d{2}) std(?:out|err) [FP] ");

  private final IntSupplier lines;

  /** By file; guarded by itself. */
  private final RecentMap<String, Part> parts = new RecentMap<>(MAX_FILES);

  /** The part of a file that one instance has written. */
  private record Part(String containerId, long start, long end) {
    Part of(String instance, long size) {
      long begin = instance.equals(containerId) ? start : end;
      return new Part(instance, begin > size ? 0 : begin, size); // it may have been rotated
    }
  }

  /**
   * Creates a reader.
   *
   * @param lines how many lines the administrator allows, 0 for none; asked each time
   */
  public LogTail(IntSupplier lines) {
    this.lines = lines;
  }

  /** {@return whether the administrator allows any lines} */
  boolean isAllowed() {
    return lines.getAsInt() > 0;
  }

  /**
   * {@return the last lines of an instance, oldest first; none if they are not allowed or cannot be
   * read}
   */
  List<String> of(String path, String containerId) {
    int wanted = Math.clamp(lines.getAsInt(), 0, MAX_LINES);
    if (wanted == 0 || path.isEmpty()) {
      return List.of();
    }
    try {
      List<String> all = read(Path.of(path), containerId);
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
    Stream<String> shown =
        redacted(output).stream()
            .map(line -> OneLine.of(line, MAX_LINE))
            .filter(line -> !line.isBlank())
            .limit(wanted);
    return Stream.concat(Stream.of(OneLine.of(headline, MAX_LINE)), shown).toList();
  }

  /** {@return the lines of a text, without what looks like a secret} */
  static List<String> redacted(String text) {
    Redaction redaction = new Redaction();
    return text.lines().map(redaction::line).toList();
  }

  private Part part(String file, String containerId, long size) {
    synchronized (parts) {
      Part known = parts.get(file);
      Part part = (known == null ? new Part(containerId, 0, 0) : known).of(containerId, size);
      parts.put(file, part);
      return part;
    }
  }

  private List<String> read(Path file, String containerId) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long size = log.size();
      long first = part(file.toString(), containerId, size).start();
      long start = Math.max(first, size - MAX_BYTES);
      ByteBuffer end = ByteBuffer.allocate((int) (size - start));
      while (end.hasRemaining() && log.read(end, start + end.position()) > 0) {
        // until the buffer is full, or the file has shrunk
      }
      String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
      Redaction redaction = new Redaction();
      Stream<String> whole = start == first ? text.lines() : text.lines().skip(1);
      return whole
          .map(line -> CRI_PREFIX.matcher(line).replaceFirst(""))
          .map(redaction::line)
          .map(line -> OneLine.of(line, MAX_LINE))
          .filter(line -> !line.isBlank())
          .toList();
    }
  }
}
