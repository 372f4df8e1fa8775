package io.probelet.probe.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A kernel counter, read repeatedly from an open file in some microseconds. It is 0 if the file or
 * the counter does not exist.
 */
final class KernelWaitReader implements LongSupplier {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final int MAX_BYTES = 1024;
  private static final long NANOS_PER_MICRO = 1000;

  private final List<Path> candidates;
  private final ToLongFunction<String> nanos;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_BYTES);
  private @Nullable FileChannel open;
  private boolean searched;

  /**
   * Creates a count that searches for its file when it is first asked.
   *
   * @param candidates the first that can be read is taken
   * @param nanos takes its content, and finds nanoseconds
   */
  KernelWaitReader(List<Path> candidates, ToLongFunction<String> nanos) {
    this.candidates = List.copyOf(candidates);
    this.nanos = nanos;
  }

  /** {@return how long the thread that asks first has waited for a processor} */
  static KernelWaitReader waitsOfThread() {
    return new KernelWaitReader(
        List.of(Path.of("/proc/thread-self/schedstat")), KernelWaitReader::waited);
  }

  /** {@return how long this process' control group had used up its quota} */
  static KernelWaitReader throttling() {
    String groups;
    try {
      groups = Files.readString(Path.of("/proc/self/cgroup"));
    } catch (IOException notLinux) {
      groups = "";
    }
    return new KernelWaitReader(statistics(groups), KernelWaitReader::throttled);
  }

  /** Where a process of these control groups, as in cgroups(7), finds the statistics of its own. */
  static List<Path> statistics(String groups) {
    List<Path> paths = new ArrayList<>();
    for (String line : groups.lines().toList()) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      boolean version2 = parts[0].equals("0");
      if (version2 || List.of(parts[1].split(",", -1)).contains("cpu")) {
        Path mount = version2 ? GROUPS : GROUPS.resolve("cpu");
        String below = parts[2].substring(Math.min(1, parts[2].length()));
        paths.add(mount.resolve(below).resolve("cpu.stat"));
        paths.add(mount.resolve("cpu.stat")); // in a container its own group is mounted there
      }
    }
    return paths;
  }

  /** The second number of schedstat, see the kernel's documentation of it. */
  static long waited(String schedstat) {
    String[] numbers = schedstat.strip().split(" ", -1);
    return numbers.length > 1 ? number(numbers[1]) : 0;
  }

  /** The content of cpu.stat in version 2 or 1 of control groups. */
  static long throttled(String statistics) {
    return find(statistics, "throttled_usec ")
        .map(micros -> micros * NANOS_PER_MICRO)
        .or(() -> find(statistics, "throttled_time "))
        .orElse(0L);
  }

  private static Optional<Long> find(String statistics, String name) {
    return statistics
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .map(line -> number(line.substring(name.length()).strip()));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException other) {
      return 0;
    }
  }

  @Override
  public long getAsLong() {
    if (!searched) {
      searched = true;
      open = candidates.stream().flatMap(each -> open(each).stream()).findFirst().orElse(null);
    }
    if (open == null) {
      return 0;
    }
    try {
      buffer.clear();
      open.read(buffer, 0);
      return nanos.applyAsLong(US_ASCII.decode(buffer.flip()).toString());
    } catch (IOException gone) {
      return 0; // a group that was removed: its processes were moved
    }
  }

  private static Optional<FileChannel> open(Path file) {
    try {
      return Optional.of(FileChannel.open(file, StandardOpenOption.READ));
    } catch (IOException | SecurityException absent) {
      return Optional.empty();
    }
  }
}
