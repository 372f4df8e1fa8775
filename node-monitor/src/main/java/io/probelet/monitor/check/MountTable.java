package io.probelet.monitor.check;

import io.probelet.monitor.check.Mounts.Mount;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads mountinfo of proc(5). Pods determine the number of mounts, and tenants choose some of the
 * names: all sizes are limited, and no name makes a line unreadable.
 */
final class MountTable {
  /** The kernel's own limit, unless an administrator raises {@code fs.mount-max}. */
  static final int MAX_MOUNTS = 100_000;

  /** Of the whole file. Only the mounts that a check asks for are kept. */
  static final int MAX_BYTES = 64 << 20;

  /** An overlay lists all its layers; the kernel allows 500. */
  static final int MAX_LINE = 1 << 20;

  private static final Set<String> READ_ONLY = Set.of("ro");

  /** Options of a filesystem that rejects writes; ext4 no longer shows ro (Linux 6.15). */
  private static final Set<String> GIVEN_UP = Set.of("ro", "emergency_ro", "shutdown");

  private static final Set<String> SHUT_DOWN = Set.of("shutdown");

  private final Path file;
  private final Predicate<Mount> kept;
  private final List<Mount> mounts = new ArrayList<>();
  private int lines;

  private MountTable(Path file, Predicate<Mount> kept) {
    this.file = file;
    this.kept = kept;
  }

  /** Reads the mounts of a file that match the predicate, in order. */
  static List<Mount> read(Path file, Predicate<Mount> kept) throws IOException {
    MountTable table = new MountTable(file, kept);
    try (InputStream in = Files.newInputStream(file)) {
      table.read(in);
    }
    return table.mounts;
  }

  private void read(InputStream in) throws IOException {
    byte[] block = new byte[64 << 10];
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long bytes = 0;
    for (int read = in.read(block); read >= 0; read = in.read(block)) {
      bytes += read;
      if (bytes > MAX_BYTES) {
        throw tooMuch((MAX_BYTES >> 20) + " MiB");
      }
      int start = 0;
      for (int at = 0; at < read; at++) {
        if (block[at] == '\n') {
          append(line, block, start, at);
          take(line);
          start = at + 1;
        }
      }
      append(line, block, start, read);
    }
    if (line.size() > 0) {
      take(line);
    }
  }

  private void append(ByteArrayOutputStream line, byte[] block, int from, int to)
      throws IOException {
    if (line.size() + to - from > MAX_LINE) {
      throw tooMuch((MAX_LINE >> 20) + " MiB per line");
    }
    line.write(block, from, to - from);
  }

  private void take(ByteArrayOutputStream line) throws IOException {
    if (++lines > MAX_MOUNTS) {
      throw tooMuch(MAX_MOUNTS + " mounts");
    }
    parse(line.toString(StandardCharsets.ISO_8859_1)).filter(kept).ifPresent(mounts::add);
    line.reset();
  }

  private IOException tooMuch(String limit) {
    return new IOException(file + " exceeds the limit of " + limit);
  }

  private static Optional<Mount> parse(String line) {
    List<String> words = Arrays.asList(line.split(" ", -1));
    int dash = words.indexOf("-"); // the number of fields before it varies
    if (dash < 6 || words.size() < dash + 4) {
      return Optional.empty();
    }
    String options = words.get(dash + 3);
    return Optional.of(
        new Mount(
            words.get(2),
            path(unescaped(words.get(4))),
            words.get(dash + 1),
            unescaped(words.get(dash + 2)),
            hasOneOf(READ_ONLY, words.get(5)),
            hasOneOf(GIVEN_UP, options),
            hasOneOf(SHUT_DOWN, options)));
  }

  private static boolean hasOneOf(Set<String> options, String found) {
    return Arrays.stream(found.split(",", -1)).anyMatch(options::contains);
  }

  /** Characters that a Java path cannot represent become question marks. */
  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException odd) {
      return Path.of(text.replaceAll("[^ -~]", "?"));
    }
  }

  /** Spaces and similar bytes are escaped as three octal digits. */
  private static String unescaped(String text) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream(text.length());
    for (int at = 0; at < text.length(); at++) {
      int value = text.charAt(at) == '\\' ? octal(text, at + 1) : -1;
      plain.write(value < 0 ? text.charAt(at) : value);
      at += value < 0 ? 0 : 3;
    }
    return plain.toString(StandardCharsets.UTF_8);
  }

  /** The byte for three digits; -1 if they are not a byte. */
  private static int octal(String text, int from) {
    int value = 0;
    for (int at = from; at < from + 3; at++) {
      int digit = at < text.length() ? text.charAt(at) - '0' : -1;
      if (digit < 0 || digit > 7) {
        return -1;
      }
      value = value * 8 + digit;
    }
    return value > 255 ? -1 : value;
  }
}
