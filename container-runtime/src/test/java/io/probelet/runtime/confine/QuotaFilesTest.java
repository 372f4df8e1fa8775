package io.probelet.runtime.confine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.runtime.CpuQuota;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the kernel writes a limit on CPU time and what it did, in both versions. */
class QuotaFilesTest {
  private static final String V2 =
      """
      usage_usec 1234
      user_usec 1000
      system_usec 234
      nr_periods 196
      nr_throttled 192
      throttled_usec 18000000
      """;

  @TempDir private Path group;

  private void write(String file, String text) throws IOException {
    Files.writeString(group.resolve(file), text);
  }

  @Test
  @DisplayName("reads version 2")
  void unified() throws IOException {
    write("cpu.max", "1000 100000\n");
    write("cpu.stat", V2);
    assertThat(QuotaFiles.read(group)).contains(new CpuQuota(10, 196, 192));
  }

  @Test
  @DisplayName("reads version 1")
  void legacy() throws IOException {
    write("cpu.cfs_quota_us", "250000\n");
    write("cpu.cfs_period_us", "100000\n");
    write("cpu.stat", "nr_periods 5\nnr_throttled 0\nthrottled_time 0\n");
    assertThat(QuotaFiles.read(group)).contains(new CpuQuota(2500, 5, 0));
  }

  @Test
  @DisplayName("no limit is no quota")
  void unlimited() throws IOException {
    write("cpu.stat", V2);
    write("cpu.max", "max 100000\n");
    assertThat(QuotaFiles.read(group)).isEmpty();
    Files.delete(group.resolve("cpu.max"));
    write("cpu.cfs_quota_us", "-1\n");
    write("cpu.cfs_period_us", "100000\n");
    assertThat(QuotaFiles.read(group)).isEmpty();
  }

  @Test
  @DisplayName("a group that is gone has none")
  void gone() {
    assertThat(QuotaFiles.read(group.resolve("gone"))).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("an unexpected format is no quota")
  @ValueSource(strings = {"", "1000", "1000 0", "1000 -5", "x y", "99999999999999999999 100000"})
  void malformed(String limit) throws IOException {
    write("cpu.max", limit);
    write("cpu.stat", V2);
    assertThat(QuotaFiles.read(group)).isEmpty();
  }

  @Test
  @DisplayName("counts that are missing are no quota")
  void noCounts() throws IOException {
    write("cpu.max", "1000 100000\n");
    write("cpu.stat", "usage_usec 1\n");
    assertThat(QuotaFiles.read(group)).isEmpty();
  }
}
