package io.probelet.health;

import java.time.Duration;

/**
 * Limits how often something may be done, per client and for all clients together, so that one
 * client cannot use up everything. Thread-safe.
 *
 * @param <K> the client's key
 */
public final class ClientRate<K> {
  private final TimeSource time;
  private final Limit each;
  private final RecentMap<K, TokenBucket> clients;
  private final TokenBucket all;

  /**
   * A rate.
   *
   * @param burst the burst, at least 1
   * @param refill after which there is one more, longer than zero
   */
  public record Limit(int burst, Duration refill) {
    private TokenBucket bucket(long nanos) {
      return new TokenBucket(burst, refill, nanos);
    }
  }

  /**
   * Creates an unused limiter.
   *
   * @param each for each client
   * @param all for all together
   * @param maxClients the most clients remembered; a further one replaces the oldest
   * @param time the clocks to go by
   */
  public ClientRate(Limit each, Limit all, int maxClients, TimeSource time) {
    this.each = each;
    this.clients = new RecentMap<>(maxClients);
    this.all = all.bucket(time.nanoTime());
    this.time = time;
  }

  /**
   * Takes a token, if available.
   *
   * @param client the client's key
   * @return whether it may be done
   */
  public synchronized boolean take(K client) {
    long now = time.nanoTime();
    TokenBucket known = clients.get(client);
    TokenBucket own = known == null ? each.bucket(now) : known;
    clients.put(client, own);
    if (own.available(now) == 0 || all.available(now) == 0) {
      return false;
    }
    own.take();
    all.take();
    return true;
  }
}
