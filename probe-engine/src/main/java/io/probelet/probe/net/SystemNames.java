package io.probelet.probe.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Resolves names as the machine does, on platform threads of its own. Those who ask for a name that
 * is being resolved already share the answer, so that a name server that hangs holds one thread per
 * name and not one per probe. When too many names hang, others fail with {@link
 * RejectedExecutionException}. The JDK's cache keeps answers for 30 s, failures for 10 s.
 */
public final class SystemNames implements NameResolver {
  /**
   * A lookup holds its thread in the system's resolver, for up to 30 s if nobody answers. Nothing
   * waits for a thread: a probe would time out meanwhile and take that for the target's fault.
   */
  public static final int MAX_THREADS = 64;

  private static final int IDLE_SECONDS = 5;

  /**
   * No names, and no addresses but in the oldest of programs' eyes: {@code 127.1} or {@code
   * 2130706433} for 127.0.0.1. The system's resolver and Java take them, Go does not.
   */
  private static final Pattern NUMBERS =
      Pattern.compile("(?:(?:[0-9]+|0[xX][0-9a-fA-F]*)(?:\\.|$))+");

  private final Map<String, CompletableFuture<List<InetAddress>>> underWay =
      new ConcurrentHashMap<>();

  private final ThreadPoolExecutor threads;

  private final Lookup system;

  /** The system's resolver. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /** Creates an idle resolver; one serves all loops. */
  public SystemNames() {
    this(InetAddress::getAllByName);
  }

  SystemNames(Lookup system) {
    this.system = system;
    threads =
        new ThreadPoolExecutor(
            0,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("names-", 0).factory());
  }

  /** {@return names that are being resolved, of at most {@link #MAX_THREADS}} */
  public int underWay() {
    return underWay.size();
  }

  @Override
  public CompletableFuture<List<InetAddress>> resolve(String host) {
    if (NUMBERS.matcher(host).matches()) {
      return CompletableFuture.failedFuture(new UnknownHostException(host));
    }
    CompletableFuture<List<InetAddress>> mine = new CompletableFuture<>();
    CompletableFuture<List<InetAddress>> others = underWay.putIfAbsent(host, mine);
    if (others != null) {
      return others;
    }
    try {
      threads.execute(() -> resolveNow(host, mine));
    } catch (RejectedExecutionException full) {
      underWay.remove(host);
      mine.completeExceptionally(full);
    }
    return mine;
  }

  private void resolveNow(String host, CompletableFuture<List<InetAddress>> answer) {
    try {
      List<InetAddress> addresses = List.of(system.addresses(host));
      underWay.remove(host);
      answer.complete(addresses);
    } catch (Throwable failed) { // else everybody would wait for this answer for good
      underWay.remove(host);
      answer.completeExceptionally(failed);
    }
  }
}
