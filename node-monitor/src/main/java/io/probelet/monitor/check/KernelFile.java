package io.probelet.monitor.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Reads small kernel files with numbers. */
final class KernelFile {
  private static final int LARGEST = 4096;

  /** A router may know all routes of the internet: a million. */
  static final int MAX_LINES = 2_000_000;

  private KernelFile() {}

  /**
   * Reads all words of a file in one read: the kernel generates some files at the first read only,
   * and Java's readString begins with a single byte.
   */
  static String[] words(Path file) throws IOException {
    byte[] bytes = new byte[LARGEST];
    try (InputStream in = Files.newInputStream(file)) {
      int length = Math.max(0, in.read(bytes));
      return new String(bytes, 0, length, StandardCharsets.US_ASCII).strip().split("\\s+", -1);
    }
  }

  /** Reads the word at that index as a number; larger numbers become the largest long. */
  static long number(Path file, int index) throws IOException {
    String[] words = words(file);
    try {
      return Long.parseLong(words[index]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException strange) {
      if (index < words.length && words[index].matches("[0-9]{19,}")) {
        return Long.MAX_VALUE;
      }
      throw new IOException(file + " has an unexpected format", strange);
    }
  }

  /** Returns whether a line after the skipped ones matches; the number of lines is limited. */
  static boolean anyLine(Path file, int skip, Predicate<String> wanted) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      for (int count = 0; line != null; count++) {
        if (count == MAX_LINES) {
          throw new IOException(file + " exceeds the limit of " + MAX_LINES + " lines");
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
