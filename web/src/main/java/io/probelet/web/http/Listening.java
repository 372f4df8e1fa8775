package io.probelet.web.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** A port or a Unix socket that is listened on, on whichever kind of event loop. */
final class Listening {
  /**
   * Connections that may wait to be taken. Where there is no room the kernel has a client try again
   * only after a second, so a burst of connections must fit.
   */
  private static final int BACKLOG = 1024;

  private final Channel server;

  /** Begins to listen. */
  @FunctionalInterface
  interface Opening {
    /**
     * Begins to listen.
     *
     * @param accepted takes each connection
     * @throws IOException if it cannot listen there; the message is for the user
     */
    Listening open(ChannelHandler accepted) throws IOException;
  }

  private Listening(Channel server) {
    this.server = server;
  }

  /**
   * {@return what listens on a port}
   *
   * @param loops shared with others and not shut down here
   */
  static Opening on(ListenAddress address, EventLoopGroup loops) {
    return accepted -> {
      InetSocketAddress socket = new InetSocketAddress(address.host(), address.port());
      if (socket.isUnresolved()) {
        throw new IOException("cannot listen on " + address + ": unknown host " + address.host());
      }
      ServerBootstrap bootstrap =
          new ServerBootstrap()
              .channel(
                  isEpoll(loops) ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
              .option(ChannelOption.SO_REUSEADDR, true);
      return bind(address, bootstrap, loops, socket, accepted);
    };
  }

  /**
   * {@return what listens on a Unix socket}
   *
   * @param socket path at which no file exists
   * @param loops shared with others and not shut down here
   */
  static Opening on(Path socket, EventLoopGroup loops) {
    return accepted -> {
      boolean epoll = isEpoll(loops);
      return bind(
          socket,
          new ServerBootstrap()
              .channel(
                  epoll
                      ? EpollServerDomainSocketChannel.class
                      : NioServerDomainSocketChannel.class),
          loops,
          epoll ? new DomainSocketAddress(socket.toFile()) : UnixDomainSocketAddress.of(socket),
          accepted);
    };
  }

  private static boolean isEpoll(EventLoopGroup loops) {
    return loops instanceof IoEventLoopGroup io && io.isIoType(EpollIoHandler.class);
  }

  private static Listening bind(
      Object shown,
      ServerBootstrap bootstrap,
      EventLoopGroup loops,
      SocketAddress socket,
      ChannelHandler accepted)
      throws IOException {
    ChannelFuture bound =
        bootstrap
            .group(loops)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            // A pool would keep its chunks for the few requests a minute there are.
            .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
            .childHandler(accepted)
            .bind(socket)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      String why = String.valueOf(bound.cause().getMessage());
      throw new IOException(
          "cannot listen on "
              + shown
              + ": "
              + (why.contains("in use") ? "address in use, possibly by another Probelet" : why),
          bound.cause());
    }
    return new Listening(bound.channel());
  }

  /** Where that is, with the port the system chose if it was asked to. Not of a Unix socket. */
  ListenAddress address() {
    InetSocketAddress local = (InetSocketAddress) server.localAddress();
    return new ListenAddress(local.getAddress().getHostAddress(), local.getPort());
  }

  /** Stops accepting connections. Not for use on an event loop. */
  void end() {
    end(server);
  }

  /** Ends a connection, and returns when it has left its loop. */
  static void end(Channel channel) {
    channel.close().awaitUninterruptibly();
    if (!channel.eventLoop().isShuttingDown()) {
      // A channel leaves its loop one task later; a loop that is shut down before that complains.
      channel.eventLoop().submit(() -> {}).awaitUninterruptibly();
    }
  }
}
