package io.probelet.monitor.node;

import io.probelet.health.RecentMap;
import io.probelet.health.TimeSource;
import io.probelet.monitor.log.OomLines;
import io.probelet.monitor.track.PodCgroup;
import io.probelet.monitor.track.PodTrace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pod of an OOM-killed process, if the pod's own kill count confirms the log (B-10).
 * Belongs to the thread that reads the log.
 */
final class OomVictims {
  /** For logs that anyone may write. */
  static final OomVictims NONE = new OomVictims(null, null);

  /** The most pods whose count is remembered; the one whose count rose longest ago is forgotten. */
  private static final int MAX_PODS = 256;

  /**
   * If several processes are killed together, the kernel counts all of them before their lines are
   * read.
   */
  private static final Duration TOGETHER = Duration.ofSeconds(10);

  /** For nodes on which the kernel's paths are longer than those visible here, as in kind. */
  private static final int MAX_LEADING = 8;

  private static final int MAX_BYTES = 4096;
  private static final int MAX_CONTAINERS = 64;
  private static final String COUNT = "oom_kill ";

  private final @Nullable Path sys;
  private final @Nullable TimeSource time;
  private final OomLines lines = new OomLines();
  private final RecentMap<String, Counted> counts = new RecentMap<>(MAX_PODS);

  /** The kill count of a pod, and when it last rose. */
  private record Counted(long kills, long roseAt) {}

  OomVictims(@Nullable Path sys, @Nullable TimeSource time) {
    this.sys = sys;
    this.time = time;
  }

  /** Takes the next kernel record. */
  void take(String record) {
    if (sys != null) {
      lines.take(record);
    }
  }

  /** The pod of the process in a record; empty if there is none, or its count has not risen. */
  Optional<PodTrace> of(String record) {
    return lines.victim(record).filter(this::isConfirmed).map(PodCgroup::pod);
  }

  private boolean isConfirmed(PodCgroup pod) {
    if (sys == null || time == null) {
      return false;
    }
    long now = time.nanoTime();
    long kills = kills(sys.resolve("fs/cgroup"), pod.path());
    Counted before = counts.get(pod.path());
    if (kills > (before == null ? 0 : before.kills())) {
      counts.put(pod.path(), new Counted(kills, now));
      return true;
    }
    return before != null && now - before.roseAt() < TOGETHER.toNanos();
  }

  /** 0 if the pod's cgroup is not visible. */
  private static long kills(Path root, String pod) {
    // The kernel logs paths from the root; a path that leads outside is invalid.
    String rest = List.of(pod.split("/", -1)).contains("..") ? "" : pod;
    for (int leading = 0; leading < MAX_LEADING && !rest.isEmpty(); leading++) {
      String below = rest.substring(1);
      Path unified = root.resolve(below);
      if (Files.isDirectory(unified)) {
        return count(unified.resolve("memory.events")); // it includes the containers' kills
      }
      Path memory = root.resolve("memory").resolve(below);
      if (Files.isDirectory(memory)) {
        return ofContainers(memory);
      }
      int next = rest.indexOf('/', 1);
      rest = next < 0 ? "" : rest.substring(next);
    }
    return 0;
  }

  /** In cgroup v1 each group counts its own processes only. */
  private static long ofContainers(Path pod) {
    long kills = count(pod.resolve("memory.oom_control"));
    int containers = 0;
    try (DirectoryStream<Path> below = Files.newDirectoryStream(pod, Files::isDirectory)) {
      for (Path container : below) {
        if (containers++ == MAX_CONTAINERS) {
          break;
        }
        kills += count(container.resolve("memory.oom_control"));
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return kills; // the kubelet may remove them at any time
    }
    return kills;
  }

  private static long count(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
      return text.lines()
          .filter(line -> line.startsWith(COUNT))
          .mapToLong(line -> Long.parseLong(line.substring(COUNT.length()).strip()))
          .findFirst()
          .orElse(0);
    } catch (IOException | NumberFormatException unknown) {
      return 0;
    }
  }
}
