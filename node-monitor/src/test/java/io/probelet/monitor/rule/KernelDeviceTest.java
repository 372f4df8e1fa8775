package io.probelet.monitor.rule;

import static io.probelet.monitor.MonitorFiles.log;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelDeviceTest {
  private static final String LINE = "EXT4-fs (sda1): Remounting filesystem read-only";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        LINE + " | sda1",
        "EXT3-fs (dm-0): error: remounting filesystem read-only | dm-0",
        "EXT4-fs error (device nvme0n1p1): ext4_find_entry:1455: inode #2 | nvme0n1p1",
        "XFS (md-0.1): Log I/O Error Detected. Shutting down filesystem | md-0.1",
        "BTRFS info (device sdd state EA): forced readonly | sdd",
        "BTRFS: error (device dm-75: state E) in write_all_supers:4379 | dm-75",
        "blk_update_request: I/O error, dev cciss!c0d0, sector 0 | cciss!c0d0",
        "Remounting filesystem read-only | ''",
        "java (oom): bad | ''",
        "task java:12 blocked (see above): bad | ''"
      })
  @DisplayName("B-15 device names are found where kernels write them")
  void found(String line, String device) {
    assertThat(KernelDevice.in(line)).isEqualTo(device);
  }

  private static String device(String more) {
    String rule =
        "{'type': 'permanent', 'condition': 'Sick', 'reason': 'Bad',"
            + " 'pattern': 'Remounting filesystem read-only'"
            + more
            + "}";
    return log(rule).rules().getFirst().deviceIn(LINE);
  }

  @Test
  @DisplayName("B-15 rules with clear settings or counts do not guess a device")
  void onlyWhereNothingElseClears() {
    assertThat(device("")).isEqualTo("sda1");
    assertThat(device(", 'clearPattern': 'all is well'")).isEmpty();
    assertThat(device(", 'clearAfter': '1m'")).isEmpty();
    assertThat(device(", 'minCount': 2, 'window': '1m'")).isEmpty();
  }
}
