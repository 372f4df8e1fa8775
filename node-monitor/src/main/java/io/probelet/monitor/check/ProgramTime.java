package io.probelet.monitor.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each CPU has run programs, outside the kernel: the first two numbers of proc_stat(5).
 */
final class ProgramTime {
  /** More than Linux can have. */
  private static final int MAX_LINES = 10_000;

  private ProgramTime() {}

  /** Reads it for all CPUs that are online, in ticks since the boot. */
  static Map<Integer, Long> read(Machine machine) throws IOException {
    Path file = machine.proc().resolve("stat");
    Map<Integer, Long> times = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
      lines.readLine(); // of all together
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
      throw new IOException(file + " has more than " + MAX_LINES + " CPUs, which is the limit");
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException strange) {
      throw new IOException(file + " is not as it was expected", strange);
    }
  }
}
