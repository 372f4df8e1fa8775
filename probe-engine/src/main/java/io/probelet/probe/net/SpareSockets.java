package io.probelet.probe.net;

import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a loop, of which one for each family may be there from an earlier connection. Who
 * only wants to know whether a connection can be made is done with it before the next one begins,
 * and to make and close a socket for each costs a quarter of a TCP probe (ADR 0012, {@code
 * benchmarks/run tcp}).
 *
 * <p>What is spare has been disconnected, by a reset as if it were closed: the kernel forgets
 * address, port, and what was received. It has never been in epoll, whose events could be about a
 * connection that is over. Lives on one loop.
 */
final class SpareSockets {
  private static final Logger LOG = LoggerFactory.getLogger(SpareSockets.class);

  private @Nullable Plain ipv4;
  private @Nullable Plain ipv6;

  /** A TCP socket of the family it is needed for, which goes by reset when it is closed. */
  static final class Plain extends Socket {
    private final boolean isIpv4;

    private Plain(boolean isIpv4) {
      super(newSocketStream0(isIpv4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6));
      this.isIpv4 = isIpv4;
    }
  }

  /**
   * {@return a socket without a connection, a spare one if there is one}
   *
   * @throws RuntimeException if the machine has no more to give
   */
  Plain take(boolean isIpv4) {
    Plain spare = isIpv4 ? ipv4 : ipv6;
    if (spare == null) {
      return open(isIpv4);
    }
    keep(isIpv4, null);
    return spare;
  }

  private static Plain open(boolean isIpv4) {
    Plain socket = new Plain(isIpv4);
    try {
      socket.setSoLinger(0); // see NetLoop.openChannel
    } catch (IOException | RuntimeException unable) {
      close(socket);
      throw new IllegalStateException(unable);
    }
    return socket;
  }

  /** Ends the connection of a socket that was never in epoll, and may keep it. */
  void giveBack(Plain socket) {
    if ((socket.isIpv4 ? ipv4 : ipv6) == null) {
      try {
        socket.disconnect();
        keep(socket.isIpv4, socket);
        return;
      } catch (IOException unable) {
        LOG.debug("a socket was not disconnected", unable);
      }
    }
    close(socket);
  }

  private void keep(boolean isIpv4, @Nullable Plain spare) {
    if (isIpv4) {
      ipv4 = spare;
    } else {
      ipv6 = spare;
    }
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      LOG.debug("a socket was not closed", gone);
    }
  }

  /** Closes what is spare; the loop must have ended. */
  void free() {
    if (ipv4 != null) {
      close(ipv4);
    }
    if (ipv6 != null) {
      close(ipv6);
    }
  }
}
