package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection in the making. When a name has several addresses the next one is tried as soon as
 * one fails, or beside it after 300 ms without an answer; the first to connect wins.
 */
@SuppressWarnings("FutureReturnValueIgnored") // continuations tell through the listener
final class Dial {
  /** How long one address is tried alone; the delay Go uses between address families. */
  private static final Duration HEAD_START = Duration.ofMillis(300);

  private final NetLoop loop;
  private final NameResolver names;
  private final Attempt attempt;
  private final Endpoint endpoint;
  private final @Nullable Tls tls;
  private final DialListener listener;

  /** Connections under way; in the end only the one that won. */
  private final List<Channel> channels = new ArrayList<>(1);

  private List<InetAddress> addresses = List.of();
  private int tried;
  private @Nullable Future<?> headStart;
  private @Nullable NetFailure failure;
  private @Nullable SslContext context;
  private boolean settled;

  Dial(
      NetLoop loop,
      NameResolver names,
      Attempt attempt,
      Endpoint endpoint,
      @Nullable Tls tls,
      DialListener listener) {
    this.loop = loop;
    this.names = names;
    this.attempt = attempt;
    this.endpoint = endpoint;
    this.tls = tls;
    this.listener = listener;
  }

  void start(TlsContexts contexts) {
    attempt.restart(Phase.RESOLVING, this::release);
    if (tls == null) {
      resolve();
    } else {
      await(contexts.get(tls.options()), this::contextLoaded, this::contextMissing);
    }
  }

  private void contextLoaded(SslContext loaded) {
    context = loaded;
    resolve();
  }

  private void contextMissing(Throwable cause) {
    String message = cause instanceof BadTlsFilesException bad ? bad.text() : cause.toString();
    fail(new NetFailure(Reason.BAD_TARGET, "tls: " + message));
  }

  private void resolve() {
    InetAddress literal = endpoint.literal();
    if (literal != null) {
      attempt.skipTo(Phase.CONNECTING);
      addresses = List.of(literal);
      connectNext();
    } else {
      await(names.resolve(endpoint.host()), this::resolved, this::unresolved);
    }
  }

  private void resolved(List<InetAddress> found) {
    attempt.enter(Phase.CONNECTING);
    addresses = found;
    connectNext();
  }

  private void unresolved(Throwable cause) {
    String what =
        cause instanceof UnknownHostException ? "no such host" : String.valueOf(cause.getMessage());
    fail(new NetFailure(null, "dial tcp: lookup " + endpoint.host() + ": " + what));
  }

  /** Goes on at once with a result that is there already, else on the loop unless too late. */
  private <T> void await(
      CompletableFuture<T> future, Consumer<T> result, Consumer<Throwable> error) {
    if (!future.isDone()) {
      future.whenComplete((_, _) ->
          loop.eventLoop()
              .execute(() -> {
                if (!attempt.over()) {
                  await(future, result, error);
                }
              }));
    } else if (future.isCompletedExceptionally()) {
      error.accept(future.exceptionNow());
    } else {
      result.accept(future.resultNow());
    }
  }

  private void connectNext() {
    cancelHeadStart();
    InetAddress address = addresses.get(tried++);
    InetSocketAddress remote = new InetSocketAddress(address, endpoint.port());
    Channel channel;
    try {
      channel = loop.open(address);
    } catch (RuntimeException noSocket) {
      connectFailed(remote, noSocket);
      return;
    }
    channels.add(channel);
    channel
        .connect(remote)
        .addListener((ChannelFuture connecting) -> connectEnded(channel, remote, connecting));
    if (!settled && tried < addresses.size() && channels.contains(channel)) {
      headStart = loop.schedule(HEAD_START, this::connectNext);
    }
  }

  private void connectEnded(Channel channel, InetSocketAddress remote, ChannelFuture connecting) {
    if (settled || attempt.over()) {
      return; // told by closing it
    }
    if (connecting.isSuccess()) {
      settled = true;
      cancelHeadStart();
      channels.remove(channel);
      closeAll();
      channels.add(channel);
      connected(channel);
    } else {
      channels.remove(channel);
      NetLoop.closeNow(channel);
      connectFailed(remote, connecting.cause());
    }
  }

  private void connectFailed(InetSocketAddress remote, Throwable cause) {
    Endpoint numeric = new Endpoint(NetUtil.toAddressString(remote.getAddress()), remote.getPort());
    NetFailure reason = SocketErrors.failure("dial tcp " + numeric + ": connect: ", cause);
    // The target's own refusal outweighs a family of addresses this machine cannot use.
    if (failure == null || failure.fault() != null) {
      failure = reason;
    }
    if (tried < addresses.size()) {
      connectNext();
    } else if (channels.isEmpty()) {
      fail(failure);
    }
  }

  private void connected(Channel channel) {
    if (tls == null || context == null) {
      attempt.enter(Phase.WAITING);
      deliver(channel, "");
      return;
    }
    attempt.enter(Phase.SECURING);
    SslHandler handler = TlsEngines.handler(context, tls, endpoint, channel.alloc());
    channel.pipeline().addLast(handler, Silencer.INSTANCE);
    handler.handshakeFuture().addListener(shaken -> handshakeEnded(channel, handler, shaken));
    channel.config().setAutoRead(true);
  }

  private void handshakeEnded(Channel channel, SslHandler handler, Future<?> shaken) {
    if (attempt.over()) {
      return;
    }
    if (!shaken.isSuccess()) {
      fail(TlsErrors.failure(endpoint, shaken.cause()));
      return;
    }
    attempt.enter(Phase.WAITING);
    channel.pipeline().remove(Silencer.INSTANCE);
    String protocol = handler.engine().getApplicationProtocol();
    deliver(channel, protocol == null ? "" : protocol);
  }

  private void deliver(Channel channel, String protocol) {
    try {
      listener.connected(channel, protocol);
    } catch (RuntimeException bug) { // W-11
      attempt.end(new Verdict.ProberError(Reason.INTERNAL, "prober failed: " + bug));
    }
    if (!attempt.over()) {
      channel.config().setAutoRead(true);
    }
  }

  private void fail(NetFailure reason) {
    settled = true;
    listener.failed(reason);
  }

  private void cancelHeadStart() {
    if (headStart != null) {
      headStart.cancel(false);
      headStart = null;
    }
  }

  /** Run when the attempt is over or goes on elsewhere. */
  private void release() {
    settled = true;
    cancelHeadStart();
    closeAll();
  }

  private void closeAll() {
    channels.forEach(NetLoop::closeNow);
    channels.clear();
  }
}
