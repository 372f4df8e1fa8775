package io.probelet.cluster.care;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.checks.result.CheckResult;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * Queries each replica of a Prometheus for the health of its targets (CH-56), through the API
 * server's proxy. The response comes from another program, so its size and duration are limited.
 */
final class PrometheusHealth {
  static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("monitoring.coreos.com")
          .withVersion("v1")
          .withKind("Prometheus")
          .withPlural("prometheuses")
          .withNamespaced(true)
          .build();

  /** The label that names the checker of a Prometheus of a seed or garden. */
  private static final String LABEL = "health-check-by";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_REPLICAS = 20;
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final ApiServer api;
  private final ManagedResourceRule rule;
  private final TimeSource time;
  private int asked;

  PrometheusHealth(ApiServer api, ManagedResourceRule rule, TimeSource time) {
    this.api = api;
    this.rule = rule;
    this.time = time;
  }

  /** {@return whether the owner of the rule checks this Prometheus} */
  boolean selects(GenericKubernetesResource prometheus) {
    Map<String, String> labels = prometheus.getMetadata().getLabels();
    String by = labels == null ? null : labels.get(LABEL);
    return switch (rule) {
      case SHOOT -> true;
      case SEED -> "gardenlet".equals(by);
      case GARDEN -> "gardener-operator".equals(by);
    };
  }

  /** {@return the first problem that a replica reports; healthy if there is none} */
  CheckResult check(GenericKubernetesResource prometheus) throws InterruptedException {
    Object wanted = prometheus.get("spec", "replicas");
    int replicas = wanted instanceof Number number ? number.intValue() : 1;
    for (int replica = 0; replica < replicas; replica++) {
      CheckResult found = ask(prometheus, replica);
      if (!(found instanceof CheckResult.Healthy)) {
        return found;
      }
    }
    return CheckResult.healthy();
  }

  private CheckResult ask(GenericKubernetesResource prometheus, int replica)
      throws InterruptedException {
    if (asked++ >= MAX_REPLICAS) {
      return CheckResult.notExecuted("at most " + MAX_REPLICAS + " replicas are queried per round");
    }
    Bounded answer = new Bounded(time);
    ApiResult result = api.stream(path(prometheus.getMetadata(), replica), TIMEOUT, answer);
    if (!(result instanceof ApiResult.Done)) {
      return CheckResult.notExecuted(
          "query of replica " + replica + " failed: " + result.summary());
    }
    try {
      return PrometheusAnswer.check(JSON.readTree(answer.text()));
    } catch (JsonProcessingException notJson) {
      return CheckResult.notExecuted("query of replica " + replica + " did not return JSON");
    }
  }

  private static String path(ObjectMeta prometheus, int replica) {
    return "/api/v1/namespaces/"
        + prometheus.getNamespace()
        + "/pods/prometheus-"
        + prometheus.getName()
        + "-"
        + replica
        + ":9090/proxy/api/v1/query?query=healthcheck%3Aup";
  }

  /** Reads a response with limits on size and time. */
  private static final class Bounded implements ApiServer.Sink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TimeSource time;
    private final long start;

    Bounded(TimeSource time) {
      this.time = time;
      this.start = time.nanoTime();
    }

    @Override
    public void take(ByteBuffer piece) throws IOException {
      if (bytes.size() + piece.remaining() > MAX_BYTES) {
        throw new IOException("the response is larger than 1 MiB");
      }
      if (time.nanoTime() - start > TIMEOUT.toNanos()) {
        throw new IOException("the response took longer than 5 s");
      }
      byte[] next = new byte[piece.remaining()];
      piece.get(next);
      bytes.writeBytes(next);
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }
}
