package io.probelet.cli.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.cli.Probelet;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.fleet.advise.AdviceRule;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.web.api.ViewJson;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.statistics.ProbeStatisticsView;
import io.probelet.web.statistics.ProbeStatisticsView.RunView;
import io.probelet.web.statistics.ProbeStatisticsView.Seen;
import io.probelet.web.statistics.ProbeStatisticsView.SketchView;
import io.probelet.web.statistics.StatisticsResource;
import io.probelet.web.statistics.StatisticsView;
import io.probelet.web.statistics.StatisticsView.ContainerStatistics;
import io.probelet.web.statistics.StatisticsView.Owner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code probelet advise} against a real endpoint. */
@Timeout(60)
class AdviseCommandTest {
  private static final String MANIFEST =
      """
      apiVersion: v1
      kind: Service
      metadata:
        name: web
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
      spec:
        template:
          spec:
            containers:
              - name: other
                livenessProbe:
                  timeoutSeconds: 1
              - name: app
                livenessProbe:
                  httpGet:
                    path: /healthz
                    port: 8080
                  timeoutSeconds: 1
      """;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final IoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private HttpEndpoint endpoint;

  @AfterEach
  void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void serve(ContainerStatistics... containers) throws IOException {
    String json = ViewJson.write(new StatisticsView(List.of(containers), 0, 1_024, 3 << 20, 0));
    endpoint =
        new HttpEndpoint(
            new ListenAddress("127.0.0.1", 0),
            loops,
            new LinkedHashMap<>(
                Map.of(StatisticsResource.PATH, _ -> Answer.of(200, "application/json", json))),
            Set::of);
  }

  private int run(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "advise";
    all[1] = "--address";
    all[2] = endpoint == null ? "127.0.0.1:1" : endpoint.address().toString();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    CommandLine line = Probelet.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(all);
  }

  private static ContainerStatistics container(
      String pod, String name, Owner owner, String declaredBy, double slowest) {
    RunView before =
        new RunView("success", false, "2026-11-21T12:00:00Z", "2026-11-24T12:00:00Z", 40_000);
    RunView late = new RunView("timeout", false, "2026-11-24T12:00:10Z", "2026-11-24T12:00:30Z", 3);
    RunView after = new RunView("success", true, "2026-11-24T12:00:40Z", "2026-11-24T12:00:50Z", 2);
    return new ContainerStatistics(
        "shop",
        pod,
        "uid",
        name,
        "regular",
        owner,
        1,
        null,
        List.of(
            new ProbeStatisticsView(
                "liveness",
                "httpGet",
                "GET http://<pod>:8080/healthz",
                declaredBy,
                0,
                10_000,
                null,
                1_000,
                1,
                3,
                new Seen(
                    "2026-11-21T12:00:00Z",
                    60,
                    LatencySketch.RELATIVE_ERROR,
                    new SketchView(40_012, List.of(20.0, slowest), List.of(40_000.0, 12.0)),
                    new SketchView(3, List.of(1_000.0), List.of(3.0)),
                    List.of(before, late, after),
                    List.of()))));
  }

  private static ContainerStatistics tight() {
    return container("web-a", "app", new Owner("ReplicaSet", "web-7d4b9c8f6d"), "spec", 900);
  }

  private static ContainerStatistics fine() {
    return container("db-0", "pg", new Owner("StatefulSet", "db"), "spec", 40);
  }

  @Test
  void showsTodaysValueTheProposalItsReasonAndItsEffect() throws IOException {
    serve(tight(), fine());
    assertThat(run()).isEqualTo(1);
    assertThat(out.toString().lines())
        .containsExactly(
            "Deployment shop/web, container app: 1 pod on 1 node, 1 restart",
            "  livenessProbe: 40,015 outcomes in 72h0m50s, 3 failures, median 22ms, 99% within"
                + " 22ms, longest 934ms",
            "  livenessProbe.timeoutSeconds: 1s → 2s (measured-timeout-too-short)",
            "    why:    at most 1 of 10,000 answers takes longer than 934ms (95 % confidence,"
                + " 40,015 outcomes), which leaves less than the margin of 1.5 times",
            "    effect: 1 of 1 restarts would not have happened if the answers came within 2s; a"
                + " hang is found after at most 32s instead of 31s",
            "",
            "StatefulSet shop/db, container pg: 1 pod on 1 node, 1 restart",
            "  livenessProbe: 40,015 outcomes in 72h0m50s, 3 failures, median 22ms, 99% within"
                + " 22ms, longest 43ms",
            "  no proposal",
            "",
            "1 proposal for 2 containers");
    assertThat(page()).contains(out.toString());
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "how-to", "advise.md"));
  }

  @Test
  void nothingIsProposedForWhatFits() throws IOException {
    serve(tight(), fine());
    assertThat(run("db-0")).isZero();
    assertThat(run("-n", "elsewhere")).isZero();
    assertThat(run("db-1")).isEqualTo(2);
    assertThat(err.toString()).contains("no probes of db-1 are known");
  }

  @Test
  void writesJson() throws IOException {
    serve(tight());
    assertThat(run("-o", "json")).isEqualTo(1);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.at("/containers/0/subject/kind").asText()).isEqualTo("Deployment");
    assertThat(report.at("/containers/0/probes/0/outcomes").asInt()).isEqualTo(40_015);
    assertThat(report.at("/containers/0/proposals/0/field").asText()).isEqualTo("timeoutSeconds");
    assertThat(report.at("/containers/0/proposals/0/value").asInt()).isEqualTo(2);
  }

  @Test
  void writesPatches() throws IOException {
    serve(tight(), fine());
    assertThat(run("-o", "patch")).isEqualTo(1);
    assertThat(out.toString())
        .isEqualTo(
            """
            ---
            # Deployment shop/web, container app
            # kubectl patch deployment web -n shop --patch-file FILE
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: "web"
              namespace: "shop"
            spec:
              template:
                spec:
                  containers:
                    - name: "app"
                      livenessProbe:
                        timeoutSeconds: 2 # was 1s
            """);
    assertThat(page()).contains(out.toString());
    assertThat(Document.yaml(Source.of(out.toString())))
        .singleElement()
        .satisfies(document -> assertThat(document.problems()).isEmpty());
  }

  @Test
  @DisplayName("No patch for what none can change, or for names that are none")
  void writesNoPatch() throws IOException {
    serve(
        container("alone", "app", null, "spec", 900),
        container("noted", "app", new Owner("DaemonSet", "noted"), "annotation", 900),
        container("x", "app", new Owner("DaemonSet", "x\"\nkind: Secret"), "spec", 900));
    assertThat(run("-o", "patch")).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "# By hand: livenessProbe.timeoutSeconds: 2s instead of 1s",
            "# No patch: probes of this kind cannot be changed in place",
            "# No patch: an annotation or the administrator declares the probes",
            "# Left out: an agent answered a name that is none.")
        .doesNotContain("Secret", "apiVersion");
  }

  @Test
  @DisplayName("The page lists all rules")
  void thePageListsTheRules() throws IOException {
    assertThat(page())
        .contains(
            Arrays.stream(AdviceRule.values()).map(each -> "| `" + each.id() + "` |").toList());
  }

  @Test
  void marksTheLinesOfAManifest() throws IOException {
    serve(tight(), fine());
    Path file = Files.writeString(folder.resolve("web.yaml"), MANIFEST);
    assertThat(run("--against", file.toString())).isEqualTo(1);
    assertThat(out.toString().lines().toList())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        file
                            + ":22:29: advice: document 2:"
                            + " spec.template.spec.containers[1].livenessProbe.timeoutSeconds: 2s"
                            + " instead of 1s: at most 1 of 10,000 answers")
                    .endsWith("(measured-timeout-too-short)"),
            line ->
                assertThat(line)
                    .isEqualTo("1 of 2 containers with statistics are in the manifests"));
  }

  @Test
  @DisplayName("Of a manifest's container with too little data that is said")
  void saysHowMuchDataIsMissing() throws IOException {
    ContainerStatistics some = tight();
    ProbeStatisticsView known = some.probes().getFirst();
    serve(
        new ContainerStatistics(
            "shop",
            "web-a",
            "uid",
            "app",
            "regular",
            some.owner(),
            0,
            null,
            List.of(
                new ProbeStatisticsView(
                    "liveness",
                    "httpGet",
                    known.does(),
                    "spec",
                    0,
                    10_000,
                    null,
                    1_000,
                    1,
                    3,
                    null))));
    Path file = Files.writeString(folder.resolve("web.yaml"), MANIFEST);
    assertThat(run("--against", file.toString())).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "Deployment shop/web, container app: livenessProbe: too little data, 0 outcomes in 0s;"
                + " at least 3,000 in 6h0m0s are needed",
            "1 of 1 containers with statistics are in the manifests");
  }

  @Test
  void writesSarif() throws IOException {
    serve(tight());
    Path file = Files.writeString(folder.resolve("web.yaml"), MANIFEST);
    assertThat(run("--against", file.toString(), "-o", "sarif")).isEqualTo(1);
    JsonNode run = new ObjectMapper().readTree(out.toString()).at("/runs/0");
    JsonNode result = run.at("/results/0");
    assertThat(run.path("results")).hasSize(1);
    assertThat(result.path("ruleId").asText()).isEqualTo("measured-timeout-too-short");
    assertThat(run.at("/tool/driver/rules/" + result.path("ruleIndex").asInt() + "/id").asText())
        .isEqualTo("measured-timeout-too-short");
    assertThat(result.at("/locations/0/physicalLocation/region/startLine").asInt()).isEqualTo(22);
  }

  @Test
  void marksNothingOfAnotherNamespaceOrBeforeItIsSure() throws IOException {
    serve(tight());
    Path file =
        Files.writeString(
            folder.resolve("web.yaml"),
            MANIFEST.replace(
                "kind: Deployment\nmetadata:", "kind: Deployment\nmetadata:\n  namespace: b"));
    assertThat(run("--against", file.toString())).isZero();
    Path broken = Files.writeString(folder.resolve("broken.yaml"), "kind: [");
    assertThat(run("--against", broken.toString())).isEqualTo(2);
    assertThat(run("--against", folder.resolve("none.yaml").toString())).isEqualTo(2);
    assertThat(out.toString()).contains("no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "-o sarif; name them with --against",
        "-o yaml; use text, json, sarif or patch",
        "-o patch --against x.yaml; --against has no effect with -o patch",
        "--max-hang 0s; is not from 1s to 1h",
        "--kubeconfig x; has no effect without --cluster",
        "--cluster; --cluster asks all agents",
        "--prometheus http://localhost:1; name manifests with --against",
        "--prometheus http://localhost:1 --against x.yaml; --address has no effect",
        "--match a=1; --match has no effect without --prometheus",
        "a/b/c/d; is not a pod",
      })
  void refusesWrongUsage(String arguments, String why) throws IOException {
    serve();
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(why);
  }

  @Test
  void saysThatNoAgentAnswers() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("no agent at 127.0.0.1:1");
  }

  private static void answer(HttpExchange exchange) throws IOException {
    Map<String, String> query = new HashMap<>();
    for (String each : exchange.getRequestURI().getRawQuery().split("&", -1)) {
      query.put(each.split("=", 2)[0], URLDecoder.decode(each.split("=", 2)[1], UTF_8));
    }
    String labels = "\"container\":\"app\",\"probe_type\":\"Liveness\"";
    String value = query.get("query").contains("prober_probe_total") ? "0" : "40000";
    byte[] body =
        """
        {"status":"success","data":{"result":[{"metric":{%s,"le":"1"},"values":[[%s,"%s"]]}]}}
        """
            .formatted(labels, query.get("end"), value)
            .getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  @DisplayName("Without agents: settings of manifests, measurements of kubelets from Prometheus")
  void asksPrometheus() throws IOException {
    HttpServer prometheus =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    prometheus.createContext("/api/v1/query_range", AdviseCommandTest::answer);
    prometheus.start();
    try {
      Path file =
          Files.writeString(
              folder.resolve("web.yaml"),
              """
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: web, namespace: shop}
              spec:
                selector: {matchLabels: {app: web}}
                template:
                  metadata: {labels: {app: web}}
                  spec:
                    containers:
                      - name: app
                        image: web:1
                        livenessProbe: {tcpSocket: {port: 80}}
              """);
      CommandLine line = Probelet.commandLine();
      line.setOut(new PrintWriter(out, true));
      line.setErr(new PrintWriter(err, true));
      String url = "http://localhost:" + prometheus.getAddress().getPort();
      assertThat(
              line.execute(
                  "advise", "--prometheus", url, "--against", file.toString(), "-o", "patch"))
          .as(err.toString())
          .isEqualTo(1);
      assertThat(out.toString()).contains("timeoutSeconds: 2 # was 1s");
    } finally {
      prometheus.stop(0);
    }
  }
}
