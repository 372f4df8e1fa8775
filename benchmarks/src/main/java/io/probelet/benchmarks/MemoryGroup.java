package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory of a program as a kubelet does: its control group's usage without inactive
 * pages of files, the working set. Without the permission to make a group it counts nothing.
 */
final class MemoryGroup implements AutoCloseable {
  private static final double MIB = 1 << 20;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Beside the executable of a release, which then shares its files with no other program. */
  private static final Path OF_RELEASE = Path.of("lib", "jvm.options");

  private final @Nullable MeasuredGroup group;
  private final String refused;
  private boolean used;

  private MemoryGroup(@Nullable MeasuredGroup group, String refused) {
    this.group = group;
    this.refused = refused;
  }

  /** Creates a group without a limit. */
  static MemoryGroup create() {
    try {
      String name =
          "probelet-bench-" + ProcessHandle.current().pid() + "-" + NUMBER.getAndIncrement();
      return new MemoryGroup(MeasuredGroup.of("memory", name), "");
    } catch (IOException impossible) {
      return new MemoryGroup(null, String.valueOf(impossible.getMessage()));
    }
  }

  /** {@return whether there is a group, without which nothing is counted or limited} */
  boolean counts() {
    return group != null;
  }

  /**
   * Limits the memory of the group's processes together.
   *
   * @throws IOException if that is not possible here
   */
  void limit(int mebibytes) throws IOException {
    MeasuredGroup limited = required();
    limited.write(
        limited.isVersion1() ? "memory.limit_in_bytes" : "memory.max",
        (long) (mebibytes * MIB) + "");
  }

  private MeasuredGroup required() throws IOException {
    if (group == null) {
      throw new IOException(refused);
    }
    return group;
  }

  /**
   * {@return a program that runs in the group} Before the first, pages of a release's files that no
   * process has mapped are dropped: the group that reads them next is charged for them, as in a
   * container of its own.
   */
  List<String> around(List<String> program) throws IOException {
    if (group == null) {
      return program;
    }
    for (String word : used ? List.<String>of() : program) {
      Path folder = Path.of(word).toAbsolutePath().normalize().getParent();
      if (folder != null
          && folder.endsWith("bin")
          && Files.exists(folder.resolveSibling(OF_RELEASE))) {
        dropPages(folder.resolveSibling("."));
      }
    }
    used = true;
    return group.around(program);
  }

  private static void dropPages(Path release) throws IOException {
    try (Stream<Path> files = Files.walk(release)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
            .inheritIO()
            .start()
            .onExit()
            .join();
      }
    }
  }

  /**
   * {@return what the group's processes and the files that they read take now, and took at most}
   */
  String memory() throws IOException {
    if (group == null) {
      return "working set unknown: " + refused;
    }
    return "working set %.1f MiB (peak of the group %.1f, active files %.1f)"
        .formatted(workingSetMiB(), peakMiB(), stat("active_file") / MIB);
  }

  /** {@return the memory that a kubelet evicts by, in MiB} */
  double workingSetMiB() throws IOException {
    String usage = required().isVersion1() ? "memory.usage_in_bytes" : "memory.current";
    return (Long.parseLong(required().read(usage)) - stat("inactive_file")) / MIB;
  }

  /** {@return the largest usage so far, all pages of files included, in MiB} */
  double peakMiB() throws IOException {
    String peak = required().isVersion1() ? "memory.max_usage_in_bytes" : "memory.peak";
    return Long.parseLong(required().read(peak)) / MIB;
  }

  /** {@return how often the limit has ended a process} */
  long killed() throws IOException {
    return field(required().isVersion1() ? "memory.oom_control" : "memory.events", "oom_kill");
  }

  /** {@return pages of files that were dropped and read again} */
  long refaults() throws IOException {
    return stat("workingset_refault_file");
  }

  private long stat(String field) throws IOException {
    boolean total = required().isVersion1() && !field.startsWith("workingset");
    return field("memory.stat", total ? "total_" + field : field);
  }

  private long field(String file, String field) throws IOException {
    return required()
        .read(file)
        .lines()
        .filter(line -> line.startsWith(field + " "))
        .mapToLong(line -> Long.parseLong(line.substring(field.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new IOException("no " + field + " in " + file));
  }

  /** Removes the group; its processes must have ended. */
  @Override
  public void close() {
    if (group != null) {
      group.close();
    }
  }
}
