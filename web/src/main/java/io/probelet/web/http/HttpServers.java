package io.probelet.web.http;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.Collection;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** Opens servers of status, metrics and API. */
@FunctionalInterface
public interface HttpServers {
  /**
   * Opens a server.
   *
   * @param hosts names that are answered besides addresses and localhost; asked for each request
   * @throws IOException if it cannot listen there; the message is for the user
   */
  HttpServer open(
      ListenAddress address,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException;

  /**
   * {@return servers on this machine}
   *
   * @param loops shared with others and not shut down here
   */
  static HttpServers on(EventLoopGroup loops) {
    return (address, resources, hosts) -> new HttpEndpoint(address, loops, resources, hosts);
  }
}
