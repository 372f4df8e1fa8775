package io.probelet.runtime.confine;

import io.probelet.runtime.evidence.GroupFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of processes with common limits. Closing it kills all processes in it, including those in
 * sessions of their own, and removes it.
 */
public final class ControlGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlGroup.class);
  private static final String PROCESSES = "cgroup.procs";

  /** The default period of the kernel and of the kubelet. */
  private static final long PERIOD_MICROS = 100_000;

  /** The kernel rejects smaller quotas. */
  private static final long MIN_QUOTA_MICROS = 1_000;

  private static final long MICROS_PER_MILLI_CPU = PERIOD_MICROS / 1000;

  private static final Duration RETRY = Duration.ofMillis(2);
  private static final int MAX_ATTEMPTS = 500;

  private final List<Path> directories = new ArrayList<>();

  ControlGroup() {}

  /**
   * A line to write to one of the kernel's files; an optional file is skipped if it does not exist.
   */
  record Setting(String file, String value, boolean optional) {}

  /**
   * The files for the memory limit. Swap is disabled, because it would bypass the limit; the
   * kubelet does the same.
   */
  static List<Setting> memory(long bytes, boolean unified) {
    String limit = Long.toString(bytes);
    return unified
        ? List.of(
            new Setting("memory.max", limit, false),
            new Setting("memory.swap.max", "0", true),
            new Setting("memory.oom.group", "1", true))
        : List.of(
            new Setting("memory.limit_in_bytes", limit, false),
            new Setting("memory.memsw.limit_in_bytes", limit, true));
  }

  /** The files for the CPU limit. */
  static List<Setting> cpu(long millis, boolean unified) {
    long most = Long.MAX_VALUE / MICROS_PER_MILLI_CPU;
    long quota = Math.max(MIN_QUOTA_MICROS, Math.min(millis, most) * MICROS_PER_MILLI_CPU);
    return unified
        ? List.of(new Setting("cpu.max", quota + " " + PERIOD_MICROS, false))
        : List.of(
            new Setting("cpu.cfs_period_us", Long.toString(PERIOD_MICROS), false),
            new Setting("cpu.cfs_quota_us", Long.toString(quota), false));
  }

  /** Creates the group in one hierarchy, with these settings. */
  void make(Path directory, List<Setting> settings) throws IOException {
    if (!directories.contains(directory)) {
      Files.createDirectory(directory);
      directories.add(directory);
    }
    for (Setting setting : settings) {
      Path file = directory.resolve(setting.file());
      if (!setting.optional() || Files.exists(file)) {
        write(file, setting.value());
      }
    }
  }

  /**
   * Moves a process into the group; its later children belong to it too.
   *
   * @throws IOException if that fails
   */
  public void enter(long pid) throws IOException {
    for (Path directory : directories) {
      write(directory.resolve(PROCESSES), Long.toString(pid));
    }
  }

  /** {@return what the kernel counts for it} */
  public GroupFiles files() {
    return new GroupFiles(directories);
  }

  @Override
  public void close() {
    for (Path directory : directories) {
      try {
        remove(directory);
      } catch (IOException stuck) {
        LOG.warn(
            "cannot remove control group folder={} reason=\"{}\"", directory, stuck.toString());
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    for (int attempt = 1; ; attempt++) {
      for (String pid : ControlGroups.read(directory.resolve(PROCESSES)).lines().toList()) {
        ProcessHandle.of(Long.parseLong(pid.strip())).ifPresent(ProcessHandle::destroyForcibly);
      }
      try {
        Files.deleteIfExists(directory);
        return;
      } catch (IOException occupied) {
        if (attempt == MAX_ATTEMPTS) {
          throw occupied;
        }
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
  }

  private static void write(Path file, String value) throws IOException {
    try {
      Files.writeString(file, value, StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    } catch (IOException refused) {
      throw new IOException(
          file + " does not take " + value + ": " + refused.getMessage(), refused);
    }
  }
}
