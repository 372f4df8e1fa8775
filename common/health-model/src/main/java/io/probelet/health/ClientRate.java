package io.probelet.health;

import java.time.Duration;

/**
 * How often something may be done for clients: so often for each, and so often for all together, so
 * that one who wants it all the time leaves some for others. Safe for use by several threads.
 *
 * @param <K> names a client
 */
public final class ClientRate<K> {
  private final TimeSource time;
  private final Limit each;
  private final RecentMap<K, TokenBucket> clients;
  private final TokenBucket all;

  /**
   * How often.
   *
   * @param burst times at once, at least 1
   * @param refill after which there is one more, longer than zero
   */
  public record Limit(int burst, Duration refill) {
    private TokenBucket bucket(long nanos) {
      return new TokenBucket(burst, refill, nanos);
    }
  }

  /**
   * Creates one of which nothing has been taken.
   *
   * @param each for each client
   * @param all for all together
   * @param maxClients whose use is remembered; one more takes the place of the one that came
   *     longest ago
   * @param time the clocks to go by
   */
  public ClientRate(Limit each, Limit all, int maxClients, TimeSource time) {
    this.each = each;
    this.clients = new RecentMap<>(maxClients);
    this.all = all.bucket(time.nanoTime());
    this.time = time;
  }

  /**
   * Takes one, if there is one.
   *
   * @param client for whom
   * @return whether it may be done
   */
  public synchronized boolean take(K client) {
    long now = time.nanoTime();
    TokenBucket known = clients.get(client);
    TokenBucket own = known == null ? each.bucket(now) : known;
    clients.put(client, own);
    if (own.atHand(now) == 0 || all.atHand(now) == 0) {
      return false;
    }
    own.take();
    all.take();
    return true;
  }
}
