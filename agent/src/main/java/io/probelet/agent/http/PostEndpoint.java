package io.probelet.agent.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.probelet.agent.http.Resource.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * A server for one path to which something is posted, over TLS, by whoever can reach its port: so
 * everything that a stranger can make large, many or slow has a bound. On an event loop of its own,
 * as handshakes cost what probes would miss.
 */
public final class PostEndpoint implements AutoCloseable {
  private static final int MAX_LINE_BYTES = 4 * 1024;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_SESSIONS = 64;
  private static final int END_SECONDS = 5;

  private final PostRoute route;
  private final Limits limits;
  private final SslContext tls;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("https", true), NioIoHandler.newFactory());

  /** The one that was used least lately first; touched on the loop only. */
  private final Set<PostConnection> connections = new LinkedHashSet<>();

  private final Listening listening;

  /**
   * What a stranger may take.
   *
   * @param connections at once; one more ends the one that has been idle for longest
   * @param bodyBytes in one request; more is answered by 413
   * @param atOnce requests that are worked on at once; others wait
   * @param handshake how long TLS may take to begin
   * @param request how long headers may take, from the connection's begin or from the first of them
   *     on, and then how long the body may take
   * @param idle how long a connection is kept for the next request
   * @param answer how long an answer may take, with the waiting for others
   */
  public record Limits(
      int connections,
      int bodyBytes,
      int atOnce,
      Duration handshake,
      Duration request,
      Duration idle,
      Duration answer) {
    /** For the API server's questions, to which it wants an answer within seconds. */
    public static final Limits OF_ADMISSION =
        new Limits(
            64,
            256 * 1024,
            4,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10));
  }

  /** What answers. Called on virtual threads, by several at once, and may block. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Answers a request.
     *
     * @param body what was posted
     * @return the answer
     * @throws Exception if there is none; the client is told status 500
     */
    Answer post(byte[] body) throws Exception;
  }

  /**
   * Opens the server.
   *
   * @param address where to listen
   * @param keys gives the certificate for each new connection
   * @param path the exact path
   * @param handler what answers
   * @param limits what a stranger may take
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public PostEndpoint(
      ListenAddress address,
      X509ExtendedKeyManager keys,
      String path,
      Handler handler,
      Limits limits)
      throws IOException {
    this.limits = limits;
    route = new PostRoute(path, handler, new Semaphore(limits.atOnce()), limits);
    try {
      tls = context(keys);
      listening = Listening.on(address, loop, limits.connections(), new Accepted());
    } catch (IOException unable) {
      route.close();
      endLoop();
      throw unable;
    }
  }

  /**
   * 1.3 alone, which every API server speaks, and in which nobody asks for handshake on handshake.
   */
  private static SslContext context(X509ExtendedKeyManager keys) throws SSLException {
    return SslContextBuilder.forServer(keys)
        .sslProvider(SslProvider.JDK)
        .protocols("TLSv1.3")
        .sessionCacheSize(MAX_SESSIONS)
        .build();
  }

  /** {@return where it listens, with the port the system chose if it was asked to} */
  public ListenAddress address() {
    return listening.address();
  }

  /** Takes no more requests and breaks off those being answered. Not for use on an event loop. */
  @Override
  public void close() {
    listening.end();
    loop.submit(() -> List.copyOf(connections).forEach(PostConnection::end))
        .awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
    route.close();
    endLoop();
  }

  private void endLoop() {
    loop.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
  }

  private final class Accepted extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (connections.size() >= limits.connections() && !makeRoom()) {
        var _ = channel.close();
        return;
      }
      PostConnection connection = new PostConnection(channel, route, this::used);
      connections.add(connection);
      channel.closeFuture().addListener(_ -> connections.remove(connection));
      SslHandler secure = tls.newHandler(channel.alloc());
      secure.setHandshakeTimeout(limits.handshake().toMillis(), TimeUnit.MILLISECONDS);
      channel
          .pipeline()
          .addLast(
              secure,
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(MAX_LINE_BYTES)
                      .setMaxHeaderSize(MAX_HEADER_BYTES)),
              connection);
    }

    /** Or those who only hold connections could keep everybody else out. */
    private boolean makeRoom() {
      for (PostConnection connection : connections) {
        if (!connection.isAnswering()) {
          connections.remove(connection);
          connection.end();
          return true;
        }
      }
      return false;
    }

    private void used(PostConnection connection) {
      if (connections.remove(connection)) {
        connections.add(connection);
      }
    }
  }
}
