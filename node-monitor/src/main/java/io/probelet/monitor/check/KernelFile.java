package io.probelet.monitor.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Small files of the kernel with numbers in them. */
final class KernelFile {
  private static final int LARGEST = 4096;

  /** A router may know all networks there are: a million. */
  static final int MAX_LINES = 2_000_000;

  private KernelFile() {}

  /**
   * Reads all words of a file at once: what the kernel makes up when it is read, it does not go on
   * with, and Java's own readString begins with a single byte.
   */
  static String[] words(Path file) throws IOException {
    byte[] bytes = new byte[LARGEST];
    try (InputStream in = Files.newInputStream(file)) {
      int length = Math.max(0, in.read(bytes));
      return new String(bytes, 0, length, StandardCharsets.US_ASCII).strip().split("\\s+", -1);
    }
  }

  /** Reads the word at that index as a number; one beyond what a long holds is the largest long. */
  static long number(Path file, int index) throws IOException {
    String[] words = words(file);
    try {
      return Long.parseLong(words[index]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException strange) {
      if (index < words.length && words[index].matches("[0-9]{19,}")) {
        return Long.MAX_VALUE;
      }
      throw new IOException(file + " is not as it was expected", strange);
    }
  }

  /** Whether a line after those that are skipped is wanted; lines may be many, and have a limit. */
  static boolean anyLine(Path file, int skip, Predicate<String> wanted) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      for (int count = 0; line != null; count++) {
        if (count == MAX_LINES) {
          throw new IOException(
              file + " has more than " + MAX_LINES + " lines, which is the limit of what is read");
        }
        if (count >= skip && wanted.test(line)) {
          return true;
        }
        line = lines.readLine();
      }
      return false;
    }
  }

  static long number(Path file) throws IOException {
    return number(file, 0);
  }
}
