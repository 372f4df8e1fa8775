package io.probelet.web.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of procfs and sysfs, read up to a limit that no machine reaches. */
final class ProcFiles {
  private static final int MAX_BYTES = 4 << 20;

  private final Path proc;

  ProcFiles(Path proc) {
    this.proc = proc;
  }

  List<String> lines(String file) throws IOException {
    return lines(proc.resolve(file));
  }

  static List<String> lines(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The words of the only line, or of the first that begins with this word. */
  String[] words(String file, String first) throws IOException {
    for (String line : lines(file)) {
      String[] words = words(line);
      if (first.isEmpty() || words[0].equals(first)) {
        return words;
      }
    }
    throw new IOException(proc.resolve(file) + " has no line " + first);
  }

  static String[] words(String line) {
    return line.strip().split("\\s+", -1);
  }
}
