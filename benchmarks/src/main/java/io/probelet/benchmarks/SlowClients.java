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

/** Clients that occupy connections with endless requests. */
final class SlowClients implements AutoCloseable {
  private final InetSocketAddress address;
  private final String opening;
  private final String drip;
  private final int number;
  private final List<SocketChannel> open = new ArrayList<>();

  private SlowClients(int port, int number, String opening, String drip) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.number = number;
    this.opening = opening;
    this.drip = drip;
  }

  /** Clients that send a request's head byte by byte. */
  static SlowClients ofHeads(int port, int number) {
    return new SlowClients(port, number, "GET /livez HTTP/1.1\r\nX: ", "x");
  }

  /** Clients that send a whole head, but nothing of the announced body. */
  static SlowClients ofBodies(int port, int number) {
    return new SlowClients(
        port, number, "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", "");
  }

  /** Continues each request, and reconnects if the server has closed the connection. */
  void drip() {
    open.removeIf(client -> !alive(client));
    while (open.size() < number) {
      try {
        SocketChannel client = SocketChannel.open(address);
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.write(bytes(opening));
        open.add(client);
      } catch (IOException refused) {
        return; // retried at the next step
      }
    }
  }

  private boolean alive(SocketChannel client) {
    try {
      if (client.read(ByteBuffer.allocate(512)) >= 0) {
        client.write(bytes(drip));
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
      // it counts as closed
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
