package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.Attempt.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A name with several addresses, each of which does as it is told. */
class DialTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static final NetFailure REFUSED = new NetFailure(null, "connection refused");
  private static final NetFailure SHORTAGE = new NetFailure(Reason.LOCAL_SHORTAGE, "no ports");

  /** What one address does. */
  private enum Does {
    CONNECT,
    REFUSE,
    RUN_SHORT,
    FAIL_TO_OPEN,
    NOTHING
  }

  private final List<String> events = new ArrayList<>();

  /** Whether nothing was left for later when the first address had been tried. */
  private boolean atOnce;

  private final class FakeConnection extends ProbeConnection {
    private final String name;
    private final Does does;

    FakeConnection(String name, Does does) {
      this.name = name;
      this.does = does;
    }

    @Override
    void connect(SocketAddress remote, Listener listener) {
      events.add("try " + name);
      switch (does) {
        case CONNECT -> listener.connected(this);
        case REFUSE -> listener.failed(REFUSED);
        case RUN_SHORT -> listener.failed(SHORTAGE);
        case FAIL_TO_OPEN, NOTHING -> {}
      }
    }

    @Override
    void close() {
      events.add("close " + name);
    }

    @Override
    void read() {}

    @Override
    public void exchange(Listener listener) {
      throw new AssertionError("nothing is exchanged");
    }

    @Override
    public void send(byte[] message) {
      throw new AssertionError("nothing is sent");
    }

    @Override
    void endExchange() {
      throw new AssertionError("nothing is exchanged");
    }

    @Override
    public Channel channel() {
      throw new AssertionError("there is none");
    }
  }

  @Test
  @DisplayName("addresses are tried in order until one connects; the attempt's end closes it")
  void inOrder() {
    assertThat(dial(Does.REFUSE, Does.CONNECT, Does.CONNECT)).isEqualTo(new Success("10.0.0.2"));
    assertThat(events).containsExactly("try 10.0.0.1", "try 10.0.0.2", "close 10.0.0.2");
    assertThat(atOnce).as("the next is tried as soon as one refuses").isTrue();
  }

  @Test
  @DisplayName("reports the first refusal if no address connects")
  void firstRefusal() {
    assertThat(dial(Does.REFUSE, Does.REFUSE))
        .isEqualTo(new Failure("dial tcp 10.0.0.1:80: connect: connection refused"));
  }

  @Test
  @DisplayName("the target's refusal outweighs an address this machine cannot use")
  void refusalOutweighsShortage() {
    Failure second = new Failure("dial tcp 10.0.0.2:80: connect: connection refused");
    assertThat(dial(Does.RUN_SHORT, Does.REFUSE)).isEqualTo(second);
    assertThat(dial(Does.FAIL_TO_OPEN, Does.REFUSE)).isEqualTo(second);
    assertThat(dial(Does.REFUSE, Does.RUN_SHORT)).isInstanceOf(Failure.class);
  }

  @Test
  @DisplayName("a shortage at every address is a prober error")
  void shortage() {
    assertThat(dial(Does.RUN_SHORT, Does.FAIL_TO_OPEN))
        .isInstanceOfSatisfying(
            ProberError.class,
            error -> assertThat(error.reason()).isEqualTo(Reason.LOCAL_SHORTAGE));
  }

  @Test
  @DisplayName("the loser of a race is closed")
  void loser() {
    assertThat(dial(Does.NOTHING, Does.CONNECT)).isEqualTo(new Success("10.0.0.2"));
    assertThat(events).contains("close 10.0.0.1", "close 10.0.0.2");
  }

  private Verdict dial(Does... addresses) {
    events.clear();
    List<InetAddress> found =
        IntStream.rangeClosed(1, addresses.length)
            .mapToObj(number -> InetAddress.ofLiteral("10.0.0." + number))
            .toList();
    Verdict verdict =
        PROBING
            .outcome(done -> {
              Attempt attempt =
                  Attempt.begin(
                      PROBING.dialer().loop(),
                      Probing.TIMEOUT,
                      phase -> new Failure("timeout in " + phase),
                      done);
              new Dial(
                      "tcp",
                      PROBING.dialer().loop(),
                      attempt,
                      new Endpoint("many.example", 80),
                      (_, remote) -> open(remote, found, addresses),
                      Phase.WAITING,
                      new ProbeConnection.Listener() {
                        @Override
                        public void connected(ProbeConnection winner) {
                          attempt.end(new Success(((FakeConnection) winner).name));
                        }

                        @Override
                        public void failed(NetFailure why) {
                          attempt.end(why.verdict(""));
                        }
                      })
                  .start(_ -> CompletableFuture.completedFuture(found));
              atOnce = attempt.over();
            })
            .verdict();
    onLoop(); // whatever was left for later has been done when this has
    return verdict;
  }

  private FakeConnection open(
      InetSocketAddress remote, List<InetAddress> found, Does... addresses) {
    Does does = addresses[found.indexOf(remote.getAddress())];
    if (does == Does.FAIL_TO_OPEN) {
      throw new IllegalStateException("Too many open files");
    }
    return new FakeConnection(remote.getAddress().getHostAddress(), does);
  }

  private static void onLoop() {
    CompletableFuture.runAsync(() -> {}, PROBING.dialer().loop().eventLoop()).join();
  }
}
