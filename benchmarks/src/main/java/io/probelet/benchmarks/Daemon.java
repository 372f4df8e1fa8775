package io.probelet.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A measured program: a separate process, so that the kernel counts its cost. */
final class Daemon implements AutoCloseable {
  private static final int TICKS_PER_SECOND = 100;

  private final Process process;
  private static final int MAX_SHOWN = 2_000;

  private final Path log;
  private final @Nullable MemoryGroup group;

  private Daemon(Process process, Path log, @Nullable MemoryGroup group) {
    this.process = process;
    this.log = log;
    this.group = group;
  }

  /** Starts a program; its standard error goes to a log next to its files. */
  static Daemon start(Path directory, String name, List<String> command) {
    Path log = directory.resolve(name + ".log");
    try {
      return new Daemon(started(command, log), log, null);
    } catch (IOException missing) {
      throw new UncheckedIOException(
          command.getFirst() + " could not be started: " + missing.getMessage(), missing);
    }
  }

  /** Starts a program in a memory group, which ends with it. */
  static Daemon startIn(MemoryGroup group, Path directory, String name, List<String> command)
      throws IOException {
    Path log = directory.resolve(name + ".log");
    try {
      return new Daemon(started(group.around(command), log), log, group);
    } catch (IOException unable) {
      group.close();
      throw unable;
    }
  }

  private static Process started(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command).redirectError(log.toFile()).start();
  }

  /**
   * {@return the prefix of a command that redirects output to a file, because a pipe would fill up}
   */
  static List<String> writingTo(Path file) {
    return List.of("sh", "-c", "exec \"$@\" >\"$0\"", file.toString());
  }

  /** {@return user and system time so far, in microseconds; a tick is 10,000} */
  long cpuMicros() {
    return micros(read("stat"), 11); // utime and stime
  }

  /**
   * {@return the time that its running threads had a CPU, in microseconds} By the scheduler, not by
   * ticks: exact also for a program that wakes up for less than a tick. Threads that have ended are
   * not counted.
   */
  long scheduledMicros() {
    long sum = 0;
    try (var threads = Files.newDirectoryStream(procfs("task"))) {
      for (Path one : threads) {
        String waits = ofThread(one, "schedstat");
        sum += waits.isEmpty() ? 0 : Long.parseLong(waits.split(" ", 2)[0]) / 1000;
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(ended(), gone);
    }
    return sum;
  }

  /** {@return user and system time of this process, the harness} */
  static long cpuMicrosOfThis() throws IOException {
    return micros(Files.readString(Path.of("/proc/self/stat")), 11);
  }

  /** {@return user and system time of its running threads of one name} */
  long cpuMicros(String thread) {
    long sum = 0;
    try (var threads = Files.newDirectoryStream(procfs("task"))) {
      for (Path one : threads) {
        String stat = ofThread(one, "stat");
        if (stat.contains("(" + thread + ")")) {
          sum += micros(stat, 11);
        }
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(ended(), gone);
    }
    return sum;
  }

  /** Empty if the thread has ended since it was listed, as threads of requests do. */
  private static String ofThread(Path thread, String file) throws IOException {
    try {
      return Files.readString(thread.resolve(file));
    } catch (NoSuchFileException ended) {
      return "";
    }
  }

  /** {@return user and system time of its ended children} */
  long childrenCpuMicros() {
    return micros(read("stat"), 13); // cutime and cstime
  }

  /** Two fields of stat in proc(5), counted from the one after the name in parentheses. */
  private static long micros(String stat, int field) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1]);
    return TimeUnit.SECONDS.toMicros(ticks) / TICKS_PER_SECOND;
  }

  /** {@return the maximum resident set so far, in KiB} */
  long peakRssKiB() {
    return status("VmHWM:");
  }

  /** {@return its number} */
  long pid() {
    return process.pid();
  }

  /** {@return the number of its threads} */
  int threads() {
    return entries("task");
  }

  /** {@return the number of its open files, sockets and pipes} */
  int descriptors() {
    return entries("fd");
  }

  private int entries(String of) {
    String[] names = procfs(of).toFile().list();
    if (names == null) {
      throw new IllegalStateException(ended());
    }
    return names.length;
  }

  /** {@return the current resident set, in KiB} */
  long rssKiB() {
    return status("VmRSS:");
  }

  /**
   * {@return the current and the maximum resident set, its private part, and the working set of a
   * program in a memory group}
   */
  String memory() {
    String own =
        "RSS %.1f MiB (peak %.1f, anonymous %.1f)"
            .formatted(rssKiB() / 1024.0, peakRssKiB() / 1024.0, status("RssAnon:") / 1024.0);
    try {
      return group == null ? own : own + ", " + group.memory();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private long status(String field) {
    return read("status")
        .lines()
        .filter(line -> line.startsWith(field))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }

  private Path procfs(String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }

  private String read(String file) {
    try {
      return Files.readString(procfs(file));
    } catch (IOException gone) {
      throw new UncheckedIOException(ended(), gone);
    }
  }

  /** {@return the next line of its standard output} */
  String nextLine() {
    try {
      String line = output().readLine();
      if (line == null) {
        throw new IllegalStateException(ended());
      }
      return line;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** With the end of its log, which is deleted with its folder. */
  private String ended() {
    try {
      String text = Files.readString(log);
      String end = text.substring(Math.max(0, text.length() - MAX_SHOWN));
      return "a program under measurement ended: " + (end.isBlank() ? log : end.strip());
    } catch (IOException unreadable) {
      return "a program under measurement ended: " + log;
    }
  }

  /** Reads its next line, which must be this one. */
  void expect(String line) {
    String found = nextLine();
    if (!found.equals(line)) {
      throw new IllegalStateException("expected \"" + line + "\", found: " + found);
    }
  }

  /** Writes a line to its standard input. */
  void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException gone) {
      throw new UncheckedIOException(ended(), gone);
    }
  }

  /**
   * Closes its standard input, after which our programs report, and returns the rest of its output.
   */
  List<String> finish() {
    try {
      process.getOutputStream().close();
      List<String> lines = new ArrayList<>();
      output().lines().forEach(lines::add);
      return lines;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private BufferedReader output() {
    return process.inputReader();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    if (group != null) {
      group.close();
    }
  }
}
