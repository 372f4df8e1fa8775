package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.checks.result.CheckResult;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Prometheuses say of what they watch. */
@Timeout(120)
@EnableKubernetesMockClient(https = false)
class PrometheusHealthTest {
  private static final String WELL =
      "{'status':'success','data':{'resultType':'vector','result':[{'metric':{'__name__':"
          + "'healthcheck:up'},'value':[1,'1']}]}}";

  private KubernetesMockServer server;
  private KubernetesClient client;

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  private PrometheusHealth health(ManagedResourceRule rule) {
    return new PrometheusHealth(
        ApiServer.of(client, Duration.ofSeconds(30)),
        rule,
        new ManualClock(Instant.parse("2026-11-22T12:00:00Z")));
  }

  private static GenericKubernetesResource prometheus(@Nullable Integer replicas, String label) {
    GenericKubernetesResource prometheus = new GenericKubernetesResource();
    prometheus.setApiVersion("monitoring.coreos.com/v1");
    prometheus.setKind("Prometheus");
    prometheus.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("garden")
            .withName("seed")
            .withLabels(Map.of("health-check-by", label))
            .build());
    prometheus.setAdditionalProperty(
        "spec", replicas == null ? Map.of() : Map.of("replicas", replicas));
    return prometheus;
  }

  private void answers(int replica, int code, String body) {
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/garden/pods/prometheus-seed-"
                + replica
                + ":9090/proxy/api/v1/query?query=healthcheck%3Aup")
        .andReturn(code, body.replace('\'', '"'))
        .always();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'__name__':'healthcheck:up'} 1 | GOOD",
        "{'__name__':'healthcheck:up','task':'foo'} 0;{'__name__':'healthcheck:up','task':'bar'} 0"
            + "| BAD healthcheck:up{task=\"bar\"} => 0, healthcheck:up{task=\"foo\"} => 0",
        "| BAD health check recording rules are not deployed or running yet",
        "{'__name__':'healthcheck:up'} 2"
            + "| UNKNOWN query returned inconsistent sample values: healthcheck:up => 2",
        "{'__name__':'healthcheck:up'} 1;{'__name__':'healthcheck:up','task':'foo'} 0"
            + "| UNKNOWN query returned inconsistent sample values: healthcheck:up => 1,"
            + " healthcheck:up{task=\"foo\"} => 0",
      })
  @DisplayName("CH-56 samples of healthcheck:up")
  void samples(@Nullable String samples, String expected) throws JsonProcessingException {
    StringBuilder result = new StringBuilder();
    for (String sample : samples == null ? new String[0] : samples.split(";", -1)) {
      int space = sample.lastIndexOf(' ');
      result
          .append(result.isEmpty() ? "" : ",")
          .append("{'metric':")
          .append(sample, 0, space)
          .append(",'value':[1,'")
          .append(sample.substring(space + 1))
          .append("']}");
    }
    assertThat(
            said("{'status':'success','data':{'resultType':'vector','result':[" + result + "]}}"))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'status':'error','error':'invalid query'} | UNKNOWN query failed: invalid query",
        "{'status':'success','warnings':['a','b']} | UNKNOWN query returned warnings: a, b",
        "{'status':'success','data':{'resultType':'matrix'}}"
            + "| UNKNOWN query returned an unexpected result type: matrix",
        "[] | UNKNOWN query failed: ",
      })
  @DisplayName("CH-56 an answer that is not as expected is unknown, not healthy")
  void unexpected(String answer, String expected) throws JsonProcessingException {
    assertThat(said(answer).strip()).isEqualTo(expected);
  }

  @Test
  @DisplayName("CH-56 a long list of samples is cut")
  void cut() throws JsonProcessingException {
    String entry = "{'metric':{'task':'" + "x".repeat(400) + "'},'value':[1,'0']}";
    assertThat(
            said(
                "{'status':'success','data':{'resultType':'vector','result':["
                    + entry
                    + ","
                    + entry
                    + "]}}"))
        .hasSize("BAD ".length() + 500)
        .endsWith("...");
  }

  @Test
  @DisplayName("CH-56 every replica is asked; the first that is not well counts")
  void replicas() throws InterruptedException {
    answers(0, 200, WELL);
    answers(1, 503, "no endpoints");
    PrometheusHealth health = health(ManagedResourceRule.SEED);

    assertThat(health.check(prometheus(null, "gardenlet"))).isEqualTo(CheckResult.healthy());
    assertThat(health.check(prometheus(0, "gardenlet"))).isEqualTo(CheckResult.healthy());
    assertThat(health.check(prometheus(2, "gardenlet")))
        .isInstanceOfSatisfying(
            CheckResult.NotExecuted.class,
            found -> assertThat(found.detail()).startsWith("query of replica 1 failed: 503"));
  }

  @Test
  @DisplayName("CH-56 answers and replicas have limits")
  void limits() throws InterruptedException {
    answers(0, 200, "x".repeat((1 << 20) + 1));
    assertThat(health(ManagedResourceRule.SEED).check(prometheus(1, "gardenlet")).toString())
        .contains("query of replica 0 failed", "larger than 1 MiB");
    server.clearExpectations();
    for (int i = 0; i < 30; i++) {
      answers(i, 200, WELL);
    }
    assertThat(health(ManagedResourceRule.SEED).check(prometheus(30, "gardenlet")))
        .isEqualTo(CheckResult.notExecuted("at most 20 replicas are queried per round"));
  }

  @ParameterizedTest
  @CsvSource({
    "SHOOT, anyone, true",
    "SEED, gardenlet, true",
    "SEED, gardener-operator, false",
    "GARDEN, gardener-operator, true",
    "GARDEN, gardenlet, false",
  })
  @DisplayName("CH-56 a label says who cares for a Prometheus")
  void selects(ManagedResourceRule rule, String label, boolean selected) {
    assertThat(health(rule).selects(prometheus(1, label))).isEqualTo(selected);
  }

  private static String said(String answer) throws JsonProcessingException {
    return switch (PrometheusAnswer.check(new ObjectMapper().readTree(answer.replace('\'', '"')))) {
      case CheckResult.Healthy() -> "GOOD";
      case CheckResult.Unhealthy bad -> "BAD " + bad.detail();
      case CheckResult.NotExecuted(String detail) -> "UNKNOWN " + detail;
      default -> throw new AssertionError(answer);
    };
  }
}
