package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KernelFiguresTest {
  @Test
  @DisplayName("work is user, nice, system and interrupts; what the host stole is told apart")
  void times() {
    String stat =
        """
        cpu  100 20 30 4000 500 6 7 8 900 0
        cpu0 1 2 3 4 5 6 7 8 9 0
        """;

    assertThat(MachineTimes.parse(stat)).isEqualTo(new MachineTimes(1_630_000, 80_000));
    assertThat(MachineTimes.parse(stat).since(new MachineTimes(630_000, 30_000)))
        .isEqualTo(new MachineTimes(1_000_000, 50_000));
  }

  @Test
  @DisplayName("a kernel that says something else is named")
  void strange() {
    assertThatThrownBy(() -> MachineTimes.parse("cpu 1 2\n"))
        .hasMessageContaining("found: cpu 1 2");
    assertThatThrownBy(() -> MachineTimes.parse("")).hasMessageContaining("/proc/stat");
    assertThatThrownBy(() -> KernelCount.opened("Udp: A\nUdp: 1\n"))
        .hasMessageContaining("/proc/net/snmp");
  }

  @Test
  @DisplayName("connections are counted by the column of their name")
  void connections() {
    String snmp =
        """
        Ip: Forwarding DefaultTTL
        Ip: 1 64
        Tcp: RtoAlgorithm MaxConn ActiveOpens PassiveOpens
        Tcp: 1 -1 4711 42
        """;

    assertThat(KernelCount.opened(snmp)).isEqualTo(4711);
  }
}
