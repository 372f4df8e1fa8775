package io.probelet.web.scrape;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.ShortText;
import io.probelet.health.TimeSource;
import io.probelet.kube.delegated.Access;
import io.probelet.kube.delegated.DelegatedAccess;
import io.probelet.web.http.GuardedResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics, for those whom the API server lets get them; others get a word why not. */
public final class GuardedMetrics implements GuardedResource {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedMetrics.class);
  private static final int MAX_SHOWN = 300;
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

  private final Resource metrics;
  private final DelegatedAccess access;
  private final Map<Result, Counter> counted = new EnumMap<>(Result.class);
  private final TimeSource time;
  private String said = "";
  private long saidAt;

  /** What became of a request. */
  private enum Result {
    ANSWERED,
    UNAUTHENTICATED,
    FORBIDDEN,
    LIMITED,
    UNAVAILABLE
  }

  /**
   * Creates it.
   *
   * @param registry where requests are counted
   */
  public GuardedMetrics(
      Resource metrics, DelegatedAccess access, MeterRegistry registry, TimeSource time) {
    this.time = time;
    this.metrics = metrics;
    this.access = access;
    for (Result result : Result.values()) {
      counted.put(
          result,
          Counter.builder("probelet.scrapes")
              .description("Requests to the scrape listener by result.")
              .tag("result", result.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  @Override
  public Answer get(InetAddress client, List<String> authorization) throws Exception {
    Optional<String> token = BearerToken.of(authorization);
    if (token.isEmpty()) {
      return refuse(Result.UNAUTHENTICATED, 401, "bearer token required");
    }
    return switch (access.check(token.get(), client)) {
      case Access.Granted _ -> {
        count(Result.ANSWERED);
        yield metrics.get(Map.of());
      }
      case Access.Unauthenticated _ ->
          refuse(Result.UNAUTHENTICATED, 401, "token rejected by the API server");
      case Access.Forbidden(String user) -> {
        String shown = shown(user);
        say(
            shown
                + " is not allowed to get /metrics; requires {nonResourceURLs: [/metrics], verbs: [get]}");
        yield refuse(Result.FORBIDDEN, 403, shown + " is not allowed to get /metrics");
      }
      case Access.Limited _ -> refuse(Result.LIMITED, 429, "too many unknown tokens; retry later");
      case Access.Unavailable(String why) -> {
        say("access review failed: " + shown(why));
        yield refuse(Result.UNAVAILABLE, 503, "access cannot be checked now");
      }
    };
  }

  private Answer refuse(Result result, int status, String why) {
    count(result);
    return Answer.of(status, Resource.TEXT, why + "\n");
  }

  private void count(Result result) {
    Objects.requireNonNull(counted.get(result)).increment();
  }

  /** Once, not with every scrape, and not as often as strangers take turns. */
  private synchronized void say(String what) {
    long now = time.nanoTime();
    if (!what.equals(said) && (said.isEmpty() || now - saidAt >= BETWEEN_LINES.toNanos())) {
      said = what;
      saidAt = now;
      LOG.warn("scrape refused reason=\"{}\"", what);
    }
  }

  private static String shown(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\"]+", " ");
    return ShortText.of(line, MAX_SHOWN);
  }
}
