package io.probelet.monitor.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The time each CPU has spent in user mode: the first two numbers of proc_stat(5). */
final class ProgramTime {
  /** More CPUs than Linux supports. */
  private static final int MAX_LINES = 10_000;

  private ProgramTime() {}

  /** Reads it for all online CPUs, in ticks since boot. */
  static Map<Integer, Long> read(Machine machine) throws IOException {
    Path file = machine.proc().resolve("stat");
    Map<Integer, Long> times = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
      lines.readLine(); // the total of all CPUs
      for (int count = 0; count < MAX_LINES; count++) {
        String line = lines.readLine(); // cpu0 user nice system …
        if (line == null || !line.startsWith("cpu")) {
          return times;
        }
        String[] words = line.split(" ", 4);
        times.put(
            Integer.parseInt(words[0].substring("cpu".length())),
            Long.parseLong(words[1]) + Long.parseLong(words[2]));
      }
      throw new IOException(file + " exceeds the limit of " + MAX_LINES + " CPUs");
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException strange) {
      throw new IOException(file + " has an unexpected format", strange);
    }
  }
}
