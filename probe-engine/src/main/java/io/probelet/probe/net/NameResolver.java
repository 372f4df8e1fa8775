package io.probelet.probe.net;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Resolves host names without holding up an event loop. */
@FunctionalInterface
public interface NameResolver {
  /**
   * Starts a lookup.
   *
   * @param host a name, not an IP address
   * @return its addresses in the order to try them, at least one; fails with {@link
   *     java.net.UnknownHostException}. It may complete on any thread, and may never complete
   */
  CompletableFuture<List<InetAddress>> resolve(String host);
}
