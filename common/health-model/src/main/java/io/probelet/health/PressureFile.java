package io.probelet.health;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One of the kernel's pressure stall files (PSI), of the node or of a control group. It has a line
 * for {@code some} tasks that wait and one for {@code full}, when all wait.
 */
public final class PressureFile {
  /** The kernel's file has two lines of some 70 bytes. */
  private static final int MAX_BYTES = 1024;

  private final List<String> lines;

  private PressureFile(List<String> lines) {
    this.lines = lines;
  }

  /**
   * Reads a file.
   *
   * @param file such as {@code /proc/pressure/cpu}
   * @return its content
   * @throws IOException if it cannot be read, for example because the kernel has no such file
   */
  public static PressureFile read(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) { // a pipe would wait for its writer
      throw new IOException(file + " is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
      return of(text.lines().toList());
    }
  }

  /**
   * {@return a file that was read already}
   *
   * @param lines its lines
   */
  public static PressureFile of(List<String> lines) {
    return new PressureFile(lines);
  }

  /**
   * {@return the share of the time in which tasks waited, in percent; empty if the file does not
   * have it}
   *
   * @param line {@code some} or {@code full}
   * @param window {@code avg10}, {@code avg60} or {@code avg300}
   */
  public OptionalDouble average(String line, String window) {
    try {
      return value(line, window)
          .map(value -> OptionalDouble.of(Double.parseDouble(value)))
          .orElseGet(OptionalDouble::empty);
    } catch (NumberFormatException unexpected) {
      return OptionalDouble.empty();
    }
  }

  /**
   * {@return how long tasks have waited, in microseconds; empty if the file does not have it}
   *
   * @param line {@code some} or {@code full}
   */
  public OptionalLong total(String line) {
    try {
      return value(line, "total")
          .map(value -> OptionalLong.of(Long.parseLong(value)))
          .orElseGet(OptionalLong::empty);
    } catch (NumberFormatException unexpected) {
      return OptionalLong.empty();
    }
  }

  private Optional<String> value(String line, String key) {
    return lines.stream()
        .filter(each -> each.startsWith(line + " "))
        .flatMap(each -> List.of(each.split(" ", -1)).stream())
        .filter(word -> word.startsWith(key + "="))
        .map(word -> word.substring(key.length() + 1))
        .findFirst();
  }
}
