package io.probelet.probe.net;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Resolves names as the machine does, on virtual threads. Those who ask for a name that is being
 * looked up already share the answer, so that a name server that hangs holds one thread per name
 * and not one per probe. The JDK's cache keeps answers for 30 s, failures for 10 s.
 */
public final class SystemNames implements NameResolver {
  private final Map<String, CompletableFuture<List<InetAddress>>> underWay =
      new ConcurrentHashMap<>();

  /** Creates a resolver; one serves all loops. */
  public SystemNames() {}

  @Override
  public CompletableFuture<List<InetAddress>> resolve(String host) {
    CompletableFuture<List<InetAddress>> mine = new CompletableFuture<>();
    CompletableFuture<List<InetAddress>> others = underWay.putIfAbsent(host, mine);
    if (others != null) {
      return others;
    }
    Thread.ofVirtual().name("resolve-" + host).start(() -> lookUp(host, mine));
    return mine;
  }

  private void lookUp(String host, CompletableFuture<List<InetAddress>> answer) {
    try {
      List<InetAddress> addresses = List.of(InetAddress.getAllByName(host));
      underWay.remove(host);
      answer.complete(addresses);
    } catch (Throwable failed) { // else everybody would wait for this answer for good
      underWay.remove(host);
      answer.completeExceptionally(failed);
    }
  }
}
