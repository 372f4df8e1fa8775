package io.probelet.cli.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The program sends ICMP echo requests (H-21) in a network namespace of its own, where the test
 * decides whom the kernel allows to.
 */
class IcmpProbeTest {
  private static final String EVERY_GROUP = "0 2147483647";
  private static final String NO_GROUP = "1 0";

  /** Exit code and output of a process. */
  private record End(int code, String output) {}

  @BeforeAll
  static void mayUnshare() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-n", "true").start().waitFor() == 0,
        "requires root on Linux");
  }

  private static End probe(String groups, String... arguments) throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of(
                    "unshare",
                    "-n",
                    "sh",
                    "-ec",
                    "echo '"
                        + groups
                        + "' > /proc/sys/net/ipv4/ping_group_range; ip link set lo up;"
                        + " ip route add unreachable 192.0.2.0/24; exec \"$@\"",
                    "sh",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.probelet.cli.Probelet",
                    "probe"),
                Stream.of(arguments))
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      return new End(process.exitValue(), output);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @CsvSource({"icmp://127.0.0.1, 127.0.0.1", "icmp://[::1], ::1"})
  @DisplayName("H-21 the kernel of the target replies")
  void replies(String url, String address) throws Exception {
    End end = probe(EVERY_GROUP, url);
    assertThat(end.output()).contains("echo reply from " + address);
    assertThat(end.code()).isZero();
  }

  @Test
  @DisplayName("H-21 a network that is unreachable fails the probe")
  void unreachable() throws Exception {
    End end = probe(EVERY_GROUP, "icmp://192.0.2.1");
    assertThat(end.output()).contains("dial icmp 192.0.2.1: connect: no route to host");
    assertThat(end.code()).isOne();
  }

  @Test
  @DisplayName("H-21 a kernel that allows no socket is no fault of the target")
  void refused() throws Exception {
    End end = probe(NO_GROUP, "icmp://127.0.0.1");
    assertThat(end.output()).contains("net.ipv4.ping_group_range must include one of its groups");
    assertThat(end.code()).isOne();
  }
}
