package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.Future;
import io.probelet.health.TimeSource;
import io.probelet.probe.engine.NettyLoop;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.engine.ProbeLoop.Timer;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One event loop with the sockets it can open and the clock it goes by. */
public final class NetLoop {
  private final EventLoop eventLoop;
  private final Transport transport;
  private final TimeSource time;
  private final NettyLoop timers;
  private final LoopBuffers buffers = new LoopBuffers();
  private final SocketPool sockets;

  NetLoop(IoEventLoop eventLoop, Transport transport, TimeSource time) {
    this.eventLoop = eventLoop;
    this.transport = transport;
    this.time = time;
    timers = new NettyLoop(eventLoop, time);
    sockets = new SocketPool(eventLoop);
  }

  /** {@return the same loop as the engine sees it} */
  public ProbeLoop probeLoop() {
    return timers;
  }

  /** {@return Netty's loop} */
  public EventLoop eventLoop() {
    return eventLoop;
  }

  /** {@return the clocks the loop goes by} */
  public TimeSource time() {
    return time;
  }

  /** Runs a task after a while, to the nanosecond, unless it is called off before. */
  Timer schedule(Duration delay, Runnable task) {
    return timers.deadline(delay, task);
  }

  LoopBuffers buffers() {
    return buffers;
  }

  /**
   * Goes on at once with a result that is there already, else on the loop, unless the attempt is
   * over by then.
   *
   * @param <T> what comes
   * @param attempt that waits for it
   * @param future may complete on any thread
   * @param result takes it
   * @param error takes why there is none
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the callbacks carry the outcome
  public <T> void await(
      Attempt attempt, CompletableFuture<T> future, Consumer<T> result, Consumer<Throwable> error) {
    if (!future.isDone()) {
      Runnable later =
          () -> {
            if (!attempt.over()) {
              await(attempt, future, result, error);
            }
          };
      future.whenComplete((_, _) -> eventLoop.execute(later));
    } else if (future.isCompletedExceptionally()) {
      attempt.guard(() -> error.accept(future.exceptionNow()));
    } else {
      attempt.guard(() -> result.accept(future.resultNow()));
    }
  }

  /**
   * Does the same for what a probe needs of files or rules: if it cannot be had, the attempt ends.
   *
   * @param <T> what comes
   * @param attempt that waits for it
   * @param future may complete on any thread
   * @param result takes it
   */
  public <T> void await(Attempt attempt, CompletableFuture<T> future, Consumer<T> result) {
    await(attempt, future, result, missing -> attempt.end(NetFailure.unread(missing).verdict("")));
  }

  /** {@return whether plain sockets can do without channels here} */
  boolean hasSockets() {
    return transport == Transport.EPOLL;
  }

  /**
   * Opens a plain socket, the cheapest connection there is.
   *
   * @throws RuntimeException if the machine is short of resources
   */
  ProbeConnection openSocket(Endpoint peer, InetSocketAddress towards) {
    boolean ipv4 = towards.getAddress() instanceof Inet4Address;
    return new SocketConnection(sockets.take(ipv4), sockets, buffers, peer);
  }

  /**
   * Opens a channel that does not read by itself yet and goes by reset when it is closed.
   *
   * @throws RuntimeException if the machine is short of resources
   */
  ProbeConnection openChannel(Endpoint peer, InetSocketAddress towards) {
    Channel channel = transport.open(towards.getAddress());
    // An answered exchange is worth no TIME_WAIT: at 3,000 probes/s it would hold 180,000 sockets.
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    return connection(channel, peer);
  }

  private ProbeConnection connection(Channel channel, Endpoint peer) {
    ChannelConfig config = channel.config();
    config.setAutoRead(false);
    config.setConnectTimeoutMillis(0); // the attempt's own timer covers it
    config.setAllocator(UnpooledByteBufAllocator.DEFAULT);
    config.setRecvByteBufAllocator(buffers);
    Future<?> registered = eventLoop.register(channel); // at once, being on the loop
    if (registered.cause() != null) {
      channel.unsafe().closeForcibly();
      throw new IllegalStateException(registered.cause());
    }
    return new ChannelConnection(channel, buffers.scratch(), peer);
  }

  /**
   * Opens a channel for a Unix socket.
   *
   * @throws RuntimeException if the machine is short of resources
   */
  ProbeConnection openUnix(Endpoint peer) {
    return connection(transport.openUnix(), peer);
  }

  /** {@return the address of a Unix socket as its channel takes it} */
  SocketAddress unixAddress(String path) {
    return transport.unixAddress(path);
  }

  /**
   * Opens a UDP socket.
   *
   * @throws RuntimeException if the machine is short of resources
   */
  ProbeConnection openDatagram(Endpoint peer, InetSocketAddress towards) {
    return datagrams(transport.openDatagram(towards.getAddress()), peer, "udp");
  }

  /**
   * Opens a socket for ICMP echo requests.
   *
   * @throws EchoSockets.UnavailableException if the machine has none for this process
   * @throws RuntimeException if the machine is short of resources
   */
  ProbeConnection openEcho(Endpoint peer, InetSocketAddress towards, EchoSockets sockets) {
    if (!hasSockets()) {
      throw new EchoSockets.UnavailableException("requires Linux with epoll");
    }
    int descriptor = sockets.open(towards.getAddress() instanceof Inet4Address);
    return datagrams(new EpollDatagramChannel(descriptor), peer, "icmp");
  }

  private ProbeConnection datagrams(Channel channel, Endpoint peer, String network) {
    ChannelConfig config = channel.config();
    config.setAutoRead(false);
    config.setAllocator(UnpooledByteBufAllocator.DEFAULT);
    config.setRecvByteBufAllocator(new FixedRecvByteBufAllocator(LoopBuffers.SIZE));
    Future<?> registered = eventLoop.register(channel); // at once, being on the loop
    if (registered.cause() != null) {
      channel.unsafe().closeForcibly();
      throw new IllegalStateException(registered.cause());
    }
    return new DatagramConnection(channel, buffers.scratch(), peer, network);
  }

  /** Gives back what the loop holds; it must have ended. */
  void free() {
    buffers.free();
    sockets.free();
  }

  /**
   * Buffers lent to all connections of a loop: a loop serves them one after the other, and a probe
   * keeps nothing of what it read.
   *
   * <p>As an allocator it lends one buffer to channels, too. A handler that does keep it (TLS with
   * half a record, say) is left in peace: the next read then gets a buffer of its own.
   */
  static final class LoopBuffers extends DefaultMaxMessagesRecvByteBufAllocator {
    /** One body at the output limit with its headers mostly fits. */
    private static final int SIZE = 16 * 1024;

    private final ByteBuf shared = Unpooled.directBuffer(SIZE, SIZE);
    private final ByteBuffer direct = ByteBuffer.allocateDirect(SIZE);
    private final byte[] scratch = new byte[SIZE];

    /** {@return memory for one system call} */
    ByteBuffer direct() {
      return direct;
    }

    /** {@return space to read bytes into, as large as {@link #direct}} */
    byte[] scratch() {
      return scratch;
    }

    /** Gives the memory back; the loop must have ended. */
    void free() {
      shared.release();
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still asks for it
    public Handle newHandle() {
      return new Lender();
    }

    private final class Lender extends MaxMessageHandle {
      @Override
      public ByteBuf allocate(ByteBufAllocator alloc) {
        return shared.refCnt() == 1 ? shared.clear().retain() : alloc.ioBuffer(SIZE);
      }

      @Override
      public int guess() {
        return SIZE;
      }
    }
  }

  /** How this machine's sockets are driven: by epoll where it exists, by NIO elsewhere. */
  enum Transport {
    EPOLL {
      @Override
      IoHandlerFactory ioHandlers() {
        return EpollIoHandler.newFactory();
      }

      @Override
      Channel open(InetAddress towards) {
        // A socket of the right family spares IPv4 the option that lets an IPv6 socket carry it.
        return new EpollSocketChannel(
            towards instanceof Inet4Address
                ? SocketProtocolFamily.INET
                : SocketProtocolFamily.INET6);
      }

      @Override
      Channel openUnix() {
        return new EpollDomainSocketChannel();
      }

      @Override
      SocketAddress unixAddress(String path) {
        return new DomainSocketAddress(path);
      }

      @Override
      Channel openDatagram(InetAddress towards) {
        return new EpollDatagramChannel(
            towards instanceof Inet4Address
                ? SocketProtocolFamily.INET
                : SocketProtocolFamily.INET6);
      }
    },
    NIO {
      @Override
      IoHandlerFactory ioHandlers() {
        return NioIoHandler.newFactory();
      }

      @Override
      Channel open(InetAddress towards) {
        return new NioSocketChannel();
      }

      @Override
      Channel openUnix() {
        return new NioDomainSocketChannel();
      }

      @Override
      SocketAddress unixAddress(String path) {
        return UnixDomainSocketAddress.of(path);
      }

      @Override
      Channel openDatagram(InetAddress towards) {
        return new NioDatagramChannel();
      }
    };

    abstract IoHandlerFactory ioHandlers();

    abstract Channel open(InetAddress towards);

    abstract Channel openUnix();

    abstract SocketAddress unixAddress(String path);

    abstract Channel openDatagram(InetAddress towards);

    static Transport best() {
      return Epoll.isAvailable() ? EPOLL : NIO;
    }
  }
}
