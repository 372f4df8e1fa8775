package io.probelet.agent.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.IOException;
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
  private final Listening server;

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
    server = Listening.on(address, loops, ConnectionLimit.MAX_CONNECTIONS, new Accepted());
  }

  /** {@return where it listens, with the port the system chose if it was asked to} */
  public ListenAddress address() {
    return server.address();
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
    server.end();
    connections.forEach(Listening::end);
    threads.shutdownNow();
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
