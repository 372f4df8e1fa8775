package io.probelet.web.machine;

import io.probelet.health.TimeSource;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What disks do, from {@code diskstats}, and how full they are. */
final class DiskStatistics {
  private static final String DEVICE = "device_name";
  private static final String DIRECTION = "direction";
  private static final int SECTOR = 512;

  /** Words of a line of {@code diskstats}: those of reads, and how much further those of writes. */
  private static final int NAME = 2;

  private static final int DONE = 3;
  private static final int MERGED = 4;
  private static final int SECTORS = 5;
  private static final int MILLIS = 6;
  private static final int WRITES = 4;
  private static final int IO_MILLIS = 12;
  private static final int WEIGHTED_MILLIS = 13;

  private final ProcFiles proc;
  private final Path blocks;
  private final StatisticsChoice choice;
  private final MountedDisks mounted;
  private final TimeSource time;
  private Map<String, Double> weightedBefore = Map.of();
  private long before;

  DiskStatistics(
      ProcFiles proc, Path blocks, StatisticsChoice choice, MountedDisks mounted, TimeSource time) {
    this.proc = proc;
    this.blocks = blocks;
    this.choice = choice;
    this.mounted = mounted;
    this.time = time;
  }

  Stream<Statistic> all() {
    return Stream.of(
        Statistic.counter("disk/io_time", () -> each(IO_MILLIS)),
        Statistic.counter("disk/weighted_io", () -> each(WEIGHTED_MILLIS)),
        Statistic.gauge("disk/avg_queue_len", this::queueLength),
        Statistic.counter("disk/operation_count", () -> directions(DONE, 1)),
        Statistic.counter("disk/merged_operation_count", () -> directions(MERGED, 1)),
        Statistic.counter("disk/operation_bytes_count", () -> directions(SECTORS, SECTOR)),
        Statistic.counter("disk/operation_time", () -> directions(MILLIS, 1)),
        Statistic.gauge("disk/bytes_used", mounted::bytesUsed),
        Statistic.gauge("disk/percent_used", mounted::percentUsed));
  }

  private Map<Labels, Double> each(int column) throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>();
    columns(column).forEach((disk, value) -> values.put(Labels.of(DEVICE, disk), value));
    return values;
  }

  private Map<Labels, Double> directions(int column, int unit) throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>();
    columns(column)
        .forEach(
            (disk, value) -> values.put(Labels.of(DEVICE, disk, DIRECTION, "read"), value * unit));
    columns(column + WRITES)
        .forEach(
            (disk, value) -> values.put(Labels.of(DEVICE, disk, DIRECTION, "write"), value * unit));
    return values;
  }

  /** Requests under way on average since the last scrape; nothing at the first. */
  private synchronized Map<Labels, Double> queueLength() throws IOException {
    Map<String, Double> weighted = columns(WEIGHTED_MILLIS);
    long now = time.nanoTime();
    double millis = Duration.ofNanos(now - before).toNanos() / 1e6;
    Map<Labels, Double> values = new LinkedHashMap<>();
    for (Map.Entry<String, Double> disk : weighted.entrySet()) {
      Double last = weightedBefore.get(disk.getKey());
      if (last != null && millis > 0) {
        values.put(Labels.of(DEVICE, disk.getKey()), Math.max(0, disk.getValue() - last) / millis);
      }
    }
    weightedBefore = weighted;
    before = now;
    return values;
  }

  private Map<String, Double> columns(int column) throws IOException {
    Set<String> shown = shown();
    boolean all = !choice.rootDisks() && !choice.mountedDisks();
    Map<String, Double> values = new LinkedHashMap<>();
    for (String line : proc.lines("diskstats")) {
      String[] words = ProcFiles.words(line);
      if (all || shown.contains(words[NAME])) {
        values.put(words[NAME], Double.parseDouble(words[column]));
      }
    }
    return values;
  }

  private Set<String> shown() throws IOException {
    Set<String> shown = new HashSet<>();
    if (choice.rootDisks()) {
      try (DirectoryStream<Path> disks = Files.newDirectoryStream(blocks)) {
        for (Path disk : disks) {
          shown.add(String.valueOf(disk.getFileName()));
        }
      } catch (DirectoryIteratorException failed) {
        throw failed.getCause();
      }
    }
    if (choice.mountedDisks()) {
      mounted.devices().forEach(device -> shown.add(device.substring(device.lastIndexOf('/') + 1)));
    }
    return shown;
  }
}
