package io.probelet.kube.delegated;

import io.probelet.health.RecentMap;
import io.probelet.health.TokenBucket;
import java.net.InetAddress;
import java.time.Duration;

/**
 * How often the API server may be asked. Tokens that were good before have a budget of their own,
 * and so has each client with new ones: whoever tries wrong tokens uses up the budget of his own
 * address, and one who scrapes with a token that was renewed gets through from another. Not safe
 * for use by several threads.
 */
final class ReviewRate {
  /** A scraper needs one review every two minutes. */
  private static final int CLIENT_BURST = 5;

  private static final Duration CLIENT_REFILL = Duration.ofSeconds(2);
  private static final int NEW_BURST = 20;
  private static final Duration NEW_REFILL = Duration.ofMillis(200);
  private static final int KNOWN_BURST = 20;
  private static final Duration KNOWN_REFILL = Duration.ofMillis(200);

  /** One beyond them takes the place of the one that asked longest ago, and begins anew. */
  private static final int MAX_CLIENTS = 256;

  private final RecentMap<InetAddress, TokenBucket> clients = new RecentMap<>(MAX_CLIENTS);
  private final TokenBucket newTokens;
  private final TokenBucket knownTokens;

  /** Creates budgets that are full at that time of the monotonic clock. */
  ReviewRate(long nanos) {
    newTokens = new TokenBucket(NEW_BURST, NEW_REFILL, nanos);
    knownTokens = new TokenBucket(KNOWN_BURST, KNOWN_REFILL, nanos);
  }

  /** {@return whether the API server may be asked about a token that was good before} */
  boolean takeKnown(long nanos) {
    return take(knownTokens, nanos);
  }

  /** {@return whether the API server may be asked about a new token that this client sends} */
  boolean takeNew(InetAddress client, long nanos) {
    TokenBucket own = clients.get(client);
    if (own == null) {
      own = new TokenBucket(CLIENT_BURST, CLIENT_REFILL, nanos);
    }
    clients.put(client, own);
    return own.atHand(nanos) > 0 && take(newTokens, nanos) && take(own, nanos);
  }

  private static boolean take(TokenBucket bucket, long nanos) {
    if (bucket.atHand(nanos) == 0) {
      return false;
    }
    bucket.take();
    return true;
  }
}
