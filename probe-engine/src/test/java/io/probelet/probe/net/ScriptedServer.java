package io.probelet.probe.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** A server on loopback that does to each connection what a test tells it to. */
public final class ScriptedServer implements AutoCloseable {
  private static final int BACKLOG = 4096;

  private final ServerSocket listener;
  private final Script script;
  private final Thread accepting;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What happens to one connection; it is closed afterwards. */
  @FunctionalInterface
  public interface Script {
    void run(Connection connection) throws Exception;
  }

  /** One connection as a script sees it. */
  public record Connection(Socket socket, InputStream in, OutputStream out, CountDownLatch end) {
    public void send(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    /** Reads a request up to its empty line. */
    public String request() throws IOException {
      StringBuilder text = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        text.append((char) next);
        if (text.length() >= 4 && text.indexOf("\r\n\r\n", text.length() - 4) >= 0) {
          return text.toString();
        }
      }
      throw new IOException("connection ended after: " + text);
    }

    /** Does nothing until the server is closed. */
    public void hang() throws InterruptedException {
      end.await();
    }
  }

  private ScriptedServer(ServerSocket listener, Script script) {
    this.listener = listener;
    this.script = script;
    this.accepting = Thread.ofVirtual().start(this::accept);
  }

  public static ScriptedServer start(Script script) {
    return start(InetAddress.ofLiteral("127.0.0.1"), script);
  }

  public static ScriptedServer start(InetAddress address, Script script) {
    try {
      return new ScriptedServer(new ServerSocket(0, BACKLOG, address), script);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public static ScriptedServer startTls(SSLContext context, Script script) {
    try {
      ServerSocket listener =
          context
              .getServerSocketFactory()
              .createServerSocket(0, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
      return new ScriptedServer(listener, script);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A server that answers every request alike and closes. */
  public static ScriptedServer answering(String response) {
    return start(connection -> {
      connection.request();
      connection.send(response);
    });
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Connections accepted so far. */
  public int accepted() {
    return accepted.get();
  }

  /** Connections open now. */
  public int open() {
    return open.size();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        accepted.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        // closed, or a connection that was gone before it was accepted
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      script.run(new Connection(socket, socket.getInputStream(), socket.getOutputStream(), closed));
    } catch (Exception _) {
      // the prober hung up, as it may
    } finally {
      open.remove(socket);
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    joinAccepting(); // until then the port is still open
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void joinAccepting() {
    try {
      accepting.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
