package io.probelet.cli.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.order.FailedOrder;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.controller.clusterhealth.ShownClusterHealth;
import io.probelet.controller.remediation.RemediationMetrics;
import io.probelet.controller.remediators.RemediatorMetrics;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.controller.RemediationListener.NodeUnderRemediation;
import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.remediator.controller.RemediatorReport;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.runtime.cri.CriStats;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.metrics.AgentMetrics;
import io.probelet.web.tls.HttpsServer;
import io.probelet.web.tls.TestTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules and dashboards ask for nothing that a running agent or controller does not export. */
@Timeout(180)
class MonitoringQueriesTest {
  /** What Prometheus adds to each target by a PodMonitor, and to histograms. */
  private static final Set<String> OF_TARGETS = Set.of("job", "instance", "endpoint");

  /** The series Prometheus writes of alerts, by which one is silent while another fires. */
  private static final String ALERTS = "ALERTS";

  /** What Prometheus itself makes of each scrape. */
  private static final Set<String> OF_PROMETHEUS = Set.of("up", "scrape_samples_scraped");

  /** Whose values are the user's, or those of whatever happened. */
  private static final Set<String> OPEN_VALUES =
      Set.of(
          "probelet_probe_result",
          "probelet_monitor_source_available",
          "prober_probe_total",
          "nodehealthcheck_ongoing_remediation");

  private static final Pattern VARIABLE =
      Pattern.compile("\\$labels\\.(\\w+)|\\{\\{\\s*(?!else|end)(\\w+)\\s*}}");

  /** A query whose answer has these labels and no others. */
  private static final Pattern GROUPED = Pattern.compile("^\\w+ by \\(([^)]*)\\)");

  private static final ExportedSeries EXPORTED = new ExportedSeries();
  private static final Set<String> ALERT_NAMES = new TreeSet<>();

  @BeforeAll
  static void scrape(@TempDir Path home) throws Exception {
    EXPORTED
        .add(running(home))
        .add(withRuntime())
        .add(remediating())
        .add(remediators())
        .add(FailedOrder.scrape())
        .add(ShownClusterHealth.scrape());
    MonitoringFiles.alerts().forEach(alert -> ALERT_NAMES.add(alert.path("alert").asText()));
  }

  /** An agent that probes a pod over TLS, watches its node and leads. */
  private static String running(Path home) throws Exception {
    TestTls tls = TestTls.make();
    tls.writeTo(home);
    try (FakeApiServer api = new FakeApiServer();
        HttpsServer target =
            HttpsServer.open(
                tls.certificate(),
                (loop, keys) ->
                    HttpEndpoint.ofScrapes(
                        ListenAddress.parse("127.0.0.1:0"),
                        loop,
                        keys,
                        "/",
                        (_, _) -> Answer.of(200, "text/plain", "ok"),
                        SystemClock.INSTANCE))) {
      Path kubeconfig = Files.writeString(home.resolve("kubeconfig"), api.kubeconfig());
      api.put(
          ApiPods.pod(
              "web",
              "",
              "\"readinessProbe\": {\"periodSeconds\": 1, \"httpGet\": {\"scheme\": \"HTTPS\", \"port\": %d}}"
                  .formatted(target.port())));
      try (AgentUnderTest agent =
          AgentUnderTest.start(
              "agent",
              "--kubeconfig=" + kubeconfig,
              "--node-name=here",
              "--namespace=probelet-system",
              "--lead",
              "--runtime-endpoint=none",
              "--listen=127.0.0.1:0",
              "--webhook-listen=127.0.0.1:0",
              "--metrics-listen=127.0.0.1:0",
              "--metrics-certificates=" + home)) {
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(300))
            .until(() -> {
              String metrics = agent.get("/metrics");
              return metrics.contains("probelet_probe_certificate_expiry_timestamp_seconds{")
                  && metrics.contains("problem_gauge{")
                  && metrics.contains("prober_probe_duration_seconds_bucket{");
            });
        return agent.get("/metrics");
      }
    }
  }

  /** What there is of a container runtime, which this machine need not have. */
  private static String withRuntime() throws IOException {
    AgentMetrics metrics = new AgentMetrics(Optional.of("here"), SystemClock.INSTANCE);
    metrics.runtime(() ->
        Optional.of(
            new CriStats(
                true,
                "",
                "containerd 1",
                0,
                1,
                Duration.ZERO,
                new CriStats.Execs(16, 0, 0, 0, Duration.ZERO, 0))));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    metrics.get(Map.of()).body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What a leader shows while it remediates. */
  private static String remediating() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RemediationMetrics metrics = new RemediationMetrics(registry);
    NodeUnderRemediation reboot = new NodeUnderRemediation("n1", "remedies", "Reboot");
    Map<String, Integer> held = new TreeMap<>(Map.of("Storm", 1));
    policyHolds().forEach(hold -> held.put(hold, 1));
    metrics.stands("workers", Set.of(reboot), held);
    metrics.inMaintenance(Set.of("n1"));
    metrics.grewOld(reboot);
    metrics.finished(reboot, Duration.ofSeconds(100));
    return registry.scrape();
  }

  /** What a leader shows that carries remediations out. */
  private static String remediators() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RemediatorMetrics metrics = new RemediatorMetrics(registry);
    metrics.stands(
        new RemediatorReport(
            List.of(new RemediatorReport.KindState(RemediationKind.DRAIN, "")),
            policyHolds()
                .map(hold ->
                    new RemediatorReport.Standing(
                        RemediationKind.DRAIN,
                        "remedies",
                        "n1",
                        "n1",
                        RemediationPhase.HELD,
                        null,
                        hold,
                        hold + ": as a policy says"))
                .toList()));
    metrics.finished(RemediationKind.DRAIN, false, Duration.ofSeconds(100));
    metrics.acted(RemediationKind.DRAIN, "Evict", false);
    return registry.scrape();
  }

  /** The words that metrics have for what policies hold: HoldReasonTest. */
  private static Stream<String> policyHolds() {
    return Arrays.stream(PolicyHold.class.getPermittedSubclasses())
        .map(hold -> "Policy" + hold.getSimpleName());
  }

  private static void assertExported(String where, String query) {
    PromQuery parsed = PromQuery.of(query);
    assertThat(parsed.selectors()).as("%s: %s", where, query).isNotEmpty();
    Set<String> all = new TreeSet<>(OF_TARGETS);
    for (PromQuery.Selector selector : parsed.selectors()) {
      String metric = selector.metric();
      if (metric.equals(ALERTS)) {
        assertNamesAlerts(where, selector);
        continue;
      }
      if (!metric.startsWith("probelet_")) { // others export it, too, such as a kubelet
        assertThat(selector.matchers())
            .as("%s: %s: %s selects no job of Probelet", where, query, metric)
            .anyMatch(each -> each.label().equals("job") && each.value().contains("/probelet-"));
      }
      if (OF_PROMETHEUS.contains(metric)) {
        continue;
      }
      assertThat(EXPORTED.names()).as("%s: %s", where, query).contains(metric);
      all.addAll(EXPORTED.labels(metric));
      for (PromQuery.LabelMatcher matcher : selector.matchers()) {
        if (OF_TARGETS.contains(matcher.label())) {
          continue;
        }
        assertThat(EXPORTED.labels(metric)).as("%s: %s", where, query).contains(matcher.label());
        if (!OPEN_VALUES.contains(metric)) {
          assertThat(EXPORTED.values(metric, matcher.label()))
              .as("%s: %s", where, query)
              .containsAll(matcher.named());
        }
      }
    }
    assertThat(all).as("%s groups: %s", where, query).containsAll(parsed.grouping());
  }

  /** A misspelled name would keep the other alert from ever being silent. */
  private static void assertNamesAlerts(String where, PromQuery.Selector selector) {
    Set<String> named = new TreeSet<>();
    for (PromQuery.LabelMatcher matcher : selector.matchers()) {
      if (matcher.label().equals("alertname")) {
        named.addAll(matcher.named());
      }
    }
    assertThat(named).as("%s: alerts", where).isNotEmpty().isSubsetOf(ALERT_NAMES);
    assertThat(selector.matchers())
        .as("%s: a pending alert is silent itself", where)
        .anyMatch(each -> each.label().equals("alertstate") && each.value().equals("firing"));
  }

  /** The labels that a query's answer may have. */
  private static Set<String> labels(String query) {
    Set<String> all = new TreeSet<>(OF_TARGETS);
    PromQuery.of(query)
        .selectors()
        .forEach(selector -> all.addAll(EXPORTED.labels(selector.metric())));
    return all;
  }

  @Test
  @DisplayName("every alert")
  void alerts() throws IOException {
    for (JsonNode alert : MonitoringFiles.alerts()) {
      String name = alert.path("alert").asText();
      String query = alert.path("expr").asText();
      assertExported(name, query);
      Matcher grouped = GROUPED.matcher(query);
      Set<String> known =
          grouped.find() ? Set.of(grouped.group(1).split(",\\s*", -1)) : labels(query);
      for (JsonNode text : alert.path("annotations")) {
        assertThat(variables(text.asText())).as(name).isSubsetOf(known);
      }
    }
  }

  @Test
  @DisplayName("every panel and variable of every dashboard")
  void dashboards() throws IOException {
    for (Map.Entry<String, JsonNode> dashboard : MonitoringFiles.dashboards().entrySet()) {
      for (JsonNode target : dashboard.getValue().findParents("expr")) {
        String query = target.path("expr").asText();
        assertExported(dashboard.getKey(), query);
        assertThat(variables(target.path("legendFormat").asText()))
            .as("%s: %s", dashboard.getKey(), query)
            .isSubsetOf(labels(query));
      }
      for (JsonNode variable : dashboard.getValue().at("/templating/list")) {
        String query = variable.path("query").asText();
        if (query.startsWith("label_values(")) {
          String[] parts = query.substring(13, query.length() - 1).split(",\\s*(?=\\w+$)", -1);
          assertExported(dashboard.getKey(), parts[0]);
          assertThat(labels(parts[0])).as(query).contains(parts[1]);
        }
      }
    }
  }

  @Test
  @DisplayName("docs/reference/metrics.md lists every exported metric")
  void documented() throws IOException {
    String doc = Files.readString(Path.of("..", "docs", "reference", "metrics.md"));
    Set<String> undocumented = new TreeSet<>();
    for (String name : EXPORTED.names()) {
      String base = name.replaceFirst("_(bucket|sum|count)$", "");
      if (!doc.contains("`" + base + "`")
          && !doc.contains("`" + name + "`")
          && !doc.contains("`" + base + "{")) {
        undocumented.add(name);
      }
    }
    assertThat(undocumented).isEmpty();
  }

  private static List<String> variables(String text) {
    List<String> all = new ArrayList<>();
    VARIABLE
        .matcher(text)
        .results()
        .forEach(found -> all.add(found.group(1) == null ? found.group(2) : found.group(1)));
    return all;
  }
}
