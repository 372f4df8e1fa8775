package io.probelet.probe.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import io.probelet.health.TimeSource;
import io.probelet.probe.net.NetLoop.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The event loops on which probes live, one daemon thread each: probe-0, probe-1, … */
public final class ProbeLoops implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 5;

  private final EventLoopGroup group;
  private final List<NetLoop> loops;

  private ProbeLoops(int count, String name, Transport transport, TimeSource time) {
    AtomicInteger next = new AtomicInteger();
    ThreadFactory threads =
        task -> {
          Thread thread = new FastThreadLocalThread(task, name + next.getAndIncrement());
          thread.setDaemon(true);
          return thread;
        };
    group = new Group(count, threads, transport.ioHandlers());
    List<NetLoop> wrapped = new ArrayList<>(count);
    for (EventExecutor each : group) {
      // Netty wakes up a loop that has no timer at all each second.
      var unused = each.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.DAYS);
      wrapped.add(new NetLoop((IoEventLoop) each, transport, time));
    }
    loops = List.copyOf(wrapped);
  }

  /**
   * Starts event loops on epoll where it exists and on NIO elsewhere.
   *
   * @param count how many, at least 1
   * @param time the clocks they go by
   * @return the loops, to be closed by the caller
   */
  public static ProbeLoops start(int count, TimeSource time) {
    return start(count, "probe-", time);
  }

  /**
   * Starts event loops for tasks other than probes, which must continue when probing does not.
   *
   * @param count how many, at least 1
   * @param name what their threads' names begin with
   * @param time the clocks they go by
   * @return the loops, to be closed by the caller
   */
  public static ProbeLoops start(int count, String name, TimeSource time) {
    return new ProbeLoops(count, name, Transport.best(), time);
  }

  static ProbeLoops start(int count, Transport transport, TimeSource time) {
    return new ProbeLoops(count, "probe-", transport, time);
  }

  /** {@return the loops, in the order of their threads' numbers} */
  public List<NetLoop> all() {
    return loops;
  }

  /** Stops the loops; probes under way get no outcome. Not to be called on one of them. */
  @Override
  public void close() {
    if (group
        .shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      loops.forEach(NetLoop::free);
    }
  }

  /** Loops that serve sockets every few milliseconds, however many timers are due. */
  private static final class Group extends MultiThreadIoEventLoopGroup {
    /** Netty's own is a second, in which answers that are there would time out. */
    private static final long MAX_MILLIS_OF_TASKS = 2;

    Group(int count, ThreadFactory threads, IoHandlerFactory handlers) {
      super(count, new ThreadPerTaskExecutor(threads), handlers);
    }

    @Override
    protected IoEventLoop newChild(
        Executor executor, IoHandlerFactory handlers, Object... arguments) {
      return new SingleThreadIoEventLoop(
          this,
          executor,
          handlers,
          Integer.MAX_VALUE,
          RejectedExecutionHandlers.reject(),
          MAX_MILLIS_OF_TASKS);
    }
  }
}
