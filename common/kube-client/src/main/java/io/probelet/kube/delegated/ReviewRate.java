package io.probelet.kube.delegated;

import io.probelet.health.ClientRate;
import io.probelet.health.TimeSource;
import io.probelet.health.TokenBucket;
import java.net.InetAddress;
import java.time.Duration;

/**
 * How often the API server may be asked. Tokens that were good before have a budget of their own,
 * and so has each client with new ones: whoever tries wrong tokens uses up the budget of his own
 * address, and one who scrapes with a token that was renewed gets through from another. Safe for
 * use by several threads.
 */
final class ReviewRate {
  /** A scraper needs one review every two minutes. */
  private static final ClientRate.Limit CLIENT = new ClientRate.Limit(5, Duration.ofSeconds(2));

  private static final ClientRate.Limit ALL = new ClientRate.Limit(20, Duration.ofMillis(200));
  private static final int MAX_CLIENTS = 256;

  private final ClientRate<InetAddress> newTokens;
  private final TokenBucket knownTokens;
  private final TimeSource time;

  /** Creates budgets that are full. */
  ReviewRate(TimeSource time) {
    newTokens = new ClientRate<>(CLIENT, ALL, MAX_CLIENTS, time);
    knownTokens = new TokenBucket(ALL.burst(), ALL.refill(), time.nanoTime());
    this.time = time;
  }

  /** {@return whether the API server may be asked about a token that was good before} */
  synchronized boolean takeKnown() {
    if (knownTokens.atHand(time.nanoTime()) == 0) {
      return false;
    }
    knownTokens.take();
    return true;
  }

  /** {@return whether the API server may be asked about a new token that this client sends} */
  boolean takeNew(InetAddress client) {
    return newTokens.take(client);
  }
}
