package io.probelet.fleet.ui;

import io.netty.channel.EventLoopGroup;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;

/** The server of the cluster's page, on loopback, open from its creation until it is closed. */
public final class UiServer implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final UiSession session;
  private final HttpEndpoint endpoint;

  /**
   * Opens the server.
   *
   * @param port where to listen; 0 lets the system choose
   * @param loops shared with others and not shut down here
   * @param pages what answers, by path relative to the first page, which is the empty path
   * @param random makes secrets; must be unpredictable
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public UiServer(
      int port, EventLoopGroup loops, Map<String, Resource> pages, RandomGenerator random)
      throws IOException {
    session = new UiSession(random);
    SequencedMap<String, Resource> below = new LinkedHashMap<>();
    pages.forEach((path, page) -> below.put(session.prefix() + path, page));
    endpoint = HttpEndpoint.ofPages(new ListenAddress(LOOPBACK, port), loops, below, session);
  }

  /** {@return the address that lets one browser in, once} */
  public String address() {
    return session.address(endpoint.address().toString());
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
