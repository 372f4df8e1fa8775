package io.probelet.web.http;

import io.probelet.health.TimeSource;
import io.probelet.probe.net.ProbeLoops;
import java.io.IOException;
import java.util.Collection;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** Opens servers of status, metrics and API. */
@FunctionalInterface
public interface HttpServers extends AutoCloseable {
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

  /** Releases what the servers share. They must be closed already. */
  @Override
  default void close() {}

  /**
   * {@return servers of this machine, on an event loop of their own that answers also while probing
   * hangs; to be closed by the caller}
   */
  static LoopServers start(TimeSource time) {
    return new LoopServers(ProbeLoops.start(1, "http-", time));
  }
}
