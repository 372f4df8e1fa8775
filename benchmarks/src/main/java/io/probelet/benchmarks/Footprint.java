package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a Java process at one moment, after a full collection.
 *
 * @param areas committed KiB of each area of the JVM, if it counts them
 */
record Footprint(
    double rssMiB, double heapMiB, int descriptors, int threads, Map<String, Long> areas) {
  static final String HEADER =
      "%8s %9s %9s %7s %8s".formatted("after s", "RSS MiB", "heap MiB", "files", "threads");
  private static final Pattern USED = Pattern.compile("used (\\d+)K");
  private static final Pattern AREA =
      Pattern.compile("-\\s+([A-Z][A-Za-z ]+) \\(reserved=\\d+KB, committed=(\\d+)KB\\)");
  private static final Pattern MALLOC = Pattern.compile("malloc: (\\d+)KB");

  /** Measures one. */
  static Footprint of(Daemon daemon) throws IOException {
    String pid = Long.toString(daemon.pid());
    String _ = jcmd(pid, "GC.run");
    double heap = 0;
    for (String line : jcmd(pid, "GC.heap_info").split("\n", -1)) {
      Matcher used = USED.matcher(line);
      if (!line.contains("Metaspace") && !line.contains("class space") && used.find()) {
        heap += Long.parseLong(used.group(1)) / 1024.0;
      }
    }
    Map<String, Long> areas = new TreeMap<>();
    String memory = jcmd(pid, "VM.native_memory", "summary");
    Matcher area = AREA.matcher(memory);
    while (area.find()) {
      areas.put(area.group(1).strip(), Long.valueOf(area.group(2)));
    }
    Matcher malloc = MALLOC.matcher(memory);
    if (malloc.find()) {
      areas.put("of all, by malloc", Long.valueOf(malloc.group(1)));
    }
    return new Footprint(
        daemon.rssKiB() / 1024.0, heap, daemon.descriptors(), daemon.threads(), areas);
  }

  /** {@return the resident memory besides the heap, which has its own limit} */
  double outsideHeapMiB() {
    return rssMiB - areas.getOrDefault("Java Heap", 0L) / 1024.0;
  }

  String line(int seconds) {
    return "%8d %9.1f %9.1f %7d %8d".formatted(seconds, rssMiB, heapMiB, descriptors, threads);
  }

  /** The memory of each area of the JVM; the rest belongs to the C library and to files. */
  String areasSince(Footprint before) {
    StringBuilder text = new StringBuilder("committed, KiB:");
    areas.forEach((name, now) -> {
      long then = before.areas.getOrDefault(name, 0L);
      if (now > 100 || then > 100) {
        text.append("%n%24s %8d -> %8d (%+d)".formatted(name, then, now, now - then));
      }
    });
    return text.toString();
  }

  private static String jcmd(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
