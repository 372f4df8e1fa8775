package io.probelet.probe.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of this machine where every connection is refused. It is held by a socket that does not
 * listen: one that was only free a moment ago may be anybody's by now, even the prober's own end.
 */
public final class ClosedPort implements AutoCloseable {
  private final Socket holder = new Socket();

  public ClosedPort() throws IOException {
    holder.bind(new InetSocketAddress(0));
  }

  public int number() {
    return holder.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
