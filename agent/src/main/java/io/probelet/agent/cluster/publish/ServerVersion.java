package io.probelet.agent.cluster.publish;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Threads;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WriteLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the API server for its version, now and then, as clusters are upgraded under agents. */
public final class ServerVersion implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofHours(1);

  /** Providers put a plus sign behind their minor versions. */
  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,4})\\+?");

  private final ApiServer api;
  private final Consumer<String> listener;
  private final WriteLoop loop;

  /**
   * Begins to ask.
   *
   * @param listener takes major and minor version, such as {@code 1.36}, each time; returns soon
   */
  public ServerVersion(
      ApiServer api, Consumer<String> listener, RandomGenerator random, Threads threads) {
    this.api = api;
    this.listener = listener;
    loop = new WriteLoop("server-version", () -> PERIOD, this::ask, random, threads);
    loop.start();
  }

  private boolean ask() {
    ApiResult answer = api.get("/version");
    if (answer instanceof Unanswered) {
      loop.failed(answer);
      return true;
    }
    var _ = loop.succeeded();
    if (answer instanceof Done done) { // else we may not know, and go on without
      majorMinor(done.body()).ifPresent(listener);
    }
    return false;
  }

  /** The version is untrusted text and goes into headers. */
  static Optional<String> majorMinor(JsonNode version) {
    Matcher major = NUMBER.matcher(version.path("major").asText());
    Matcher minor = NUMBER.matcher(version.path("minor").asText());
    return major.matches() && minor.matches()
        ? Optional.of(major.group(1) + "." + minor.group(1))
        : Optional.empty();
  }

  /** Stops asking. */
  @Override
  public void close() {
    loop.close();
  }
}
