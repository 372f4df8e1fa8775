package io.probelet.monitor.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts watches (one line each in fdinfo), up to a total size for all files. */
final class InotifyWatches {
  /** About half a million watches. */
  static final long MAX_BYTES = 64L << 20;

  private static final String WATCH = "inotify wd:";

  private long room = MAX_BYTES;

  /** Counts the watches of one open file. */
  long count(Path info) throws IOException {
    long watches = 0;
    try (BufferedReader lines = Files.newBufferedReader(info, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null && room > 0; line = lines.readLine()) {
        room -= line.length() + 1;
        watches += line.startsWith(WATCH) ? 1 : 0;
      }
    }
    return watches;
  }

  /** Whether the limit was reached, so that there may be more. */
  boolean isExhausted() {
    return room <= 0;
  }
}
