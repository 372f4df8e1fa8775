package io.probelet.runtime.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.Future;
import io.probelet.health.GoDuration;
import io.probelet.probe.grpc.GrpcCall;
import io.probelet.probe.grpc.GrpcCode;
import io.probelet.probe.grpc.GrpcListener;
import io.probelet.probe.grpc.GrpcRequest;
import io.probelet.probe.grpc.GrpcStatus;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Options;
import io.probelet.probe.net.SocketErrors;
import io.probelet.probe.runtime.ContainerRuntimeException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the runtime's socket, shared by all calls. It connects only on request; calls
 * without a connection fail immediately.
 *
 * <p>Methods may be called from any thread; their futures complete on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // listeners and the close future carry the outcome
final class CriConnection {
  private static final String SERVICE = "runtime.v1.RuntimeService/";
  private static final H2Options WINDOWS = new H2Options(1 << 20, 4 << 20, 64 * 1024);

  private final Path socket;
  private final EventLoop loop;
  private final boolean epoll;
  private final Runnable lost;

  // Used only on the loop.
  private @Nullable Channel channel;
  private @Nullable H2Connection connection;
  private @Nullable CompletableFuture<Void> dialing;

  /**
   * Creates an unconnected instance.
   *
   * @param lost runs on the loop after an established connection has ended
   */
  CriConnection(Path socket, EventLoop loop, Runnable lost) {
    this.socket = socket;
    this.loop = loop;
    this.epoll = loop instanceof IoEventLoop io && io.isCompatible(EpollIoHandle.class);
    this.lost = lost;
  }

  /** Connects if necessary. Fails with a {@link ContainerRuntimeException}. */
  CompletableFuture<Void> connect() {
    CompletableFuture<Void> connected = new CompletableFuture<>();
    loop.execute(() ->
        dial()
            .whenComplete((_, failure) -> {
              if (failure == null) {
                connected.complete(null);
              } else {
                connected.completeExceptionally(failure);
              }
            }));
    return connected;
  }

  private CompletableFuture<Void> dial() {
    if (connection != null && connection.isOpen()) {
      return CompletableFuture.completedFuture(null);
    }
    if (dialing != null) {
      return dialing;
    }
    CompletableFuture<Void> result = new CompletableFuture<>();
    dialing = result;
    SocketAddress address =
        epoll ? new DomainSocketAddress(socket.toString()) : UnixDomainSocketAddress.of(socket);
    new Bootstrap()
        .group(loop)
        .channelFactory(epoll ? EpollDomainSocketChannel::new : NioDomainSocketChannel::new)
        .handler(new Opening())
        .connect(address)
        .addListener(connecting -> {
          dialing = null;
          if (connecting.isSuccess()) {
            result.complete(null);
          } else {
            result.completeExceptionally(unreachable(connecting.cause()));
          }
        });
    return result;
  }

  private ContainerRuntimeException unreachable(Throwable cause) {
    return new ContainerRuntimeException(
        SocketErrors.failure("connect to " + socket + ": ", cause).message(), cause);
  }

  /** Starts HTTP/2 before anything is read. */
  private final class Opening extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      Channel opened = ctx.channel();
      channel = opened;
      connection = H2Connection.open(opened, WINDOWS);
      opened.closeFuture().addListener(_ -> closed(opened));
    }
  }

  private void closed(Channel ended) {
    if (ended.equals(channel)) {
      channel = null;
      connection = null;
      lost.run();
    }
  }

  /** Closes the connection; running calls fail. */
  void drop() {
    loop.execute(() -> {
      if (channel != null) {
        channel.close();
      }
    });
  }

  /**
   * Calls the runtime.
   *
   * @param timeout of the call; null for a stream
   * @return completed with the sink's result, or with a {@link ContainerRuntimeException}; cancel
   *     it to end the call
   */
  <T> CompletableFuture<T> call(
      String method, MessageLite request, @Nullable Duration timeout, Sink<T> sink) {
    Call<T> call = new Call<>(method, sink);
    byte[] message = request.toByteArray();
    loop.execute(() -> call.start(message, timeout));
    return call.answer;
  }

  /** One running call; used only on the loop, except for its future. */
  private final class Call<T> implements GrpcListener {
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final String method;
    private final Sink<T> sink;
    private @Nullable Future<?> timer;

    Call(String method, Sink<T> sink) {
      this.method = method;
      this.sink = sink;
    }

    void start(byte[] message, @Nullable Duration timeout) {
      if (connection == null || !connection.isOpen()) {
        answer.completeExceptionally(
            new ContainerRuntimeException(method + ": not connected to " + socket));
        return;
      }
      GrpcRequest request = new GrpcRequest(false, "localhost", SERVICE + method, "probelet", null);
      GrpcCall call =
          GrpcCall.start(connection, request, Unpooled.wrappedBuffer(message), sink.limit(), this);
      CompletableFuture<T> _ =
          answer.whenComplete((_, _) -> {
            if (answer.isCancelled()) {
              loop.execute(() -> abandon(call));
            }
          });
      if (timeout != null && !answer.isDone()) {
        timer = loop.schedule(() -> giveUp(call, timeout), timeout.toNanos(), TimeUnit.NANOSECONDS);
      }
    }

    private void abandon(GrpcCall call) {
      if (timer != null) {
        timer.cancel(false);
      }
      call.cancel();
    }

    private void giveUp(GrpcCall call, Duration timeout) {
      call.cancel();
      answer.completeExceptionally(
          new NoAnswerException(
              method + ": " + socket + " did not answer within " + GoDuration.format(timeout)));
    }

    @Override
    public void part(ByteBuf part, boolean last) {
      sink.part(part, last);
    }

    @Override
    public void ended(GrpcStatus status) {
      if (timer != null) {
        timer.cancel(false);
      }
      if (status.is(GrpcCode.OK)) {
        finish();
      } else {
        answer.completeExceptionally(new CallFailedException(method, status));
      }
    }

    private void finish() {
      try {
        answer.complete(sink.result());
      } catch (InvalidProtocolBufferException broken) {
        answer.completeExceptionally(CriCalls.broken(method, broken));
      }
    }
  }
}
