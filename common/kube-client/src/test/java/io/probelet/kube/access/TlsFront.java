package io.probelet.kube.access;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** A TLS proxy with a replaceable certificate that records client certificates. */
public final class TlsFront implements AutoCloseable {
  private final ServerSocket listening;
  private final int behind;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<String> clients = new CopyOnWriteArrayList<>();
  private volatile SSLContext identity;

  /** Begins to listen; {@code url} is the server behind it, on this machine. */
  public TlsFront(String url, SSLContext identity) throws IOException {
    this.identity = identity;
    behind = URI.create(url).getPort();
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public String url() {
    return "https://127.0.0.1:" + listening.getLocalPort();
  }

  /** The name in the client's certificate, per connection. */
  public List<String> clients() {
    return List.copyOf(clients);
  }

  /** Closes all connections and uses another certificate from now on. */
  public void present(SSLContext other) throws IOException {
    identity = other;
    cut();
  }

  private void cut() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void serve(Socket plain) {
    try (SSLSocket client =
            (SSLSocket) identity.getSocketFactory().createSocket(plain, null, true);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), behind)) {
      client.setWantClientAuth(true);
      client.startHandshake();
      clients.add(name(client));
      Thread.ofVirtual().start(() -> pump(server, client));
      pump(client, server);
    } catch (IOException refused) {
      return;
    }
  }

  private static String name(SSLSocket client) {
    try {
      return client.getSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException none) {
      return "";
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException closed) {
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
  }
}
