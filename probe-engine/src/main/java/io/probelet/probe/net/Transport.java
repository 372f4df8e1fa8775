package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.Inet4Address;
import java.net.InetAddress;

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
          towards instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
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
  };

  abstract IoHandlerFactory ioHandlers();

  abstract Channel open(InetAddress towards);

  static Transport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }
}
