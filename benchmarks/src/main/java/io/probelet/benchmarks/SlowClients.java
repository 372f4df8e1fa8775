package io.probelet.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that take up connections: they send a request's head byte by byte and never end it. */
final class SlowClients implements AutoCloseable {
  private final InetSocketAddress address;
  private final int number;
  private final List<SocketChannel> open = new ArrayList<>();

  SlowClients(int port, int number) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.number = number;
  }

  /** Sends one more byte on each connection, and connects anew where the server has ended one. */
  void drip() {
    open.removeIf(client -> !alive(client));
    while (open.size() < number) {
      try {
        SocketChannel client = SocketChannel.open(address);
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.write(bytes("GET /livez HTTP/1.1\r\nX: "));
        open.add(client);
      } catch (IOException refused) {
        return; // asked again at the next drip
      }
    }
  }

  private static boolean alive(SocketChannel client) {
    try {
      if (client.read(ByteBuffer.allocate(512)) >= 0) {
        client.write(bytes("x"));
        return true;
      }
    } catch (IOException reset) {
      // ended below
    }
    end(client);
    return false;
  }

  private static void end(SocketChannel client) {
    try {
      client.close();
    } catch (IOException broken) {
      // it is as good as closed
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    open.forEach(SlowClients::end);
  }
}
