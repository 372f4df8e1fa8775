package io.probelet.kube.delegated;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Slots;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.delegated.Reviews.Finding;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may get a path, by asking the API server. Answers are cached as long as in an API
 * server's own webhooks: two minutes for a valid token, five minutes for an allowed user, half a
 * minute for a denied one. Without an answer, access is denied. Thread-safe; callers wait for the
 * API server. Tokens are kept as hashes only, and are never logged.
 */
public final class DelegatedAccess {
  private static final Duration GOOD_TOKEN = Duration.ofMinutes(2);
  private static final Duration WRONG_TOKEN = Duration.ofSeconds(10);
  private static final Duration ALLOWED = Duration.ofMinutes(5);
  private static final Duration FORBIDDEN = Duration.ofSeconds(30);

  /** Per kind of answer. Invalid tokens evict only invalid tokens. */
  private static final int MAX_ANSWERS = 128;

  /** Per kind of question. Questions about new tokens do not delay those about valid ones. */
  private static final int MAX_CALLS = 2;

  private static final Duration MAX_WAIT = Duration.ofSeconds(2);
  private static final Access LIMITED = new Access.Limited();

  private final Reviews reviews;
  private final TimeSource time;
  private final String path;
  private final TokenHash hash = new TokenHash();
  private final Slots callsForNew;
  private final Slots callsForKnown;

  private final ReviewRate rate;

  // Guarded by this.
  private final ExpiringCache<String, JsonNode> good = new ExpiringCache<>(MAX_ANSWERS, GOOD_TOKEN);
  private final ExpiringCache<String, Boolean> wrong =
      new ExpiringCache<>(MAX_ANSWERS, WRONG_TOKEN);
  private final ExpiringCache<JsonNode, Boolean> allowed =
      new ExpiringCache<>(MAX_ANSWERS, ALLOWED);
  private final ExpiringCache<JsonNode, Boolean> forbidden =
      new ExpiringCache<>(MAX_ANSWERS, FORBIDDEN);

  /**
   * Creates an instance without a request.
   *
   * @param path the URL path to get, such as /metrics
   */
  public DelegatedAccess(
      BiFunction<String, JsonNode, ApiResult> create, String path, TimeSource time) {
    this.reviews = new Reviews(create);
    this.path = path;
    this.time = time;
    this.rate = new ReviewRate(time);
    this.callsForNew = new Slots(MAX_CALLS, time.threads());
    this.callsForKnown = new Slots(MAX_CALLS, time.threads());
  }

  /**
   * Decides on a request; may take as long as two requests to the API server.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  public Access check(String token, InetAddress client) throws InterruptedException {
    String key = hash.of(token);
    JsonNode user;
    boolean known;
    synchronized (this) {
      if (wrong.get(key, now()) != null) {
        return new Access.Unauthenticated();
      }
      user = good.get(key, now());
      known = good.remembers(key);
    }
    if (user != null) {
      return authorize(user);
    }
    boolean may = known ? rate.takeKnown() : rate.takeNew(client);
    Finding found =
        may ? asked(known ? callsForKnown : callsForNew, () -> reviews.token(token)) : null;
    return switch (found) {
      case null -> LIMITED;
      case Finding.Yes(JsonNode whose) -> {
        synchronized (this) {
          good.put(key, whose, now());
        }
        yield authorize(whose);
      }
      case Finding.No _ -> {
        synchronized (this) {
          good.remove(key);
          wrong.put(key, true, now());
        }
        yield new Access.Unauthenticated();
      }
      case Finding.Unknown(String why) -> new Access.Unavailable(why);
    };
  }

  private Access authorize(JsonNode user) throws InterruptedException {
    synchronized (this) {
      if (allowed.get(user, now()) != null) {
        return new Access.Granted(Reviews.name(user));
      }
      if (forbidden.get(user, now()) != null) {
        return new Access.Forbidden(Reviews.name(user));
      }
    }
    Finding found =
        rate.takeKnown() ? asked(callsForKnown, () -> reviews.access(user, path)) : null;
    return switch (found) {
      case null -> LIMITED;
      case Finding.Yes _ -> {
        synchronized (this) {
          allowed.put(user, true, now());
        }
        yield new Access.Granted(Reviews.name(user));
      }
      case Finding.No _ -> {
        synchronized (this) {
          forbidden.put(user, true, now());
        }
        yield new Access.Forbidden(Reviews.name(user));
      }
      case Finding.Unknown(String why) -> new Access.Unavailable(why);
    };
  }

  private static @Nullable Finding asked(Slots calls, Supplier<Finding> question)
      throws InterruptedException {
    if (!calls.tryAcquire(MAX_WAIT)) {
      return null;
    }
    try {
      return question.get();
    } finally {
      calls.release();
    }
  }

  private long now() {
    return time.nanoTime();
  }
}
