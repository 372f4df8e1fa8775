package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.cli.agent.FreePort;
import io.probelet.web.tls.TestTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The listener for scraping, with the rights of deploy/monitoring/access.yaml and no others. */
@Tag("real-api")
@Timeout(300)
class ScrapeRealApiTest {
  private static final String SYSTEM = "probelet-system";

  @TempDir static Path directory;
  private static RealApi api;

  @BeforeAll
  static void open() throws Exception {
    api = RealApi.open(directory);
    api.applyRights("deploy/daemonset.yaml");
    api.applyRights("deploy/controller.yaml");
    api.applyRights("deploy/monitoring/access.yaml");
  }

  @AfterAll
  static void close() {
    if (api != null) {
      api.close();
    }
  }

  private static String token(String account) {
    return api.client()
        .serviceAccounts()
        .inNamespace(SYSTEM)
        .withName(account)
        .tokenRequest(request())
        .getStatus()
        .getToken();
  }

  private static TokenRequest request() {
    return new TokenRequestBuilder().withNewSpec().endSpec().build();
  }

  @Test
  @DisplayName(
      "the reader and Prometheus get the metrics; the agent itself and a forged token do not")
  void scraped() throws Exception {
    TestTls tls = TestTls.make();
    tls.writeTo(Files.createDirectory(directory.resolve("tls")));
    int port = FreePort.choose();
    Path kubeconfig = api.kubeconfigOf(SYSTEM, "probelet-agent", request());
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls.trusting()).build();
        AgentUnderTest agent =
            AgentUnderTest.start(
                "agent",
                "--kubeconfig=" + kubeconfig,
                "--node-name=here",
                "--runtime-endpoint=none",
                "--monitor=none",
                "--listen=127.0.0.1:0",
                "--metrics-listen=127.0.0.1:" + port,
                "--metrics-certificates=" + directory.resolve("tls"))) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> agent.get("/readyz?verbose").contains("metrics served on 127.0.0.1:"));
      URI uri = URI.create("https://localhost:" + port + "/metrics");
      HttpResponse<String> answer = get(client, uri, token("probelet-metrics-reader"));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).contains("probelet_build_info{", "probelet_api_server_up{");
      HttpResponse<String> own = get(client, uri, token("probelet-agent"));
      assertThat(own.statusCode()).isEqualTo(403);
      assertThat(own.body())
          .isEqualTo(
              "system:serviceaccount:probelet-system:probelet-agent is not allowed to get /metrics\n");
      assertThat(get(client, uri, "made.up.token").statusCode()).isEqualTo(401);
      assertThat(agent.get("/metrics"))
          .contains("probelet_scrapes_total{node=\"here\",result=\"answered\"} 1.0");
      assertPrometheusScrapes(port, tls);
    }
  }

  /** As the PodMonitors have it scrape, where there is one. */
  private static void assertPrometheusScrapes(int port, TestTls tls) throws Exception {
    if (Stream.of(System.getenv("PATH").split(":", -1))
        .noneMatch(bin -> Files.isExecutable(Path.of(bin, "prometheus")))) {
      return;
    }
    Path home = Files.createDirectory(directory.resolve("prometheus"));
    tls.writeAuthorityTo(home.resolve("ca.crt"));
    Files.writeString(home.resolve("token"), token("probelet-metrics-reader"));
    Files.writeString(
        home.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: [rules.json]
        scrape_configs:
        - job_name: probelet-system/probelet-agent
          scheme: https
          honor_labels: true
          tls_config: {ca_file: ca.crt, server_name: localhost}
          authorization: {credentials_file: token}
          static_configs: [{targets: ["127.0.0.1:%d"]}]
        """
            .formatted(port));
    Object rule =
        new Yaml()
            .<Map<String, Object>>load(
                Files.readString(Path.of("..", "deploy", "monitoring", "prometheusrule.yaml")))
            .get("spec");
    Files.writeString(home.resolve("rules.json"), new ObjectMapper().writeValueAsString(rule));
    int web = FreePort.choose();
    Process prometheus =
        new ProcessBuilder(
                "prometheus",
                "--config.file=prometheus.yml",
                "--storage.tsdb.path=data",
                "--web.listen-address=127.0.0.1:" + web)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("log").toFile())
            .start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI api = URI.create("http://127.0.0.1:" + web + "/api/v1/");
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(() ->
              assertThat(body(client, api.resolve("query?query=probelet_api_server_up")))
                  .contains("\"node\":\"here\"", "\"1\"]"));
      assertThat(body(client, api.resolve("query?query=up"))).contains("\"1\"]");
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(body(client, api.resolve("rules")))
                  .contains("\"health\":\"ok\"")
                  .doesNotContain("\"health\":\"err\"", "\"health\":\"unknown\""));
    } finally {
      prometheus.destroy();
      prometheus.waitFor();
    }
  }

  private static String body(HttpClient client, URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private static HttpResponse<String> get(HttpClient client, URI uri, String token)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token).build(),
        BodyHandlers.ofString());
  }
}
