package io.probelet.web.http;

import io.probelet.probe.net.ProbeLoops;
import java.io.IOException;
import java.util.Collection;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * Servers that share an event loop.
 *
 * @param loops has one, which ends with the servers
 */
record LoopServers(ProbeLoops loops) implements HttpServers {
  @Override
  public HttpServer open(
      ListenAddress address,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    return new HttpEndpoint(address, loops.all().getFirst().eventLoop(), resources, hosts);
  }

  @Override
  public void close() {
    loops.close();
  }
}
