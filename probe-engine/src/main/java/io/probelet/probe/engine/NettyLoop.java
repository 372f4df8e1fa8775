package io.probelet.probe.engine;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.probelet.health.TimeSource;
import java.util.concurrent.TimeUnit;

/** A Netty event loop as a {@link ProbeLoop}. */
public final class NettyLoop implements ProbeLoop {
  private final EventLoop eventLoop;
  private final TimeSource time;

  /**
   * Wraps an event loop.
   *
   * @param eventLoop shut down by its owner, not by this
   * @param time the clocks to go by
   */
  public NettyLoop(EventLoop eventLoop, TimeSource time) {
    this.eventLoop = eventLoop;
    this.time = time;
  }

  @Override
  public void execute(Runnable task) {
    eventLoop.execute(task);
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    Future<?> scheduled = eventLoop.schedule(task, Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public TimeSource time() {
    return time;
  }
}
