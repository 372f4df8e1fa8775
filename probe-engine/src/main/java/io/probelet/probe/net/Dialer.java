package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.probelet.probe.net.Attempt.Phase;
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
  private final Consumer<SSLSession> shaken;
  private final Link.Opener<SocketLink> sockets;

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
   * Creates a dialer of whose handshakes somebody wants to know more than their end.
   *
   * @param loop where its attempts live
   * @param names may be shared between loops
   * @param contexts may be shared between loops
   * @param shaken called on the loop with each handshake that came to its end; must not block
   */
  public Dialer(
      NetLoop loop, NameResolver names, TlsContexts contexts, Consumer<SSLSession> shaken) {
    this.loop = loop;
    this.names = names;
    this.contexts = contexts;
    this.shaken = shaken;
    this.sockets = loop::openSocket;
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
   * @param listener called once, possibly before this method returns
   */
  public void dial(Attempt attempt, Endpoint endpoint, @Nullable Tls tls, DialListener listener) {
    if (tls == null) {
      connect(
          attempt,
          endpoint,
          listener,
          channel -> {
            attempt.enter(Phase.WAITING);
            deliver(attempt, channel, "", listener);
          });
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
                listener,
                new Handshake(attempt, endpoint, context, tls, shaken, listener)::start),
        missing -> listener.failed(NetFailure.unread(missing).in("tls: ")));
  }

  private void connect(
      Attempt attempt, Endpoint endpoint, DialListener listener, Consumer<Channel> connected) {
    new Dial<>(
            loop,
            attempt,
            endpoint,
            loop::openChannel,
            new Dial.Ends<>() {
              @Override
              public void connected(ChannelLink link) {
                connected.accept(link.channel());
              }

              @Override
              public void failed(NetFailure why) {
                listener.failed(why);
              }
            })
        .start(names);
  }

  /** Hands over a channel that stands and lets it read from then on. */
  static void deliver(Attempt attempt, Channel channel, String protocol, DialListener listener) {
    attempt.guard(() -> listener.connected(channel, protocol));
    if (!attempt.over()) {
      channel.config().setAutoRead(true);
    }
  }

  /**
   * Connects a plain wire, the cheapest connection there is.
   *
   * @param attempt under way, on this dialer's loop
   * @param endpoint where to
   * @param listener takes the connection or its failure, possibly before this method returns
   */
  public void open(Attempt attempt, Endpoint endpoint, WireListener listener) {
    if (loop.hasSockets()) {
      new Dial<>(loop, attempt, endpoint, sockets, new Opened(attempt, endpoint, listener))
          .start(names);
    } else {
      dial(
          attempt,
          endpoint,
          null,
          new DialListener() {
            @Override
            public void connected(Channel channel, String protocol) {
              wire(channel, endpoint, listener);
            }

            @Override
            public void failed(NetFailure failure) {
              listener.failed(failure);
            }
          });
    }
  }

  private record Opened(Attempt attempt, Endpoint endpoint, WireListener listener)
      implements Dial.Ends<SocketLink> {
    @Override
    public void connected(SocketLink socket) {
      attempt.enter(Phase.WAITING);
      socket.exchange(endpoint, listener);
    }

    @Override
    public void failed(NetFailure why) {
      listener.failed(why);
    }
  }

  /**
   * Reads and writes bytes through a channel that a dial has connected.
   *
   * @param channel its pipeline is left to the wire from now on
   * @param endpoint its peer
   * @param listener takes the connection before this method returns
   */
  public void wire(Channel channel, Endpoint endpoint, WireListener listener) {
    new ChannelWire(channel, endpoint, loop.buffers().scratch(), listener).open();
  }
}
