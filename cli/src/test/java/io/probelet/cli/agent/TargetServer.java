package io.probelet.cli.agent;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** What is probed over HTTP: answers with the status that a test wants. */
public final class TargetServer implements AutoCloseable {
  private final HttpServer server;

  public TargetServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  /** Answers what begins with a path; the status is 200 until it is set. */
  public AtomicInteger answer(String path) {
    AtomicInteger status = new AtomicInteger(200);
    server.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    return status;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
