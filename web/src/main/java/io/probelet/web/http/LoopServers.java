package io.probelet.web.http;

import io.probelet.probe.net.ProbeLoops;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * Servers that share an event loop.
 *
 * @param loops has one, which ends with the servers
 */
public record LoopServers(ProbeLoops loops) implements HttpServers {
  @Override
  public HttpServer open(
      ListenAddress address,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    return new HttpEndpoint(address, loops.all().getFirst().eventLoop(), resources, hosts);
  }

  /**
   * Opens a server on a Unix socket for the user of this process, and root.
   *
   * @param socket its path, in a folder that others cannot change; a missing one is created
   * @return the server, to be closed by the caller before these servers
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public UnixSocketServer open(Path socket, Map<String, Route> routes) throws IOException {
    return UnixSocketServer.open(socket, loops.all().getFirst().eventLoop(), routes);
  }

  @Override
  public void close() {
    loops.close();
  }
}
