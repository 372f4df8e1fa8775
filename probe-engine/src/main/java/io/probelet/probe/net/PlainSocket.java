package io.probelet.probe.net;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP socket and its place in the epoll of its loop, which serve one {@link SocketConnection}
 * after another. It goes by reset when it is closed.
 */
final class PlainSocket extends Socket implements EpollIoHandle {
  private static final Logger LOG = LoggerFactory.getLogger(PlainSocket.class);

  private static final EpollIoOps ONCE = EpollIoOps.valueOf(1 << 30); // EPOLLONESHOT

  /** What is to be read, its end, and errors. */
  static final EpollIoOps READING = EpollIoOps.EPOLLIN.with(ONCE);

  /** The same for a connection or a message that is under way. */
  static final EpollIoOps READING_AND_WRITING = READING.with(EpollIoOps.EPOLLOUT);

  private final IoEventLoop eventLoop;
  private final boolean isIpv4;
  private @Nullable IoRegistration registration;
  private @Nullable SocketConnection connection;
  private boolean awaited;

  private PlainSocket(IoEventLoop eventLoop, boolean isIpv4) {
    super(newSocketStream0(isIpv4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6));
    this.eventLoop = eventLoop;
    this.isIpv4 = isIpv4;
  }

  /**
   * {@return a new socket}
   *
   * @param eventLoop where it is used
   * @param isIpv4 its family; a socket of the right one needs no option to carry IPv4
   * @throws RuntimeException if the machine is short of resources
   */
  static PlainSocket open(IoEventLoop eventLoop, boolean isIpv4) {
    PlainSocket socket = new PlainSocket(eventLoop, isIpv4);
    try {
      socket.setSoLinger(0); // see NetLoop.openChannel
    } catch (IOException | RuntimeException unable) {
      socket.release();
      throw new IllegalStateException(unable);
    }
    return socket;
  }

  /** {@return whether its family is IPv4 rather than IPv6} */
  boolean isIpv4() {
    return isIpv4;
  }

  /** Serves a connection from now on. */
  void serve(SocketConnection next) {
    connection = next;
    awaited = false;
  }

  /** Stops serving the connection. */
  void unlink() {
    connection = null;
  }

  /** {@return whether an event of the connection that it serves may be under way} */
  boolean isAwaited() {
    return awaited;
  }

  /**
   * Has the loop say once when there is something to do. Until it is asked again, epoll keeps
   * silent, also about a connection that is gone.
   *
   * @param what {@link #READING} or {@link #READING_AND_WRITING}
   * @throws RuntimeException if the machine is short of resources
   */
  void await(EpollIoOps what) {
    IoRegistration known = registration;
    if (known == null) {
      known = eventLoop.register(this).getNow(); // at once, being on the loop
      registration = known;
    }
    known.submit(what);
    awaited = true;
  }

  @Override
  public void handle(IoRegistration from, IoEvent event) {
    SocketConnection present = connection;
    if (present != null) {
      present.ready(((EpollIoEvent) event).ops().value());
    }
  }

  @Override
  public FileDescriptor fd() {
    return this;
  }

  /** Closes it and removes it from epoll and its loop. It then has no owner. */
  void release() {
    unlink();
    discard(); // first, as that takes it out of epoll, too
    if (registration != null) {
      registration.cancel();
    }
  }

  /** Closes it when its loop has ended. */
  void discard() {
    try {
      close();
    } catch (IOException gone) {
      LOG.debug("socket was not closed", gone);
    }
  }
}
