package io.probelet.runtime.cri;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerStatusRequest;
import io.probelet.runtime.cri.v1.ContainerStatusResponse;
import io.probelet.runtime.cri.v1.ListContainersResponse;
import io.probelet.runtime.cri.v1.ListPodSandboxResponse;
import io.probelet.runtime.cri.v1.PodSandbox;
import io.probelet.runtime.cri.v1.PodSandboxStatusRequest;
import io.probelet.runtime.cri.v1.PodSandboxStatusResponse;
import io.probelet.runtime.cri.v1.VersionResponse;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A runtime made of tables, on a unix socket. It answers well unless a test says otherwise, and
 * counts what it is asked.
 */
final class FakeCri implements AutoCloseable {
  final Map<String, Container> containers = new ConcurrentHashMap<>();
  final Map<String, PodSandbox> sandboxes = new ConcurrentHashMap<>();
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
  private final Channel listening;

  /** What is done about one call. */
  @FunctionalInterface
  interface Answer {
    void to(Call call) throws Exception;
  }

  FakeCri(Path socket) {
    listening =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerDomainSocketChannel.class)
            .childHandler(connecting())
            .bind(UnixDomainSocketAddress.of(socket))
            .syncUninterruptibly()
            .channel();
    on(
        "Version",
        call ->
            call.reply(
                VersionResponse.newBuilder()
                    .setRuntimeName("fake")
                    .setRuntimeVersion("1")
                    .build()));
    on(
        "ListPodSandbox",
        call ->
            call.reply(
                ListPodSandboxResponse.newBuilder().addAllItems(sandboxes.values()).build()));
    on(
        "ListContainers",
        call ->
            call.reply(
                ListContainersResponse.newBuilder().addAllContainers(containers.values()).build()));
    on("PodSandboxStatus", this::sandboxStatus);
    on("ContainerStatus", this::containerStatus);
  }

  private ChannelHandler connecting() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel connection) {
        connections.add(connection);
        connection
            .pipeline()
            .addLast(
                Http2FrameCodecBuilder.forServer().gracefulShutdownTimeoutMillis(0).build(),
                new Http2MultiplexHandler(streams()));
      }
    };
  }

  private ChannelHandler streams() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel stream) {
        stream.pipeline().addLast(new Stream());
      }
    };
  }

  private void sandboxStatus(Call call) throws Exception {
    String id = PodSandboxStatusRequest.parseFrom(call.request()).getPodSandboxId();
    call.reply(
        PodSandboxStatusResponse.newBuilder().setStatus(Listed.status(id, "10.0.0.1")).build());
  }

  private void containerStatus(Call call) throws Exception {
    String id = ContainerStatusRequest.parseFrom(call.request()).getContainerId();
    Container listed = containers.get(id);
    if (listed == null) {
      call.fail(5, "no such container");
    } else {
      call.reply(ContainerStatusResponse.newBuilder().setStatus(Listed.status(listed)).build());
    }
  }

  /** Replaces what is done about a method's calls. */
  void on(String method, Answer answer) {
    answers.put(method, answer);
  }

  /** {@return what is done about a method's calls} */
  Answer answer(String method) {
    return answers.get(method);
  }

  /** {@return how often a method was called} */
  int asked(String method) {
    return asked.computeIfAbsent(method, _ -> new AtomicInteger()).get();
  }

  /** One call, its request complete. */
  record Call(ChannelHandlerContext stream, ByteString request) {
    void begin() {
      Http2Headers head = new DefaultHttp2Headers().status("200");
      head.set("content-type", "application/grpc");
      stream.writeAndFlush(new DefaultHttp2HeadersFrame(head));
    }

    void message(byte[] message) {
      ByteBuf prefix = Unpooled.buffer(5).writeByte(0).writeInt(message.length);
      stream.writeAndFlush(
          new DefaultHttp2DataFrame(
              Unpooled.wrappedBuffer(prefix, Unpooled.wrappedBuffer(message))));
    }

    void end(int code, String text) {
      Http2Headers trailers = new DefaultHttp2Headers().set("grpc-status", Integer.toString(code));
      trailers.set("grpc-message", text);
      stream.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
    }

    void reply(MessageLite message) {
      reply(message.toByteArray());
    }

    void reply(byte[] message) {
      begin();
      message(message);
      end(0, "");
    }

    void fail(int code, String text) {
      begin();
      end(code, text);
    }
  }

  private final class Stream extends ChannelInboundHandlerAdapter {
    private final ByteBuf body = Unpooled.buffer();
    private String method = "";

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) throws Exception {
      if (frame instanceof Http2HeadersFrame headers) {
        String path = headers.headers().path().toString();
        method = path.substring(path.lastIndexOf('/') + 1);
      } else if (frame instanceof Http2DataFrame data) {
        body.writeBytes(data.content());
        data.release();
        if (data.isEndStream()) {
          Call call = new Call(ctx, ByteString.copyFrom(body.skipBytes(5).nioBuffer()));
          answers.getOrDefault(method, each -> each.fail(12, "unknown method")).to(call);
          asked.computeIfAbsent(method, _ -> new AtomicInteger()).incrementAndGet();
        }
      }
    }
  }

  /** Goes like a runtime that is killed, without a farewell to anybody. */
  @Override
  public void close() {
    listening.close().syncUninterruptibly();
    for (Channel each : connections) {
      each.eventLoop().submit(() -> each.unsafe().closeForcibly()).syncUninterruptibly();
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
