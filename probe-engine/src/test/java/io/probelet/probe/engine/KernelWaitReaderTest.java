package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** W-12: what the kernel counts of time without a processor. */
class KernelWaitReaderTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "'1032769043 344774344 202', 344774344",
    "'1032769043 344774344 202\n', 344774344",
    "'1032769043', 0",
    "'', 0",
    "'1 two 3', 0"
  })
  @DisplayName("W-12 a thread's waits are the second number of schedstat")
  void waits(String schedstat, long nanos) {
    assertThat(KernelWaitReader.waited(schedstat)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({
    "'usage_usec 9\nnr_throttled 2\nthrottled_usec 1500\n', 1500000",
    "'nr_periods 9\nnr_throttled 2\nthrottled_time 1500\n', 1500",
    "'usage_usec 9\n', 0",
    "'throttled_usec many', 0"
  })
  @DisplayName(
      "W-12 throttling is in microseconds in cgroup version 2, in nanoseconds in version 1")
  void throttling(String statistics, long nanos) {
    assertThat(KernelWaitReader.throttled(statistics)).isEqualTo(nanos);
  }

  @Test
  @DisplayName("W-12 a control group's statistics are at its path, or where a container has them")
  void groups() {
    assertThat(KernelWaitReader.statistics("0::/kubepods/pod1\n"))
        .containsExactly(
            Path.of("/sys/fs/cgroup/kubepods/pod1/cpu.stat"), Path.of("/sys/fs/cgroup/cpu.stat"));
    assertThat(KernelWaitReader.statistics("4:memory:/x\n2:cpu,cpuacct:/x\n"))
        .containsExactly(
            Path.of("/sys/fs/cgroup/cpu/x/cpu.stat"), Path.of("/sys/fs/cgroup/cpu/cpu.stat"));
    assertThat(KernelWaitReader.statistics("nonsense\n")).isEmpty();
  }

  @Test
  @DisplayName("a count that is read again is that of now; the first file that is there counts")
  void again() throws IOException {
    Path file = Files.writeString(folder.resolve("schedstat"), "1 20 3");
    KernelWaitReader count =
        new KernelWaitReader(List.of(folder.resolve("absent"), file), KernelWaitReader::waited);
    assertThat(count.getAsLong()).isEqualTo(20);
    Files.writeString(file, "1 30 3");
    assertThat(count.getAsLong()).isEqualTo(30);
  }

  @Test
  @DisplayName("what cannot be read is 0")
  void absent() {
    assertThat(
            new KernelWaitReader(List.of(folder.resolve("absent")), KernelWaitReader::waited)
                .getAsLong())
        .isZero();
    assertThat(new KernelWaitReader(List.of(folder), KernelWaitReader::waited).getAsLong())
        .isZero();
  }
}
