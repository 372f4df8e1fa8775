package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.IoEventLoop;
import io.probelet.health.SystemClock;
import io.probelet.probe.net.NetLoop.Transport;
import io.probelet.probe.net.ScriptedServer.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which sockets serve again, and when. */
class SocketPoolTest {
  private static final Script HONEST =
      to -> {
        to.in().read();
        to.send("new");
      };

  private static Probing probing;
  private static NetLoop loop;
  private static SocketPool sockets;

  @BeforeAll
  static void start() {
    assumeTrue(Transport.best() == Transport.EPOLL, "plain sockets need epoll");
    probing = new Probing(Transport.EPOLL, new SystemNames());
    loop = probing.dialer().loop();
    sockets = new SocketPool((IoEventLoop) loop.eventLoop());
  }

  @AfterAll
  static void end() {
    if (probing != null) {
      probing.close();
      sockets.free();
    }
  }

  @Test
  @DisplayName(
      "a socket whose event was awaited serves again once the loop has handed out all events")
  void afterEvents() {
    PlainSocket first =
        onLoop(() -> {
          PlainSocket socket = sockets.take(true);
          socket.await(PlainSocket.READING);
          sockets.giveBack(socket);
          PlainSocket other = sockets.take(true);
          assertThat(other).as("its events may be about to come").isNotSameAs(socket);
          other.release();
          return socket;
        });
    onLoop(() -> {
      assertThat(sockets.take(true)).isSameAs(first);
      first.release();
      return first;
    });
  }

  @Test
  @DisplayName("one that did without events serves again at once, for its family only")
  void atOnce() {
    onLoop(() -> {
      PlainSocket socket = sockets.take(true);
      sockets.giveBack(socket);
      PlainSocket ipv6 = sockets.take(false);
      assertThat(ipv6).isNotSameAs(socket);
      assertThat(sockets.take(true)).isSameAs(socket);
      socket.release();
      ipv6.release();
      return socket;
    });
  }

  @Test
  @DisplayName("what is more than is kept is closed")
  void bound() {
    onLoop(() -> {
      List<PlainSocket> taken =
          Stream.generate(() -> sockets.take(true)).limit(SocketPool.MAX_SPARE + 2L).toList();
      taken.forEach(sockets::giveBack);
      assertThat(taken.stream().filter(PlainSocket::isOpen)).hasSize(SocketPool.MAX_SPARE);
      taken.forEach(_ -> sockets.take(true).release());
      return taken;
    });
  }

  @Test
  @DisplayName("what one connection left unread, and what its server sends later, reaches no other")
  void nothingLeft() throws Exception {
    Script chatty =
        to -> {
          to.in().read();
          while (true) {
            to.send("old");
          }
        };
    try (ScriptedServer before = ScriptedServer.start(chatty);
        ScriptedServer after = ScriptedServer.start(HONEST)) {
      for (int i = 0; i < 50; i++) {
        assertThat(exchange(before, 1).heard).startsWith("old");
        Exchange next = exchange(after, 3);
        assertThat(next.heard).isEqualTo("new");
      }
      assertThat(exchange(after, 3).socket).as("used again").isSameAs(exchange(after, 3).socket);
    }
  }

  @Test
  @DisplayName("what is spare is closed when the loop has ended")
  void ended() {
    ProbeLoops loops = ProbeLoops.start(1, Transport.EPOLL, SystemClock.INSTANCE);
    NetLoop ending = loops.all().getFirst();
    SocketPool spare = new SocketPool((IoEventLoop) ending.eventLoop());
    List<PlainSocket> kept =
        onLoop(
            ending,
            () -> {
              PlainSocket awaited = spare.take(true);
              PlainSocket other = spare.take(false);
              awaited.await(PlainSocket.READING);
              spare.giveBack(awaited);
              spare.giveBack(other);
              return List.of(awaited, other);
            });
    assertThat(kept).allMatch(PlainSocket::isOpen);
    loops.close();
    spare.free();
    assertThat(kept).noneMatch(PlainSocket::isOpen);
  }

  @Test
  @DisplayName("the socket of a server that sent more than one buffer holds does not serve again")
  void grown() throws Exception {
    int much = loop.buffers().scratch().length + 1;
    Script script =
        to -> {
          to.in().read();
          to.send("x".repeat(much));
        };
    try (ScriptedServer server = ScriptedServer.start(script)) {
      assertThat(exchange(server, much).socket.isOpen()).isFalse();
      assertThat(exchange(server, 1).socket.isOpen()).as("what was read counts").isTrue();
    }
  }

  @Test
  @DisplayName("the end of a connection is reported once, however long it stays open")
  void endedOnce() throws Exception {
    AtomicInteger ends = new AtomicInteger();
    CompletableFuture<Void> first = new CompletableFuture<>();
    ProbeConnection.Listener patient =
        new ProbeConnection.Listener() {
          @Override
          public void connected(ProbeConnection connection) {
            connection.exchange(this);
          }

          @Override
          public void received(byte[] bytes, int length) {}

          @Override
          public void ended() {
            ends.incrementAndGet();
            first.complete(null);
          }

          @Override
          public void failed(NetFailure failure) {}
        };
    try (ScriptedServer server = ScriptedServer.start(_ -> {});
        ScriptedServer other = ScriptedServer.start(HONEST)) {
      ProbeConnection connection =
          onLoop(() -> {
            ProbeConnection begun = connection(sockets.take(true));
            begun.connect(loopback(server), patient);
            return begun;
          });
      first.join();
      exchange(other, 3); // meanwhile the loop has more than one turn
      onLoop(() -> {
        connection.close();
        return connection;
      });
      assertThat(ends).hasValue(1);
    }
  }

  /** One connection that is closed as soon as enough has come. */
  private static final class Exchange implements ProbeConnection.Listener {
    private final CompletableFuture<Exchange> done = new CompletableFuture<>();
    private final ProbeConnection connection;
    private final PlainSocket socket;
    private final int enough;
    private String heard = "";

    Exchange(ProbeConnection connection, PlainSocket socket, int enough) {
      this.connection = connection;
      this.socket = socket;
      this.enough = enough;
    }

    @Override
    public void connected(ProbeConnection made) {
      made.exchange(this);
      made.send(new byte[1]);
    }

    @Override
    public void received(byte[] bytes, int length) {
      heard += new String(bytes, 0, length, StandardCharsets.US_ASCII);
      if (heard.length() >= enough) {
        connection.close();
        done.complete(this);
      }
    }

    @Override
    public void ended() {
      done.completeExceptionally(new IOException("ended after " + heard));
    }

    @Override
    public void failed(NetFailure failure) {
      done.completeExceptionally(new IOException(failure.toString()));
    }
  }

  private static Exchange exchange(ScriptedServer server, int enough) {
    Exchange exchange =
        onLoop(() -> {
          PlainSocket next = sockets.take(true);
          Exchange begun = new Exchange(connection(next), next, enough);
          begun.connection.connect(loopback(server), begun);
          return begun;
        });
    exchange.done.join();
    return exchange;
  }

  private static ProbeConnection connection(PlainSocket socket) {
    return new SocketConnection(socket, sockets, loop.buffers(), new Endpoint("127.0.0.1", 1));
  }

  private static InetSocketAddress loopback(ScriptedServer server) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  private static <T> T onLoop(Callable<T> task) {
    return onLoop(loop, task);
  }

  private static <T> T onLoop(NetLoop loop, Callable<T> task) {
    return loop.eventLoop().submit(task).syncUninterruptibly().getNow();
  }
}
