package io.probelet.monitor.check;

import io.probelet.monitor.rule.CheckSpec.Pressure.Resource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Names the pod that uses most of a contended resource (B-22). Cumulative counters require two
 * readings; a pressure problem is reported after the second at the earliest.
 */
final class PodUsage {
  /** One line per disk. */
  private static final int MAX_LINES = 1000;

  private final Resource resource;
  private final Machine machine;
  private Map<String, Long> before = Map.of();

  PodUsage(Resource resource, Machine machine) {
    this.resource = resource;
    this.machine = machine;
  }

  /** A clause; empty if no pod is known to use anything. */
  String largest() {
    Map<String, Long> now = read();
    Owners owners = new Owners(machine);
    now.forEach((pod, used) -> {
      Long earlier = resource == Resource.MEMORY ? Long.valueOf(0) : before.get(pod);
      if (earlier != null && used > earlier) {
        owners.add(new Owner.Pod(pod), used - earlier);
      }
    });
    before = now;
    if (resource == Resource.MEMORY) {
      owners.ofWhole(memory());
    }
    return owners.largest(
        switch (resource) {
          case MEMORY -> "the node's memory";
          case IO -> "the disk I/O of all pods";
          case CPU -> "the CPU time of all pods";
        });
  }

  /** In bytes; 0 if unknown. */
  private long memory() {
    try {
      return KernelFile.number(machine.proc().resolve("meminfo"), 1) << 10; // MemTotal: N kB
    } catch (IOException hidden) {
      return 0;
    }
  }

  private Map<String, Long> read() {
    String controller =
        switch (resource) {
          case MEMORY -> "memory";
          case IO -> "blkio";
          case CPU -> "cpuacct";
        };
    Map<String, Long> used = new HashMap<>();
    PodCgroups.find(machine, controller)
        .forEach((pod, folder) -> {
          try {
            used.put(pod, used(folder));
          } catch (IOException ended) {
            used.remove(pod); // the cgroup is gone
          }
        });
    return used;
  }

  private long used(Path folder) throws IOException {
    return switch (resource) {
      case MEMORY -> either(folder, "memory.current", "memory.usage_in_bytes");
      case IO -> {
        Path second = folder.resolve("io.stat");
        yield Files.exists(second)
            ? sum(second, "rbytes=", "wbytes=")
            : sum(folder.resolve("blkio.throttle.io_service_bytes"), "Total ", "Total ");
      }
      case CPU -> {
        Path second = folder.resolve("cpu.stat");
        yield Files.exists(folder.resolve("cpuacct.usage"))
            ? KernelFile.number(folder.resolve("cpuacct.usage"))
            : KernelFile.number(second, 1); // usage_usec N
      }
    };
  }

  private static long either(Path folder, String second, String first) throws IOException {
    Path file = folder.resolve(second);
    return KernelFile.number(Files.exists(file) ? file : folder.resolve(first));
  }

  /** Sums the numbers after either of two words, over all lines. */
  private static long sum(Path file, String one, String other) throws IOException {
    long sum = 0;
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
      String line = lines.readLine();
      for (int count = 0; line != null && count < MAX_LINES; count++) {
        sum += number(line, one) + (one.equals(other) ? 0 : number(line, other));
        line = lines.readLine();
      }
    }
    return sum;
  }

  private static long number(String line, String word) {
    int at = line.indexOf(word);
    if (at < 0) {
      return 0;
    }
    int end = at + word.length();
    while (end < line.length() && Character.isDigit(line.charAt(end))) {
      end++;
    }
    try {
      return Long.parseLong(line.substring(at + word.length(), end));
    } catch (NumberFormatException none) {
      return 0;
    }
  }
}
