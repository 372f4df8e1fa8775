package io.probelet.probe.net;

import io.probelet.probe.net.Attempt.Phase;
import java.net.InetSocketAddress;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Connects attempts on one loop: resolves the name unless the host is an address, tries its
 * addresses, shakes hands for TLS. The attempt's timeout ends a dial that takes too long, and a
 * connection the attempt held before is closed.
 */
public final class Dialer {
  private final NetLoop loop;
  private final NameResolver names;
  private final TlsContexts contexts;
  private final Consumer<SSLSession> onHandshake;
  private final BiFunction<Endpoint, InetSocketAddress, ProbeConnection> channels;

  /** Channels as well where plain sockets cannot do without them. */
  private final BiFunction<Endpoint, InetSocketAddress, ProbeConnection> sockets;

  /**
   * Creates a dialer for a loop.
   *
   * @param loop where its attempts live
   * @param names may be shared between loops
   * @param contexts may be shared between loops
   */
  public Dialer(NetLoop loop, NameResolver names, TlsContexts contexts) {
    this(loop, names, contexts, _ -> {});
  }

  /**
   * Creates a dialer with a listener for handshakes.
   *
   * @param loop where its attempts live
   * @param names may be shared between loops
   * @param contexts may be shared between loops
   * @param onHandshake called on the loop with each completed handshake; must not block
   */
  public Dialer(
      NetLoop loop, NameResolver names, TlsContexts contexts, Consumer<SSLSession> onHandshake) {
    this.loop = loop;
    this.names = names;
    this.contexts = contexts;
    this.onHandshake = onHandshake;
    this.channels = loop::openChannel;
    this.sockets = loop.hasSockets() ? loop::openSocket : channels;
  }

  /** {@return the loop this dialer works on} */
  public NetLoop loop() {
    return loop;
  }

  /**
   * Connects a channel, for what needs handlers.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where to
   * @param tls null for a plain connection
   * @param listener takes the connection or its failure, possibly before this method returns
   */
  public void dial(
      Attempt attempt, Endpoint endpoint, @Nullable Tls tls, ProbeConnection.Listener listener) {
    if (tls == null) {
      connect(attempt, endpoint, channels, Phase.WAITING, listener);
      return;
    }
    attempt.prepare();
    loop.await(
        attempt,
        contexts.get(tls.options()),
        context ->
            connect(
                attempt,
                endpoint,
                channels,
                Phase.SECURING,
                new Handshake(attempt, loop.time(), endpoint, context, tls, onHandshake, listener)),
        missing -> listener.failed(NetFailure.unread(missing).in("tls: ")));
  }

  /**
   * Begins TLS on a connection that {@link #dial} made without, and over which nothing is on its
   * way.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where it leads
   * @param tls how
   * @param connection whose exchange ends
   * @param listener takes the connection again, or why it has none
   */
  public void secure(
      Attempt attempt,
      Endpoint endpoint,
      Tls tls,
      ProbeConnection connection,
      ProbeConnection.Listener listener) {
    connection.endExchange();
    attempt.secure();
    loop.await(
        attempt,
        contexts.get(tls.options()),
        context ->
            new Handshake(attempt, loop.time(), endpoint, context, tls, onHandshake, listener)
                .connected(connection),
        missing -> listener.failed(NetFailure.unread(missing).in("tls: ")));
  }

  /**
   * Connects a plain socket, the cheapest connection there is.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where to
   * @param listener takes the connection or its failure, possibly before this method returns
   */
  public void open(Attempt attempt, Endpoint endpoint, ProbeConnection.Listener listener) {
    connect(attempt, endpoint, sockets, Phase.WAITING, listener);
  }

  /**
   * Connects a socket for ICMP echo requests, over which each message is one of ICMP.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where to; without a port
   * @param echoSockets opens the socket
   * @param listener takes the connection or its failure, possibly before this method returns
   */
  public void openEcho(
      Attempt attempt,
      Endpoint endpoint,
      EchoSockets echoSockets,
      ProbeConnection.Listener listener) {
    new Dial(
            "icmp",
            loop,
            attempt,
            endpoint,
            (peer, towards) -> loop.openEcho(peer, towards, echoSockets),
            Phase.WAITING,
            listener)
        .start(names);
  }

  /**
   * Connects a UDP socket, over which each message is one datagram.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where to
   * @param listener takes the connection or its failure, possibly before this method returns
   */
  public void openDatagram(Attempt attempt, Endpoint endpoint, ProbeConnection.Listener listener) {
    new Dial("udp", loop, attempt, endpoint, loop::openDatagram, Phase.WAITING, listener)
        .start(names);
  }

  private void connect(
      Attempt attempt,
      Endpoint endpoint,
      BiFunction<Endpoint, InetSocketAddress, ProbeConnection> opener,
      Phase next,
      ProbeConnection.Listener listener) {
    String path = endpoint.unixSocket();
    if (path == null) {
      new Dial("tcp", loop, attempt, endpoint, opener, next, listener).start(names);
      return;
    }
    ProbeConnection connection;
    try {
      connection = loop.openUnix(endpoint);
    } catch (RuntimeException noSocket) {
      listener.failed(SocketErrors.failure("dial unix " + endpoint + ": socket: ", noSocket));
      return;
    }
    attempt.restart(Phase.CONNECTING, connection::close);
    connection.connect(loop.unixAddress(path), new UnixDial(attempt, endpoint, next, listener));
  }

  /** What becomes of a Unix socket, of which there is no other to try. */
  private record UnixDial(
      Attempt attempt, Endpoint endpoint, Phase next, ProbeConnection.Listener listener)
      implements ProbeConnection.Listener {
    @Override
    public void connected(ProbeConnection connection) {
      attempt.enter(next);
      attempt.guard(() -> listener.connected(connection));
      if (!attempt.over()) {
        connection.read();
      }
    }

    @Override
    public void failed(NetFailure failure) {
      listener.failed(failure.in("dial unix " + endpoint + ": connect: "));
    }
  }
}
