package io.probelet.cluster.care;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.health.TimeSource;
import java.time.Duration;
import java.util.List;

/** Checks whether the API server is healthy and how fast it responds (CH-26). */
final class ApiServerCheck {
  /** Latency is reported in steps, so that small changes do not cause a status write. */
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5));

  private final KubernetesClient client;
  private final TimeSource time;

  ApiServerCheck(KubernetesClient client, TimeSource time) {
    this.client = client;
    this.time = time;
  }

  ConditionFinding run() {
    long start = time.nanoTime();
    String answer;
    try {
      answer = client.raw("/healthz");
    } catch (KubernetesClientException e) {
      return new ConditionFinding.Unhealthy(
          "HealthzRequestFailed",
          Sentence.ended("The API server's /healthz failed: " + ApiErrorText.of(e)));
    }
    Duration took = Duration.ofNanos(time.nanoTime() - start);
    return "ok".equals(answer)
        ? new ConditionFinding.Healthy(
            "HealthzRequestSucceeded", "The API server's /healthz answered " + inSteps(took) + ".")
        : new ConditionFinding.Unhealthy(
            "HealthzRequestError", "The API server's /healthz returned \"" + answer + "\".");
  }

  static String inSteps(Duration took) {
    return STEPS.stream()
        .filter(step -> took.compareTo(step) <= 0)
        .findFirst()
        .map(step -> "within " + step.toMillis() + " ms")
        .orElseGet(() -> "after more than " + STEPS.getLast().toMillis() + " ms");
  }
}
