package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.Port;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
  private static final Map<String, Integer> PORTS = Map.of("found", 93, "broken", 70_000);

  @ParameterizedTest
  @CsvSource({"10.0.0.1,10.0.0.1:76", "fd00::1,[fd00::1]:76", "[fd00::1],[fd00::1]:76"})
  @DisplayName("P-15: the pod's IP is the host unless the probe names one; IPv6 in brackets")
  void hosts(String host, String expected) {
    assertThat(Destination.at(Probing.target(host, PORTS), new Port.Numeric(76), null))
        .isInstanceOf(Endpoint.class)
        .hasToString(expected);
    assertThat(Destination.at(Probing.target("10.9.9.9", PORTS), new Port.Numeric(76), host))
        .hasToString(expected);
  }

  @Test
  @DisplayName("P-15: an empty host in the probe is the pod's IP as well")
  void emptyHost() {
    assertThat(Destination.at(Probing.target(), new Port.Numeric(76), ""))
        .hasToString("127.0.0.1:76");
  }

  @Test
  @DisplayName("an empty pod IP is a prober error, never our own loopback")
  void emptyPodIp() {
    assertThat(error(Destination.at(Probing.target("", PORTS), new Port.Numeric(76), null)))
        .isEqualTo("pod default/shop has no IP yet, and the probe has no host");
  }

  @ParameterizedTest
  @CsvSource({"found,93", "118,118"})
  @DisplayName("P-17: a port's name is looked up in the container; digits stand for themselves")
  void namedPorts(String name, int number) {
    assertThat(Destination.at(Probing.target("10.0.0.1", PORTS), new Port.Named(name), null))
        .isEqualTo(new Endpoint("10.0.0.1", number));
  }

  @ParameterizedTest
  @ValueSource(strings = {"not-found", "-1", "0", "65536", "broken"})
  @DisplayName("P-17: a name without a port, or outside 1 to 65535, is a prober error")
  void badNamedPorts(String name) {
    assertThat(error(Destination.at(Probing.target("10.0.0.1", PORTS), new Port.Named(name), null)))
        .contains(name);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 65_536})
  @DisplayName("P-17: a number outside 1 to 65535 is a prober error")
  void badNumbers(int number) {
    assertThat(
            error(
                Destination.at(Probing.target("10.0.0.1", PORTS), new Port.Numeric(number), null)))
        .isEqualTo("port " + number + " is not between 1 and 65535");
  }

  @Test
  @DisplayName("P-17: the message names the ports there are")
  void namesWhatThereIs() {
    assertThat(
            error(Destination.at(Probing.target("10.0.0.1", PORTS), new Port.Named("http"), null)))
        .isEqualTo("container web has no port named \"http\"; it has [broken, found]");
  }

  private static String error(Destination aim) {
    assertThat(aim).isInstanceOf(Destination.Unknown.class);
    ProberError error = ((Destination.Unknown) aim).error();
    assertThat(error.reason()).isEqualTo(Reason.BAD_TARGET);
    return error.message();
  }
}
