package io.probelet.monitor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.PretendedNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootTest {
  @TempDir Path dir;

  @Test
  @DisplayName("A-3 kernel stamps count from the boot, less the time the machine was suspended")
  void suspended() throws Exception {
    Machine machine =
        new PretendedNode(dir)
            .file("/proc/uptime", "36100.00 1.00\n")
            .file("/proc/sys/kernel/random/boot_id", "b\n")
            .machine();
    assertThat(machine.kernel().awake()).isEqualTo(Duration.ofSeconds(100));
    assertThat(Boot.of(machine.proc(), machine.time()).at())
        .isEqualTo(PretendedNode.NOW.minusSeconds(36_100));
    assertThat(Boot.stampsBegin(machine)).isEqualTo(PretendedNode.NOW.minusSeconds(100));
  }
}
