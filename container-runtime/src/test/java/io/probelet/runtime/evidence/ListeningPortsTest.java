package io.probelet.runtime.evidence;

import static io.probelet.runtime.evidence.FakeProc.listener;
import static io.probelet.runtime.evidence.FakeProc.socket;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.runtime.ContainerEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports of a network of its own, and of the node's, in which others listen, too. */
class ListeningPortsTest {
  private static final int MAX_FILES = 20;
  private static final String ESTABLISHED = "01";

  @TempDir private Path root;

  private FakeProc proc;
  private ListeningPorts ports;

  @BeforeEach
  void open() throws IOException {
    proc = new FakeProc(root);
    ports = new ListeningPorts(root, MAX_FILES);
    proc.network("1", listener(22, 1) + listener(8080, 2) + listener(9090, 3));
    proc.sharedNetwork("self", "1");
  }

  @Test
  @DisplayName("in a network of its own all listeners count, in both versions of IP")
  void ownNetwork() throws IOException {
    proc.network("10", listener(8443, 5) + listener(80, 6) + socket(ESTABLISHED, 80, 7));
    Files.writeString(
        root.resolve("10/net/tcp6"),
        FakeProc.HEADER
            + "   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A"
            + " 00000000:00000000 00:00000000 00000000     0        0 33 1 0 100\n"
            + listener(80, 34));
    assertThat(ports.of(List.of(9L, 10L))).contains(List.of(80, 8080, 8443));
  }

  @Test
  @DisplayName("in the node's network only sockets count that the container has open")
  void nodeNetwork() throws IOException {
    proc.sharedNetwork("10", "1");
    proc.open(10, List.of("null", "socket:[2]", "socket:[77]"));
    proc.open(11, List.of("pipe:[3]", "socket:[1"));
    assertThat(ports.of(List.of(10L, 11L, 12L))).contains(List.of(8080));
  }

  @Test
  @DisplayName("the network of an agent outside the node's network is shared as well")
  void agentNetwork() throws IOException {
    Files.delete(root.resolve("self/net/tcp"));
    proc.network("self", listener(7000, 1));
    proc.sharedNetwork("10", "self");
    proc.open(10, List.of("null"));
    assertThat(ports.of(List.of(10L))).contains(List.of());
  }

  @Test
  @DisplayName("processes without any open file have ended, which is not the same as no listener")
  void ended() throws IOException {
    proc.sharedNetwork("10", "1");
    proc.open(10, List.of());
    assertThat(ports.of(List.of(10L))).isEmpty();
  }

  @Test
  @DisplayName("a container with more open files than are looked at is unknown")
  void manyFiles() throws IOException {
    proc.sharedNetwork("10", "1");
    List<String> some = Collections.nCopies(MAX_FILES / 2, "socket:[2]");
    proc.open(10, some);
    proc.open(11, some);
    assertThat(ports.of(List.of(10L, 11L))).contains(List.of(8080));
    proc.open(12, List.of("socket:[3]"));
    assertThat(ports.of(List.of(10L, 11L, 12L))).isEmpty();
  }

  @Test
  @DisplayName("a limited number of ports is named")
  void manyPorts() throws IOException {
    proc.network(
        "10",
        IntStream.range(0, 2000)
            .mapToObj(i -> listener(60_000 - i, i))
            .collect(Collectors.joining()));
    assertThat(ports.of(List.of(10L)).orElseThrow())
        .hasSize(ContainerEvidence.MAX_PORTS)
        .startsWith(58_001, 58_002);
  }

  @Test
  @DisplayName("a table of more than 1 MiB is read up to the end of the listeners")
  void manySockets() throws IOException {
    String many =
        IntStream.range(0, 12_000)
            .mapToObj(i -> socket(ESTABLISHED, 80, i))
            .collect(Collectors.joining());
    proc.network("10", listener(80, 1) + many);
    assertThat(root.resolve("10/net/tcp"))
        .satisfies(it -> assertThat(Files.size(it)).isGreaterThan(1 << 20));
    assertThat(ports.of(List.of(10L))).contains(List.of(80));
  }

  @Test
  @DisplayName("more than 1 MiB of listeners is unknown")
  void manyListeners() throws IOException {
    String many =
        IntStream.range(0, 12_000).mapToObj(i -> listener(i, i)).collect(Collectors.joining());
    proc.network("10", many);
    assertThat(ports.of(List.of(10L))).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("an unexpected table is unknown")
  @ValueSource(strings = {"x\n", "0: 0100007F:XYZ 0:0 0A 0:0 0:0 0 0 0 1\n", "0: 1:1 0:0 0A"})
  void malformed(String table) throws IOException {
    proc.network("10", table);
    assertThat(ports.of(List.of(10L))).isEmpty();
  }

  @Test
  @DisplayName("no process that can be seen is unknown, not a container without ports")
  void gone() {
    assertThat(ports.of(List.of())).isEmpty();
    assertThat(ports.of(List.of(99L))).isEmpty();
  }
}
