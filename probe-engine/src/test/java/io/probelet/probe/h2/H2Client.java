package io.probelet.probe.h2;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection to a server on loopback, for tests that are not on its event loop. */
final class H2Client implements AutoCloseable {
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final CompletableFuture<H2Connection> connection = new CompletableFuture<>();
  final Channel channel;

  H2Client(InetSocketAddress address, H2Options options) {
    channel =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInboundHandlerAdapter() {
                  @Override
                  public void channelActive(ChannelHandlerContext ctx) {
                    connection.complete(H2Connection.open(ctx.channel(), options));
                  }
                })
            .connect(address)
            .syncUninterruptibly()
            .channel();
  }

  H2Client(InetSocketAddress address) {
    this(address, H2Options.PROBE);
  }

  <T> T onLoop(Callable<T> task) {
    return channel.eventLoop().submit(task).syncUninterruptibly().getNow();
  }

  H2Stream send(String method, String path, ByteBuf body, RecordedResponse to) {
    Http2Headers headers =
        new DefaultHttp2Headers().method(method).scheme("http").authority("test").path(path);
    return onLoop(() -> connection.join().request(headers, body, to));
  }

  RecordedResponse get(String path) {
    RecordedResponse answer = new RecordedResponse();
    send("GET", path, Unpooled.EMPTY_BUFFER, answer);
    return answer;
  }

  H2Connection connection() {
    return connection.join();
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
