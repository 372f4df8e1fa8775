package io.probelet.kube.delegated;

import io.probelet.health.ClientRate;
import io.probelet.health.TimeSource;
import io.probelet.health.TokenBucket;
import java.net.InetAddress;
import java.time.Duration;

/**
 * Limits how often the API server is asked. Known valid tokens have their own budget, and each
 * client with new tokens has another: invalid tokens use up the budget of their own address only,
 * and a scraper with a renewed token still gets through from another address. Thread-safe.
 */
final class ReviewRate {
  /** A scraper needs one review every two minutes. */
  private static final ClientRate.Limit CLIENT = new ClientRate.Limit(5, Duration.ofSeconds(2));

  private static final ClientRate.Limit ALL = new ClientRate.Limit(20, Duration.ofMillis(200));
  private static final int MAX_CLIENTS = 256;

  private final ClientRate<InetAddress> newTokens;
  private final TokenBucket knownTokens;
  private final TimeSource time;

  /** Creates full budgets. */
  ReviewRate(TimeSource time) {
    newTokens = new ClientRate<>(CLIENT, ALL, MAX_CLIENTS, time);
    knownTokens = new TokenBucket(ALL.burst(), ALL.refill(), time.nanoTime());
    this.time = time;
  }

  /** {@return whether the API server may be asked about a previously valid token} */
  synchronized boolean takeKnown() {
    if (knownTokens.available(time.nanoTime()) == 0) {
      return false;
    }
    knownTokens.take();
    return true;
  }

  /** {@return whether the API server may be asked about a new token of this client} */
  boolean takeNew(InetAddress client) {
    return newTokens.take(client);
  }
}
