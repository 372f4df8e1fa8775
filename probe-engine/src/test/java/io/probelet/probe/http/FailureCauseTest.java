package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.net.ClosedPort;
import io.probelet.probe.net.Probing;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Script;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** By which cause a failure is counted. */
class FailureCauseTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static final Duration SHORT = Duration.ofMillis(300);

  private static Cause cause(HttpGet handler, Duration timeout) {
    Verdict verdict = PROBING.probe(handler, timeout).verdict();
    assertThat(verdict).isInstanceOf(Verdict.Failure.class);
    return ((Verdict.Failure) verdict).cause();
  }

  static Stream<Arguments> servers() {
    Script plain = to -> to.send(response(200, "no TLS"));
    Script silent = ScriptedServer.Connection::hang;
    Script broken = to -> to.request();
    Script nonsense = to -> to.send("what?\r\n\r\n");
    Script unhealthy =
        to -> {
          to.request();
          to.send(response(500, ""));
        };
    return Stream.of(
        Arguments.of(Cause.TLS, Scheme.HTTPS, plain, Probing.TIMEOUT),
        Arguments.of(Cause.TIMEOUT, Scheme.HTTPS, silent, SHORT),
        Arguments.of(Cause.TIMEOUT, Scheme.HTTP, silent, SHORT),
        Arguments.of(Cause.ANSWER, Scheme.HTTP, broken, Probing.TIMEOUT),
        Arguments.of(Cause.ANSWER, Scheme.HTTP, nonsense, Probing.TIMEOUT),
        Arguments.of(Cause.STATUS, Scheme.HTTP, unhealthy, Probing.TIMEOUT));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("servers")
  @DisplayName("what a server did is the cause")
  void byServer(Cause expected, Scheme scheme, Script script, Duration timeout) throws Exception {
    try (ScriptedServer server = ScriptedServer.start(script)) {
      assertThat(cause(get(server.port(), scheme, HttpExpectation.KUBELET), timeout))
          .isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("nothing listens")
  void connect() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      assertThat(cause(get(port.number(), "/"), Probing.TIMEOUT)).isEqualTo(Cause.CONNECT);
    }
  }

  @Test
  @DisplayName("failures that say the same are equal, by whatever cause")
  void equality() {
    assertThat(new Verdict.Failure("a").by(Cause.TLS)).isEqualTo(new Verdict.Failure("a"));
    assertThat(new Verdict.Failure("a", Cause.STATUS).by(Cause.TLS).cause())
        .isEqualTo(Cause.STATUS);
  }
}
