package io.probelet.benchmarks;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.probelet.health.SystemClock;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The containers of honest pods. Each path is one container; it responds 200 unless it is set to
 * fail, and records how regularly it is probed.
 */
final class HonestTarget implements AutoCloseable {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Map<String, Probed> probed = new ConcurrentHashMap<>();
  private final Map<String, Integer> failing = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicLong longestGap = new AtomicLong();
  private final long lateNanos;
  private final Channel server;
  private volatile boolean counting;

  /** The time of the last request for each path; used only on the server's one thread. */
  private static final class Probed {
    private long lastNanos;
    private boolean before;
  }

  /** Opens it; a request for a path counts as late after {@code lateMillis}. */
  HonestTarget(long lateMillis) {
    lateNanos = TimeUnit.MILLISECONDS.toNanos(lateMillis);
    server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new Answers());
                  }
                })
            .bind("127.0.0.1", 0)
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** Starts to count; earlier requests belong to the start. */
  void count() {
    counting = true;
  }

  /** Makes a path respond with this status. */
  void answer(String path, int status) {
    failing.put(path, status);
  }

  /** Makes a path respond 200 again. */
  void recover(String path) {
    failing.remove(path);
  }

  /** {@return the number of paths with at least one request} */
  int paths() {
    return probed.size();
  }

  /** Counts the paths whose next request is late by now. */
  void countMissing() {
    long now = SystemClock.INSTANCE.nanoTime();
    group
        .submit(() -> probed.values().forEach(one -> gap(now - one.lastNanos)))
        .syncUninterruptibly();
  }

  private void gap(long nanos) {
    longestGap.accumulateAndGet(nanos, Math::max);
    if (nanos > lateNanos) {
      late.incrementAndGet();
    }
  }

  long requests() {
    return requests.get();
  }

  long late() {
    return late.get();
  }

  double longestGapSeconds() {
    return longestGap.get() / 1e9;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private void asked(String path) {
    long now = SystemClock.INSTANCE.nanoTime();
    Probed one = probed.computeIfAbsent(path, _ -> new Probed());
    if (counting && one.before) {
      requests.incrementAndGet();
      gap(now - one.lastNanos);
    }
    one.before = true;
    one.lastNanos = now;
  }

  private final class Answers extends SimpleChannelInboundHandler<HttpObject> {
    @Override
    // whether the response arrives is the prober's concern
    @SuppressWarnings("FutureReturnValueIgnored")
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
      if (message instanceof HttpRequest request) {
        asked(request.uri());
        HttpResponseStatus status =
            HttpResponseStatus.valueOf(failing.getOrDefault(request.uri(), 200));
        DefaultFullHttpResponse response =
            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
        response.headers().set("Content-Length", 0).set("Connection", "close");
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable reset) {
      var _ = context.close();
    }
  }
}
