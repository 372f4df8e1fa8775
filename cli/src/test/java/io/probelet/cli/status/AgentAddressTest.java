package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.web.http.ListenAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which agent {@code probelet status} asks: the one of its own environment. */
class AgentAddressTest {
  @TempDir Path dir;

  private static String of(Map<String, String> environment) {
    return AgentAddress.of(null, environment, null).toString();
  }

  @Test
  @DisplayName(
      "the option, then PROBELET_LISTEN, then the file of PROBELET_CONFIG, then the default")
  void order() throws Exception {
    Path file = Files.writeString(dir.resolve("agent.yaml"), "http: {listen: '127.0.0.1:4711'}\n");
    Map<String, String> both = Map.of("PROBELET_CONFIG", "" + file, "PROBELET_LISTEN", "[::1]:8");
    assertThat(AgentAddress.of(ListenAddress.parse("localhost:7"), both, null))
        .hasToString("localhost:7");
    assertThat(of(both)).isEqualTo("[::1]:8");
    assertThat(of(Map.of("PROBELET_CONFIG", "" + file, "PROBELET_LISTEN", "")))
        .isEqualTo("127.0.0.1:4711");
    assertThat(of(Map.of())).isEqualTo(ListenAddress.DEFAULT);
  }

  @Test
  @DisplayName("asks an agent that listens on all addresses on loopback")
  void everywhere() {
    assertThat(of(Map.of("PROBELET_LISTEN", "0.0.0.0:20258"))).isEqualTo("127.0.0.1:20258");
    assertThat(of(Map.of("PROBELET_LISTEN", "[::]:20258"))).isEqualTo("[::1]:20258");
  }

  @Test
  @DisplayName("names the unreadable file and the option to use instead")
  void unknown() throws Exception {
    Path none = dir.resolve("none.yaml");
    assertThatThrownBy(() -> of(Map.of("PROBELET_CONFIG", "" + none)))
        .hasMessageContaining("none.yaml")
        .hasMessageEndingWith("; name it with --address");
    assertThatThrownBy(() -> of(Map.of("PROBELET_LISTEN", "everywhere")))
        .hasMessageContaining("PROBELET_LISTEN")
        .hasMessageContaining("\"everywhere\" is not host:port");
  }
}
