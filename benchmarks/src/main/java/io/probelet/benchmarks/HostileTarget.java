package io.probelet.benchmarks;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Misbehaving servers, with one port for each way. */
@SuppressWarnings("FutureReturnValueIgnored") // whether a write arrives is the prober's concern
final class HostileTarget implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;
  private static final String NESTED = "{\"a\":[".repeat(1000) + "]}".repeat(1000);

  /** A way to misbehave, and whether a probe must still find the target healthy. */
  enum Way {
    /** Accepts connections and never responds. */
    SILENT(false),
    /** Sends one byte of a header a second. */
    TRICKLE(false),
    /** Sends an endless body. */
    ENDLESS(true),
    /** Redirects to itself endlessly. */
    LOOP(false),
    /** Responds with something other than HTTP. */
    GARBAGE(false),
    /** Uses TLS with an expired certificate. */
    EXPIRED(true),
    /** Responds with as much deeply nested JSON as a probe reads. */
    JSON(true);

    final boolean healthy;

    Way(boolean healthy) {
      this.healthy = healthy;
    }
  }

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Map<Way, Integer> ports = new EnumMap<>(Way.class);
  private final SslContext expired;

  HostileTarget(Path directory) throws IOException, GeneralSecurityException {
    expired = SslContextBuilder.forServer(TlsServer.expired(directory).keys()).build();
    for (Way way : Way.values()) {
      ports.put(way, listen(way));
    }
  }

  /** {@return the port of each way} */
  Map<Way, Integer> ports() {
    return ports;
  }

  /** {@return the port of one way} */
  int port(Way way) {
    return Objects.requireNonNull(ports.get(way), "each way has one");
  }

  private int listen(Way way) {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (way == Way.EXPIRED) {
                      channel.pipeline().addLast(expired.newHandler(channel.alloc()));
                    }
                    channel.pipeline().addLast(new Misbehaviour(way));
                  }
                });
    return ((InetSocketAddress)
            server.bind("127.0.0.1", 0).syncUninterruptibly().channel().localAddress())
        .getPort();
  }

  /** One connection; responds to the first bytes of a request. */
  private static final class Misbehaviour extends ChannelInboundHandlerAdapter {
    private static final ByteBuf BODY =
        Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[CHUNK]));

    private final Way way;
    private boolean asked;
    private boolean endless;

    Misbehaviour(Way way) {
      this.way = way;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
      if (asked) {
        return;
      }
      asked = true;
      switch (way) {
        case SILENT -> {}
        case TRICKLE -> trickle(context);
        case ENDLESS -> {
          send(context, "HTTP/1.1 200 OK\r\n\r\n");
          endless = true;
          pour(context);
        }
        case LOOP -> end(context, "HTTP/1.1 302 Found\r\nLocation: /again\r\n\r\n");
        case GARBAGE -> end(context, "\u0000\u0001 220 mail.example.org ESMTP\r\n\r\n");
        case EXPIRED -> end(context, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        case JSON -> end(context, "HTTP/1.1 200 OK\r\n\r\n" + NESTED);
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (endless) {
        pour(context);
      }
    }

    private static void pour(ChannelHandlerContext context) {
      while (context.channel().isActive() && context.channel().isWritable()) {
        context.writeAndFlush(BODY.duplicate());
      }
    }

    private static void trickle(ChannelHandlerContext context) {
      if (context.channel().isActive()) {
        send(context, "H");
        context.executor().schedule(() -> trickle(context), 1, TimeUnit.SECONDS);
      }
    }

    private static void send(ChannelHandlerContext context, String text) {
      context.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private static void end(ChannelHandlerContext context, String text) {
      context
          .writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1))
          .addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable reset) {
      context.close();
    }
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
