package io.probelet.health;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 that is kept for a program we start. The socket that holds it does not
 * listen, so that one that says it would share its address, as servers do, can; meanwhile the
 * kernel gives it to nobody who leaves the choice to it.
 */
public final class ReservedPort implements AutoCloseable {
  private final Socket holder = new Socket();

  public ReservedPort() throws IOException {
    holder.setReuseAddress(true);
    holder.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  public int number() {
    return holder.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
