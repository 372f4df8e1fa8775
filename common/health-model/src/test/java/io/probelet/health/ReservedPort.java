package io.probelet.health;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 reserved for a program that a test starts. The reserving socket does not
 * listen, so a server with SO_REUSEADDR can bind to it, while the kernel assigns it to no ephemeral
 * bind.
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
