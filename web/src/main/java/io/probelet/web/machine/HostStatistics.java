package io.probelet.web.machine;

import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** How long the machine has been up, in seconds, and as what. */
final class HostStatistics {
  private final ProcFiles proc;
  private final Path osRelease;

  HostStatistics(ProcFiles proc, Path osRelease) {
    this.proc = proc;
    this.osRelease = osRelease;
  }

  Stream<Statistic> all() {
    return Stream.of(
        Statistic.gauge(
            "host/uptime",
            () -> Map.of(host(), Math.floor(Double.parseDouble(proc.words("uptime", "")[0])))));
  }

  private Labels host() throws IOException {
    Map<String, String> release = new HashMap<>();
    for (String line : ProcFiles.lines(osRelease)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        release.put(line.substring(0, equals), line.substring(equals + 1).replace("\"", ""));
      }
    }
    String version = release.getOrDefault("VERSION", release.getOrDefault("VERSION_ID", ""));
    return Labels.of(
        "kernel_version",
        proc.words("sys/kernel/osrelease", "")[0],
        "os_version",
        (release.getOrDefault("ID", "linux") + " " + version).strip());
  }
}
