package io.probelet.probe.net;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.probelet.health.TimeSource;
import io.probelet.probe.engine.NettyLoop;
import io.probelet.probe.engine.ProbeLoop;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** One event loop with the sockets it can open and the clock it goes by. */
public final class NetLoop {
  private final EventLoop eventLoop;
  private final Transport transport;
  private final TimeSource time;
  private final SharedReceiveBuffer receiveBuffer = new SharedReceiveBuffer();

  NetLoop(EventLoop eventLoop, Transport transport, TimeSource time) {
    this.eventLoop = eventLoop;
    this.transport = transport;
    this.time = time;
  }

  /** {@return the same loop as the engine sees it} */
  public ProbeLoop probeLoop() {
    return new NettyLoop(eventLoop, time);
  }

  /** {@return Netty's loop} */
  public EventLoop eventLoop() {
    return eventLoop;
  }

  /** {@return the clocks the loop goes by} */
  public TimeSource time() {
    return time;
  }

  /** {@return whether the caller runs on this loop} */
  public boolean inLoop() {
    return eventLoop.inEventLoop();
  }

  Future<?> schedule(Duration delay, Runnable task) {
    return eventLoop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Opens a socket that does not read by itself yet and goes by reset when it is closed.
   *
   * @throws RuntimeException if the machine has no more to give
   */
  Channel open(InetAddress towards) {
    Channel channel = transport.open(towards);
    ChannelConfig config = channel.config();
    config.setAutoRead(false);
    config.setConnectTimeoutMillis(0); // the attempt's own timer covers it
    config.setAllocator(UnpooledByteBufAllocator.DEFAULT);
    config.setRecvByteBufAllocator(receiveBuffer);
    // An answered exchange is worth no TIME_WAIT: at 3,000 probes/s it would hold 180,000 sockets.
    config.setOption(ChannelOption.SO_LINGER, 0);
    Future<?> registered = eventLoop.register(channel); // at once, being on the loop
    if (registered.cause() != null) {
      channel.unsafe().closeForcibly();
      throw new IllegalStateException(registered.cause());
    }
    return channel;
  }

  /** Gives back what the loop holds; it must have ended. */
  void free() {
    receiveBuffer.free();
  }

  /** Closes a channel at once, past its handlers: no farewell of TLS or HTTP/2 is sent. */
  static void closeNow(Channel channel) {
    channel.unsafe().close(channel.voidPromise());
  }
}
