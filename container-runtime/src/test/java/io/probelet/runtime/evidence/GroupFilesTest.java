package io.probelet.runtime.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.runtime.ContainerEvidence.MemoryUse;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.probe.runtime.CpuQuota;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the kernel writes what it counts for a control group, in both versions. */
@Timeout(60)
class GroupFilesTest {
  private static final String V2 =
      """
      usage_usec 1234567
      user_usec 1000
      system_usec 234
      nr_periods 196
      nr_throttled 192
      throttled_usec 18000000
      """;
  private static final String STALLS =
      """
      some avg10=0.00 avg60=1.24 avg300=0.96 total=%d
      full avg10=0.00 avg60=0.00 avg300=0.00 total=7
      """;

  @TempDir private Path root;

  private GroupFiles files(String... folders) {
    return new GroupFiles(List.of(folders).stream().map(root::resolve).toList());
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @Test
  @DisplayName("reads version 2")
  void unified() throws IOException {
    write("g/cpu.max", "1000 100000\n");
    write("g/cpu.stat", V2);
    write("g/memory.max", "16777216\n");
    write("g/memory.current", "4096\n");
    write("g/memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 3\noom_group_kill 1\n");
    write("g/cpu.pressure", STALLS.formatted(10));
    write("g/memory.pressure", STALLS.formatted(20));
    write("g/io.pressure", STALLS.formatted(30));
    write("g/cgroup.procs", "12\n4194304\n");
    GroupFiles group = files("gone", "g");
    assertThat(group.quota()).contains(new CpuQuota(10, 196, 192));
    assertThat(group.cpuMillis()).hasValue(1234);
    assertThat(group.memory()).contains(new MemoryUse(16 << 20, 4096, 3));
    assertThat(group.pressure()).contains(new StallTimes(10, 20, 30));
    assertThat(group.processes()).containsExactly(12L, 4194304L);
  }

  @Test
  @DisplayName("reads version 1, each controller in a folder of its own")
  void legacy() throws IOException {
    write("cpu/cpu.cfs_quota_us", "250000\n");
    write("cpu/cpu.cfs_period_us", "100000\n");
    write("cpu/cpu.stat", "nr_periods 5\nnr_throttled 0\nthrottled_time 0\n");
    write("cpu/cgroup.procs", "7\n");
    write("cpuacct/cpuacct.usage", "68219600027141\n");
    write("memory/memory.limit_in_bytes", "1048576\n");
    write("memory/memory.usage_in_bytes", "1048000\n");
    write("memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    GroupFiles group = files("cpu", "cpuacct", "memory");
    assertThat(group.quota()).contains(new CpuQuota(2500, 5, 0));
    assertThat(group.cpuMillis()).hasValue(68_219_600);
    assertThat(group.memory()).contains(new MemoryUse(1 << 20, 1_048_000, 1));
    assertThat(group.oomKills()).hasValue(1);
    assertThat(group.pressure()).isEmpty();
    assertThat(group.processes()).containsExactly(7L);
  }

  @Test
  @DisplayName("no limit is no quota")
  void unlimited() throws IOException {
    write("g/cpu.stat", V2);
    write("g/cpu.max", "max 100000\n");
    assertThat(files("g").quota()).isEmpty();
    Files.delete(root.resolve("g/cpu.max"));
    write("g/cpu.cfs_quota_us", "-1\n");
    write("g/cpu.cfs_period_us", "100000\n");
    assertThat(files("g").quota()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("no memory limit is 0, however the kernel writes it")
  @CsvSource({
    "memory.max, memory.current, memory.events, max",
    "memory.limit_in_bytes, memory.usage_in_bytes, memory.oom_control, 9223372036854771712",
    "memory.limit_in_bytes, memory.usage_in_bytes, memory.oom_control, 18446744073709551615"
  })
  void unlimitedMemory(String limit, String usage, String kills, String value) throws IOException {
    write("g/" + limit, value + "\n");
    write("g/" + usage, "5\n");
    write("g/" + kills, "oom_kill 0\n");
    assertThat(files("g").memory()).contains(new MemoryUse(0, 5, 0));
  }

  @Test
  @DisplayName("memory whose kills are not counted is unknown, not without kills")
  void oldKernel() throws IOException {
    write("g/memory.limit_in_bytes", "1048576\n");
    write("g/memory.usage_in_bytes", "1048000\n");
    write("g/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
    assertThat(files("g").memory()).isEmpty();
    assertThat(files("g").oomKills()).isEmpty();
  }

  @Test
  @DisplayName("a group that is gone has nothing")
  void gone() {
    GroupFiles group = files("gone");
    assertThat(group.quota()).isEmpty();
    assertThat(group.cpuMillis()).isEmpty();
    assertThat(group.memory()).isEmpty();
    assertThat(group.pressure()).isEmpty();
    assertThat(group.processes()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("an unexpected format is no quota")
  @ValueSource(strings = {"", "1000", "1000 0", "1000 -5", "x y", "99999999999999999999 100000"})
  void malformed(String limit) throws IOException {
    write("g/cpu.max", limit);
    write("g/cpu.stat", V2);
    assertThat(files("g").quota()).isEmpty();
  }

  @Test
  @DisplayName("counts that are missing are no quota")
  void noCounts() throws IOException {
    write("g/cpu.max", "1000 100000\n");
    write("g/cpu.stat", "usage_usec 1\n");
    assertThat(files("g").quota()).isEmpty();
    assertThat(files("g").cpuMillis()).hasValue(0);
  }

  @Test
  @DisplayName("pressure is known only for all three resources")
  void partialPressure() throws IOException {
    write("g/cpu.pressure", STALLS.formatted(10));
    write("g/memory.pressure", STALLS.formatted(20));
    write("g/io.pressure", "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
    assertThat(files("g").pressure()).isEmpty();
  }

  @Test
  @DisplayName("reads the node's pressure")
  void node() throws IOException {
    write("proc/pressure/cpu", STALLS.formatted(24916121570L));
    write("proc/pressure/memory", STALLS.formatted(2));
    assertThat(StallReader.ofNode(root.resolve("proc"))).isEmpty();
    write("proc/pressure/io", STALLS.formatted(3));
    assertThat(StallReader.ofNode(root.resolve("proc")))
        .contains(new StallTimes(24916121570L, 2, 3));
  }

  @ParameterizedTest
  @DisplayName("processes of another namespace, or an unexpected list, are unknown")
  @ValueSource(strings = {"0\n0\n", "12\n0\n", "12\nx\n", "12\n-1\n", ""})
  void otherNamespace(String processes) throws IOException {
    write("g/cgroup.procs", processes);
    assertThat(files("g").processes()).isEmpty();
  }

  @Test
  @DisplayName("a limited number of processes is looked at")
  void manyProcesses() throws IOException {
    write(
        "g/cgroup.procs",
        LongStream.rangeClosed(1, 200_000)
            .mapToObj(Long::toString)
            .collect(Collectors.joining("\n", "", "\n")));
    assertThat(files("g").processes()).hasSize(ProcessFiles.MAX_PROCESSES).startsWith(1L, 2L);
  }

  @Test
  @DisplayName("a pipe or a folder in place of a file keeps nobody waiting")
  void noFile() throws Exception {
    Files.createDirectories(root.resolve("g"));
    for (String name : List.of("cpu.stat", "cgroup.procs", "cpu.pressure", "memory.max")) {
      assertThat(
              new ProcessBuilder("mkfifo", root.resolve("g/" + name).toString()).start().waitFor())
          .isZero();
    }
    Files.createDirectory(root.resolve("g/cpuacct.usage"));
    assertThat(files("g").quota()).isEmpty();
    assertThat(files("g").cpuMillis()).isEmpty();
    assertThat(files("g").memory()).isEmpty();
    assertThat(files("g").pressure()).isEmpty();
    assertThat(files("g").processes()).isEmpty();
  }
}
