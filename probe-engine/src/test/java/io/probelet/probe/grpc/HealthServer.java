package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import io.probelet.probe.h2.H2Server;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A server on loopback that gives every call the same reply and remembers the last one. */
final class HealthServer implements AutoCloseable {
  final H2Server server;
  volatile Http2Headers requestHeaders;
  volatile String requestBody;

  /** What a server does with a call whose request is complete. */
  @FunctionalInterface
  interface Reply {
    void to(ChannelHandlerContext call);
  }

  HealthServer(Reply reply) {
    this(reply, null);
  }

  HealthServer(Reply reply, @Nullable SslContext tls) {
    server = new H2Server(() -> new Call(reply), Http2Settings.defaultSettings(), tls);
  }

  private final class Call extends ChannelInboundHandlerAdapter {
    private final Reply reply;
    private final ByteBuf body = Unpooled.buffer();

    Call(Reply reply) {
      this.reply = reply;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) {
      boolean end = false;
      if (frame instanceof Http2HeadersFrame headers) {
        requestHeaders = headers.headers();
        end = headers.isEndStream();
      } else if (frame instanceof Http2DataFrame data) {
        body.writeBytes(data.content());
        data.release();
        end = data.isEndStream();
      }
      if (end) {
        requestBody = ByteBufUtil.hexDump(body);
        reply.to(ctx);
      }
    }
  }

  /** An ordinary reply: one message and status 0. */
  static Reply status(int health) {
    return whole("08%02x".formatted(health), "0", null);
  }

  /** Messages given in hexadecimal digits, then trailers; null leaves a trailer out. */
  static Reply whole(@Nullable String message, @Nullable String status, @Nullable String text) {
    return call -> {
      call.write(new DefaultHttp2HeadersFrame(head("200", "application/grpc")));
      if (message != null) {
        call.write(new DefaultHttp2DataFrame(framed(message)));
      }
      call.writeAndFlush(new DefaultHttp2HeadersFrame(trailers(status, text), true));
    };
  }

  /** A reply of headers only. */
  static Reply trailersOnly(String status, @Nullable String text) {
    Http2Headers headers = head("200", "application/grpc").setAll(trailers(status, text));
    return call -> call.writeAndFlush(new DefaultHttp2HeadersFrame(headers, true));
  }

  /** A reply as a web server gives it. */
  static Reply page(String status, @Nullable String contentType) {
    return call -> {
      call.write(new DefaultHttp2HeadersFrame(head(status, contentType)));
      ByteBuf page = Unpooled.copiedBuffer("<html>", StandardCharsets.UTF_8);
      call.writeAndFlush(new DefaultHttp2DataFrame(page, true));
    };
  }

  static Http2Headers head(String status, @Nullable String contentType) {
    Http2Headers headers = new DefaultHttp2Headers().status(status);
    return contentType == null ? headers : headers.set("content-type", contentType);
  }

  private static Http2Headers trailers(@Nullable String status, @Nullable String text) {
    Http2Headers trailers = new DefaultHttp2Headers(false);
    if (status != null) {
      trailers.set("grpc-status", status);
    }
    if (text != null) {
      trailers.set("grpc-message", text);
    }
    return trailers;
  }

  static ByteBuf framed(String hex) {
    byte[] message = HexFormat.of().parseHex(hex);
    return Unpooled.buffer().writeByte(0).writeInt(message.length).writeBytes(message);
  }

  InetSocketAddress address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }
}
