package io.probelet.agent.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** The HTTP server on one address, open from its creation until it is closed. */
public final class HttpEndpoint implements AutoCloseable {
  /** The paths of those that ask whether the agent is well, which always get an answer. */
  static final Set<String> HEALTH_PATHS = Set.of("/livez", "/readyz", "/healthz");

  private static final int MAX_LINE_BYTES = 4 * 1024;
  private static final int MAX_HEADER_BYTES = 8 * 1024;
  private static final Timeouts TIMEOUTS =
      new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(30));

  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final ConnectionLimit<Channel> limit = new ConnectionLimit<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Map<String, Resource> resources;
  private final HostNames hosts;
  private final Timeouts timeouts;
  private final Channel server;

  /**
   * How long a connection may take.
   *
   * @param head until the request has come as far as its headers
   * @param all until everything has been answered and read
   */
  record Timeouts(Duration head, Duration all) {}

  /**
   * Opens the server.
   *
   * @param address where to listen
   * @param loops shared with others and not shut down here
   * @param resources what answers, by exact path
   * @param hosts names that are answered besides addresses and localhost; asked for each request
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public HttpEndpoint(
      ListenAddress address,
      EventLoopGroup loops,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    this(address, loops, resources, hosts, TIMEOUTS);
  }

  /** The same with other bounds on how long one connection may take. */
  HttpEndpoint(
      ListenAddress address,
      EventLoopGroup loops,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts,
      Timeouts timeouts)
      throws IOException {
    this.resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    this.hosts = new HostNames(address.host(), hosts);
    this.timeouts = timeouts;
    InetSocketAddress socket = new InetSocketAddress(address.host(), address.port());
    if (socket.isUnresolved()) {
      throw new IOException("cannot listen on " + address + ": unknown host " + address.host());
    }
    Class<? extends ServerChannel> type =
        loops instanceof IoEventLoopGroup io && io.isIoType(EpollIoHandler.class)
            ? EpollServerSocketChannel.class
            : NioServerSocketChannel.class;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(type)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, ConnectionLimit.MAX_CONNECTIONS)
            // A pool would keep its chunks for the few requests a minute there are.
            .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
            .childHandler(new Accepted())
            .bind(socket)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      String why = String.valueOf(bound.cause().getMessage());
      throw new IOException(
          "cannot listen on "
              + address
              + ": "
              + (why.contains("in use") ? "the address is in use, by another Probelet?" : why),
          bound.cause());
    }
    server = bound.channel();
  }

  /** {@return where it listens, with the port the system chose if it was asked to} */
  public ListenAddress address() {
    InetSocketAddress local = (InetSocketAddress) server.localAddress();
    return new ListenAddress(local.getAddress().getHostAddress(), local.getPort());
  }

  /**
   * Answers on one more path, whoever connects from now on.
   *
   * @param path the exact path
   * @param resource what answers
   */
  public synchronized void serve(String path, Resource resource) {
    Map<String, Resource> more = new LinkedHashMap<>(resources);
    more.put(path, resource);
    resources = Collections.unmodifiableMap(more);
  }

  /** Takes no more requests and breaks off those being answered. Not for use on an event loop. */
  @Override
  public void close() {
    end(server);
    connections.forEach(HttpEndpoint::end);
    threads.shutdownNow();
  }

  private static void end(Channel channel) {
    channel.close().awaitUninterruptibly();
    if (!channel.eventLoop().isShuttingDown()) {
      // A channel leaves its loop one task later; a loop that is shut down before that complains.
      channel.eventLoop().submit(() -> {}).awaitUninterruptibly();
    }
  }

  private final class Accepted extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      connections.add(channel);
      channel
          .closeFuture()
          .addListener(_ -> {
            limit.ended(channel);
            connections.remove(channel);
          });
      limit
          .connected(channel)
          .ifPresent(silent -> {
            var _ = silent.close();
          });
      channel
          .pipeline()
          .addLast(
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(MAX_LINE_BYTES)
                      .setMaxHeaderSize(MAX_HEADER_BYTES)),
              new Connection(resources, hosts, limit, threads, timeouts));
    }
  }
}
