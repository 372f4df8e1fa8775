package io.probelet.web.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.probelet.health.ClientRate;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.web.http.Routing.Errors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server on one address, open from its creation until it is closed. Everything that a
 * stranger can make large, many or slow has a bound.
 */
public final class HttpEndpoint implements HttpServer {
  private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
  private static final int MAX_LINE_BYTES = 4 * 1024;
  private static final int HANDSHAKE_SECONDS = 5;
  private static final int MAX_TLS_SESSIONS = 64;
  private static final int CLOSE_SECONDS = 1;

  /** A handshake costs a millisecond or two; a scraper needs one a minute. */
  private static final ClientRate.Limit HANDSHAKES_OF_ONE =
      new ClientRate.Limit(20, Duration.ofSeconds(1));

  private static final ClientRate.Limit HANDSHAKES =
      new ClientRate.Limit(60, Duration.ofMillis(50));
  private static final int MAX_CLIENTS = 256;

  /** All connections to a Unix socket are from one client, its owner. */
  private static final Object UNIX_SOCKET = "unix";

  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SharedAnswers health = new SharedAnswers(threads);
  private final RequestLog log = new RequestLog(SystemClock.INSTANCE);
  private final HttpLimits limits;
  private final ConnectionLimit<Channel> limit;
  private final @Nullable SslContext tls;
  private final Predicate<Channel> welcome;
  private volatile Routing routing;
  private final Listening server;

  /**
   * Opens a server of status, metrics and API.
   *
   * @param loops shared with others and not shut down here
   * @param hosts names that are answered besides addresses and localhost; asked for each request
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public HttpEndpoint(
      ListenAddress address,
      EventLoopGroup loops,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    this(address, loops, resources, hosts, HttpLimits.OF_STATUS);
  }

  /** The same with other limits. */
  HttpEndpoint(
      ListenAddress address,
      EventLoopGroup loops,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts,
      HttpLimits limits)
      throws IOException {
    this(
        Listening.on(address, loops),
        routing(
            resources,
            new HostNames(address.host(), hosts)::refusal,
            Gate.OPEN,
            limits,
            Errors.JSON),
        limits,
        null,
        _ -> true);
  }

  private HttpEndpoint(
      Listening.Opening opening,
      Routing routing,
      HttpLimits limits,
      @Nullable SslContext tls,
      Predicate<Channel> welcome)
      throws IOException {
    this.welcome = welcome;
    this.routing = routing;
    this.limits = limits;
    this.limit =
        new ConnectionLimit<>(
            limits,
            channel -> {
              var _ = channel.close();
            });
    this.tls = tls;
    server = opening.open(new Accepted());
  }

  /**
   * Opens a server of pages for one person, on loopback. It is asked for as an address or as
   * localhost, and under no other name.
   *
   * @param loops shared with others and not shut down here
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpEndpoint ofPages(
      ListenAddress address,
      EventLoopGroup loops,
      SequencedMap<String, Resource> resources,
      Gate gate)
      throws IOException {
    return new HttpEndpoint(
        Listening.on(address, loops),
        routing(
            resources,
            new HostNames(address.host(), Set::of)::refusal,
            gate,
            HttpLimits.OF_PAGES,
            Errors.TEXT),
        HttpLimits.OF_PAGES,
        null,
        _ -> true);
  }

  /**
   * Opens a server of webhooks, over TLS. Any name is answered for which there is a certificate.
   *
   * @param webhooks by path
   * @param loops not shut down here; handshakes cost what others on them would miss
   * @param keys gives the certificate for each new connection
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpEndpoint ofWebhook(
      ListenAddress address,
      EventLoopGroup loops,
      X509ExtendedKeyManager keys,
      Map<String, PostResource> webhooks)
      throws IOException {
    return secure(address, loops, keys, webhooks, HttpLimits.OF_ADMISSION, _ -> true);
  }

  /**
   * Opens a server of what is scraped, over TLS. Any name is answered for which there is a
   * certificate.
   *
   * @param loops not shut down here; handshakes cost what others on them would miss
   * @param keys gives the certificate for each new connection
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpEndpoint ofScrapes(
      ListenAddress address,
      EventLoopGroup loops,
      X509ExtendedKeyManager keys,
      String path,
      GuardedResource scraped,
      TimeSource time)
      throws IOException {
    ClientRate<InetAddress> rate =
        new ClientRate<>(HANDSHAKES_OF_ONE, HANDSHAKES, MAX_CLIENTS, time);
    return secure(
        address,
        loops,
        keys,
        Map.of(path, scraped),
        HttpLimits.OF_SCRAPES,
        channel -> rate.take(origin(channel)));
  }

  /**
   * Opens a server on a Unix socket. Any Host is answered: browsers cannot connect.
   *
   * @param socket path at which no file exists
   * @param loops not shut down here
   * @param welcome asked for each connection
   * @throws IOException if it cannot listen there; the message is for the user
   */
  static HttpEndpoint ofProbeServer(
      Path socket, EventLoopGroup loops, Map<String, Route> routes, Predicate<Channel> welcome)
      throws IOException {
    HttpLimits limits = HttpLimits.OF_PROBE_SERVER;
    return new HttpEndpoint(
        Listening.on(socket, loops),
        routing(routes, _ -> Optional.empty(), Gate.OPEN, limits, Errors.JSON),
        limits,
        null,
        welcome);
  }

  /**
   * {@return whom a connection is from} All of loopback is one client: a process of this node
   * chooses freely among its addresses.
   */
  private static InetAddress origin(Channel channel) {
    InetAddress address = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    return address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : address;
  }

  private static HttpEndpoint secure(
      ListenAddress address,
      EventLoopGroup loops,
      X509ExtendedKeyManager keys,
      Map<String, ? extends Route> routes,
      HttpLimits limits,
      Predicate<Channel> welcome)
      throws IOException {
    return new HttpEndpoint(
        Listening.on(address, loops),
        routing(routes, _ -> Optional.empty(), Gate.OPEN, limits, Errors.TEXT),
        limits,
        context(keys),
        welcome);
  }

  private static Routing routing(
      Map<String, ? extends Route> routes,
      Function<List<String>, Optional<String>> hosts,
      Gate gate,
      HttpLimits limits,
      Errors errors) {
    return new Routing(
        Collections.unmodifiableMap(new LinkedHashMap<>(routes)),
        hosts,
        gate,
        limits.bodyBytes(),
        errors);
  }

  /**
   * 1.3 alone, which every API server and every Prometheus speaks, and which has no renegotiation.
   */
  private static SslContext context(X509ExtendedKeyManager keys) throws SSLException {
    return SslContextBuilder.forServer(keys)
        .sslProvider(SslProvider.JDK)
        .protocols("TLSv1.3")
        .sessionCacheSize(MAX_TLS_SESSIONS)
        .build();
  }

  @Override
  public ListenAddress address() {
    return server.address();
  }

  @Override
  public synchronized void serve(String path, Resource resource) {
    Map<String, Route> more = new LinkedHashMap<>(routing.routes());
    more.put(path, resource);
    routing = routing(more, routing.hosts(), routing.gate(), limits, routing.errors());
  }

  @Override
  public void close() {
    server.end();
    connections.forEach(Listening::end);
    threads.shutdownNow();
    try { // What still writes would otherwise find its event loop gone.
      if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.debug("requests still in progress after {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Accepted extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (!welcome.test(channel)) {
        var _ = channel.close();
        return;
      }
      connections.add(channel);
      channel
          .closeFuture()
          .addListener(_ -> {
            limit.ended(channel);
            connections.remove(channel);
          });
      limit.connected(
          channel,
          channel.remoteAddress() instanceof InetSocketAddress ? origin(channel) : UNIX_SOCKET);
      if (tls != null) {
        SslHandler secure = tls.newHandler(channel.alloc());
        secure.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
        channel.pipeline().addLast(secure);
      }
      channel
          .pipeline()
          .addLast(
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(MAX_LINE_BYTES)
                      .setMaxHeaderSize(limits.headerBytes())),
              new Connection(channel, routing, limits, limit, threads, health, log));
    }
  }
}
