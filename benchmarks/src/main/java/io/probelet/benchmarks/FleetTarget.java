package io.probelet.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/** What the readiness probes of a fleet connect to. */
final class FleetTarget implements AutoCloseable {
  private static final int BACKLOG = 1000;

  private final int port;
  private volatile @Nullable ServerSocket socket;

  private FleetTarget(int port) {
    this.port = port;
  }

  /** Opens it. */
  static FleetTarget open() throws IOException {
    FleetTarget target = new FleetTarget(AgentProcess.freePort());
    target.accept();
    return target;
  }

  int port() {
    return port;
  }

  /** Accepts connections. */
  void accept() throws IOException {
    ServerSocket opened = new ServerSocket();
    opened.setReuseAddress(true);
    opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    socket = opened;
    Thread.ofPlatform().daemon().name("fleet-target").start(() -> serve(opened));
  }

  private static void serve(ServerSocket socket) {
    try {
      while (true) {
        socket.accept().close();
      }
    } catch (IOException refused) {
      // closed
    }
  }

  /** Refuses connections: all probes fail. */
  void refuse() throws IOException {
    ServerSocket open = socket;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    refuse();
  }
}
