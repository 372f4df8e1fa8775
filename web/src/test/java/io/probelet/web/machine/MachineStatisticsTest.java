package io.probelet.web.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import com.google.re2j.Pattern;
import io.probelet.health.ManualClock;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A machine of files; values as node-problem-detector has them of the same machine. */
class MachineStatisticsTest {
  @TempDir Path root;
  private final ManualClock time = new ManualClock(Instant.EPOCH);

  @BeforeEach
  void machine() throws Exception {
    file("proc/loadavg", "0.50 1.25 2.00 3/456 789\n");
    file(
        "proc/stat",
        """
        cpu  300 20 100 4000 50 6 7 8 9 1
        cpu0 200 20 60 2000 50 6 7 8 9 1
        cpu1 100 0 40 2000 0 0 0 0 0 0
        intr 12345 1 2 3
        processes 777
        procs_running 2
        procs_blocked 1
        """);
    file(
        "proc/meminfo",
        """
        MemTotal:        1000 kB
        MemFree:          200 kB
        Buffers:           50 kB
        Cached:           100 kB
        Active(anon):      11 kB
        Inactive(anon):    12 kB
        Active(file):      13 kB
        Inactive(file):    14 kB
        Unevictable:       15 kB
        Dirty:             16 kB
        Writeback:         17 kB
        Slab:              50 kB
        """);
    file("proc/uptime", "3600.25 100.00\n");
    file("proc/sys/kernel/osrelease", "6.12.1\n");
    file("etc/os-release", "ID=debian\nVERSION_ID=\"13\"\n");
    file(
        "proc/diskstats",
        """
           8       0 sda 10 1 20 30 40 4 50 60 0 70 80 0 0 0 0
           8       1 sda1 5 0 6 7 8 0 9 10 0 11 12
         259       0 nvme0n1 1 0 2 3 4 0 5 6 0 7 8
        """);
    file("sys/block/sda", "");
    file("proc/filesystems", "nodev\ttmpfs\n\text4\n");
    file(
        "proc/self/mounts",
        "/dev/sda1 %s ext4 rw,relatime 0 0\ntmpfs /tmp tmpfs rw 0 0\n".formatted(root));
    file(
        "proc/net/dev",
        """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
            lo:    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
          eth0:  101 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
        """);
    file("proc/cmdline", "root=/dev/sda1 csm.enabled=1 loadpin.enabled=1 module.sig_enforce=1\n");
    file(
        "proc/modules",
        """
        nvidia 1 0 - Live 0x0 (POE)
        ours 1 0 - Live 0x0 (OE)
        zfs 1 0 - Live 0x0 (PO)
        ext4 1 0 - Live 0x0
        """);
    file("known.json", "[{\"moduleName\":\"zfs\"}]");
  }

  private void file(String name, String content) throws Exception {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private MachineStatistics machine(String name, boolean rootDisks, boolean mountedDisks) {
    return new MachineStatistics(
        new StatisticsChoice(
            Map.of(name, name),
            rootDisks,
            mountedDisks,
            Optional.of(Pattern.compile("^lo$")),
            Optional.of(root.resolve("known.json"))),
        Labels.EMPTY,
        root,
        time);
  }

  private static Map<String, Double> values(MachineStatistics machine) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (MetricSnapshot metric : machine.collect()) {
      for (DataPointSnapshot point : metric.getDataPoints()) {
        String labels =
            point.getLabels().stream().map(Label::getValue).collect(Collectors.joining(" "));
        values.put(
            labels,
            point instanceof GaugeDataPointSnapshot gauge
                ? gauge.getValue()
                : ((UnknownDataPointSnapshot) point).getValue());
      }
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource({
    "cpu/load_1m, '', 0.5, false",
    "cpu/load_15m, '', 2.0, false",
    "cpu/runnable_task_count, '', 0.5, false",
    "cpu/usage_time, guest_nice, 1.0, true",
    "cpu/usage_time, user, 300.0, true",
    "system/cpu_stat, cpu1 system, 0.4, true",
    "system/cpu_stat, cpu0 softIRQ, 0.07, true",
    "system/processes_total, '', 777.0, true",
    "system/procs_running, '', 2.0, false",
    "system/procs_blocked, '', 1.0, false",
    "system/interrupts_total, '', 12345.0, true",
    "memory/bytes_used, used, 614400.0, false",
    "memory/bytes_used, slab, 51200.0, false",
    "memory/percent_used, used, 60.0, false",
    "memory/anonymous_used, inactive, 12288.0, false",
    "memory/page_cache_used, active, 13312.0, false",
    "memory/unevictable_used, '', 15360.0, false",
    "memory/dirty_used, writeback, 17408.0, false",
    "host/uptime, 6.12.1 debian 13, 3600.0, false",
    "disk/io_time, sda, 70.0, true",
    "disk/weighted_io, nvme0n1, 8.0, true",
    "disk/operation_count, sda read, 10.0, true",
    "disk/operation_count, sda write, 40.0, true",
    "disk/merged_operation_count, sda write, 4.0, true",
    "disk/operation_bytes_count, sda read, 10240.0, true",
    "disk/operation_bytes_count, sda1 write, 4608.0, true",
    "disk/operation_time, sda write, 60.0, true",
    "net/rx_bytes, eth0, 101.0, true",
    "net/rx_multicast, eth0, 8.0, true",
    "net/tx_bytes, eth0, 9.0, true",
    "net/tx_collisions, eth0, 14.0, true",
    "net/tx_compressed, eth0, 16.0, true",
    "system/os_feature, KTD, 1.0, false",
    "system/os_feature, UnifiedCgroupHierarchy, 0.0, false",
    "system/os_feature, KernelModuleIntegrity, 1.0, false",
    "system/os_feature, GPUSupport, 1.0, false",
    "system/os_feature, UnknownModules ours, 1.0, false",
  })
  @DisplayName("A-8 statistics have node-problem-detector's names, labels, units and types")
  void statistics(String name, String labels, double value, boolean counter) {
    MachineStatistics machine = machine(name, false, false);
    assertThat(values(machine)).contains(entry(labels, value));
    assertThat(machine.counters().contains(name.replace('/', '_'))).isEqualTo(counter);
  }

  @Test
  @DisplayName("A-8 interfaces and disks that are not asked for are left out")
  void leftOut() {
    assertThat(values(machine("net/rx_bytes", false, false))).containsOnlyKeys("eth0");
    assertThat(values(machine("disk/io_time", true, false))).containsOnlyKeys("sda");
    assertThat(values(machine("disk/io_time", false, true))).containsOnlyKeys("sda1");
    assertThat(values(machine("disk/io_time", true, true))).containsOnlyKeys("sda", "sda1");
  }

  @Test
  @DisplayName("A-8 the queue's length is an average since the last scrape")
  void queue() throws Exception {
    MachineStatistics machine = machine("disk/avg_queue_len", true, false);
    assertThat(values(machine)).isEmpty();
    file("proc/diskstats", "8 0 sda 10 1 20 30 40 4 50 60 0 70 3080\n");
    time.advance(Duration.ofSeconds(2));
    assertThat(values(machine)).containsExactly(entry("sda", 1.5));
  }

  @Test
  @DisplayName("A-8 how full is what is mounted, each device once, what is no disk not at all")
  void full() {
    Map<String, Double> bytes = soon("disk/bytes_used");
    assertThat(bytes).containsOnlyKeys("sda1 ext4 rw,relatime free", "sda1 ext4 rw,relatime used");
    double free = bytes.getOrDefault("sda1 ext4 rw,relatime free", 0.0);
    double used = bytes.getOrDefault("sda1 ext4 rw,relatime used", 0.0);
    assertThat(soon("disk/percent_used").get("sda1"))
        .isBetween(used / (used + free) * 100 - 1, used / (used + free) * 100 + 1);
  }

  /** What is mounted answers within a second or is left out, also on a machine that is busy. */
  private Map<String, Double> soon(String name) {
    return await().until(() -> values(machine(name, false, false)), there -> !there.isEmpty());
  }

  @Test
  @DisplayName("A-8 what the kernel does not have, or writes otherwise, is not there")
  void notThere() throws Exception {
    Files.delete(root.resolve("proc/diskstats"));
    assertThat(values(machine("disk/io_time", false, false))).isEmpty();
    file("proc/loadavg", "busy\n");
    assertThat(values(machine("cpu/load_1m", false, false))).isEmpty();
    file("proc/net/dev", "eth0: 1\n");
    assertThat(values(machine("net/tx_bytes", false, false))).isEmpty();
  }
}
