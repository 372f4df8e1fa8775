package io.probelet.probe.h2;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsAckFrame;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 server on loopback, Netty's own, with one handler for each stream. */
public final class H2Server implements AutoCloseable {
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final BlockingQueue<Channel> connections = new LinkedBlockingQueue<>();
  private final Channel listening;

  public H2Server(Supplier<ChannelHandler> streams) {
    this(streams, Http2Settings.defaultSettings(), null);
  }

  public H2Server(
      Supplier<ChannelHandler> streams, Http2Settings settings, @Nullable SslContext tls) {
    listening =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (tls != null) {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                    }
                    Http2FrameCodec codec =
                        Http2FrameCodecBuilder.forServer()
                            .initialSettings(settings)
                            .validateHeaders(false)
                            .gracefulShutdownTimeoutMillis(0)
                            .build();
                    channel.pipeline().addLast(codec);
                    channel.pipeline().addLast(new Http2MultiplexHandler(new PerStream(streams)));
                    channel.pipeline().addLast(new End());
                    connections.add(channel);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  /**
   * {@return done, on its loop, once the client of a connection has acknowledged our settings} It
   * is the last that a client has to say on its own account.
   */
  public static CompletableFuture<Void> settled(Channel connection) {
    return connection.pipeline().get(End.class).settled;
  }

  /** Clients that hang up are what is tested; Netty would log each. */
  private static final class End extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<Void> settled = new CompletableFuture<>();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      if (frame instanceof Http2SettingsAckFrame) {
        settled.complete(null);
      }
      ReferenceCountUtil.release(frame);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private static final class PerStream extends ChannelInitializer<Channel> {
    private final Supplier<ChannelHandler> streams;

    PerStream(Supplier<ChannelHandler> streams) {
      this.streams = streams;
    }

    @Override
    protected void initChannel(Channel stream) {
      stream.pipeline().addLast(streams.get());
    }

    @Override
    public boolean isSharable() {
      return true;
    }
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** {@return the next connection somebody made, waiting for it} */
  public Channel connection() throws InterruptedException {
    Channel connection = connections.poll(1, TimeUnit.MINUTES);
    if (connection == null) {
      throw new AssertionError("nobody connected");
    }
    return connection;
  }

  @Override
  public void close() {
    listening.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
