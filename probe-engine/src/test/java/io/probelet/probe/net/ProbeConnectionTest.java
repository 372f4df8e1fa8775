package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.NetLoop.Transport;
import io.probelet.probe.net.ScriptedServer.Script;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plain connection, as a socket on epoll and as a channel on NIO. */
class ProbeConnectionTest {
  private static final Probing EPOLL = new Probing(Transport.EPOLL, new SystemNames());
  private static final Probing NIO = new Probing(Transport.NIO, new SystemNames());

  @AfterAll
  static void close() {
    EPOLL.close();
    NIO.close();
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("a message larger than the socket takes at once is sent whole")
  void large(Transport transport) throws Exception {
    byte[] message = new byte[8 * 1024 * 1024];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) ((i * 31) >> 8);
    }
    Script script =
        to -> {
          byte[] received = to.in().readNBytes(message.length);
          to.send(Arrays.equals(received, message) ? "same" : "different");
        };
    assertThat(exchange(transport, script, message, Reading::untilEnd).verdict())
        .isEqualTo(new Success("same"));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("everything that comes before the end is received, however much")
  void muchIn(Transport transport) throws Exception {
    String text = "0123456789".repeat(50_000);
    Script script =
        to -> {
          to.in().read();
          to.send(text);
        };
    assertThat(exchange(transport, script, new byte[1], Reading::untilEnd).verdict())
        .isEqualTo(new Success(text));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("H-6: a reset is reported as the peer's")
  void reset(Transport transport) throws Exception {
    Script script =
        to -> {
          to.in().read();
          to.socket().setSoLinger(true, 0);
        };
    assertThat(exchange(transport, script, new byte[1], Reading::untilEnd).verdict())
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.message()).endsWith(": read: connection reset by peer"));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("W-11: an exception of the listener's ends the attempt as a prober error at once")
  void bug(Transport transport) throws Exception {
    Script script =
        to -> {
          to.in().read();
          to.send("x");
          to.hang();
        };
    Consumer<Reading> broken =
        _ -> {
          throw new IllegalStateException("bug");
        };
    assertThat(exchange(transport, script, new byte[1], broken).verdict())
        .isInstanceOfSatisfying(
            ProberError.class, error -> assertThat(error.reason()).isEqualTo(Reason.INTERNAL));
  }

  private static ProbeOutcome exchange(
      Transport transport, Script script, byte[] message, Consumer<Reading> onData)
      throws Exception {
    Probing probing = transport == Transport.EPOLL ? EPOLL : NIO;
    try (ScriptedServer server = ScriptedServer.start(script)) {
      Endpoint endpoint = new Endpoint("127.0.0.1", server.port());
      return probing.outcome(done -> {
        Attempt attempt =
            Attempt.begin(
                probing.dialer().loop(),
                Probing.TIMEOUT,
                phase -> new Failure(endpoint.timedOut(phase)),
                done);
        probing.dialer().open(attempt, endpoint, new Reading(attempt, message, onData));
      });
    }
  }

  /** Sends a message and keeps what comes back. */
  private static final class Reading implements ProbeConnection.Listener {
    private final Attempt attempt;
    private final byte[] message;
    private final Consumer<Reading> onData;
    private final StringBuilder text = new StringBuilder();

    Reading(Attempt attempt, byte[] message, Consumer<Reading> onData) {
      this.attempt = attempt;
      this.message = message;
      this.onData = onData;
    }

    /** Goes on reading. */
    void untilEnd() {}

    @Override
    public void connected(ProbeConnection connection) {
      connection.exchange(this);
      connection.send(message);
    }

    @Override
    public void received(byte[] bytes, int length) {
      text.append(new String(bytes, 0, length, StandardCharsets.US_ASCII));
      onData.accept(this);
    }

    @Override
    public void ended() {
      attempt.end(new Success(text.toString()));
    }

    @Override
    public void failed(NetFailure failure) {
      attempt.end(failure.verdict(""));
    }
  }
}
