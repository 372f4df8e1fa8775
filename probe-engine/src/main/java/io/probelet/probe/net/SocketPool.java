package io.probelet.probe.net;

import io.netty.channel.IoEventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a loop whose connections are over, for those that come next: to make a socket, put
 * it into epoll, and close it costs a quarter of a TCP probe and a tenth of an HTTP probe (ADR
 * 0012, {@code benchmarks/run tcp}, {@code http}).
 *
 * <p>What is spare has been disconnected, by a reset as if it were closed: the kernel forgets
 * address, port, and what was received. Lives on its loop.
 */
final class SocketPool {
  private static final Logger LOG = LoggerFactory.getLogger(SocketPool.class);

  /**
   * Of a family: as many as have a connection at one moment, where thousands are made in a second.
   */
  static final int MAX_SPARE = 64;

  private final IoEventLoop eventLoop;
  private final Deque<PlainSocket> ipv4 = new ArrayDeque<>();
  private final Deque<PlainSocket> ipv6 = new ArrayDeque<>();

  /**
   * Disconnected, yet not spare before the loop has handed out what epoll reported: among that may
   * be an event of the connection that is over, which the next one would get.
   */
  private final List<PlainSocket> leaving = new ArrayList<>();

  private final Runnable left = this::allLeft;

  SocketPool(IoEventLoop eventLoop) {
    this.eventLoop = eventLoop;
  }

  /**
   * {@return a socket without a connection, a spare one if there is one}
   *
   * @param isIpv4 its family
   * @throws RuntimeException if the machine is short of resources
   */
  PlainSocket take(boolean isIpv4) {
    PlainSocket spare = spare(isIpv4).pollLast();
    return spare == null ? PlainSocket.open(eventLoop, isIpv4) : spare;
  }

  /** Ends the connection of a socket, and may keep it. */
  void giveBack(PlainSocket socket) {
    socket.unlink();
    Deque<PlainSocket> spare = spare(socket.isIpv4());
    if (spare.size() + leaving.size() < MAX_SPARE) {
      try {
        socket.disconnect();
        if (socket.isAwaited()) {
          leave(socket);
        } else {
          spare.addLast(socket);
        }
        return;
      } catch (IOException | RuntimeException unable) {
        LOG.debug("socket was not disconnected", unable);
      }
    }
    socket.release();
  }

  private void leave(PlainSocket socket) {
    if (leaving.isEmpty()) {
      eventLoop.execute(left);
    }
    leaving.add(socket);
  }

  private void allLeft() {
    leaving.forEach(socket -> spare(socket.isIpv4()).addLast(socket));
    leaving.clear();
  }

  private Deque<PlainSocket> spare(boolean isIpv4) {
    return isIpv4 ? ipv4 : ipv6;
  }

  /** Closes what is spare; the loop must have ended. */
  void free() {
    allLeft();
    ipv4.forEach(PlainSocket::discard);
    ipv6.forEach(PlainSocket::discard);
  }
}
