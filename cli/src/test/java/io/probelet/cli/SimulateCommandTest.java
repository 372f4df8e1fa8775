package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.NodeList;
import picocli.CommandLine;

/** `probelet simulate`: what it prints, draws and refuses; timelines are in SimulateDocTest. */
class SimulateCommandTest {
  private static final Path EXAMPLES = Path.of("../examples/simulate");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  @DisplayName("JSON has the rows of the table, in seconds")
  void json() throws IOException {
    assertThat(simulate("rack-loss", "-o", "json", "--until", "30m")).isZero();
    JsonNode timeline = new ObjectMapper().readTree(out.toString());
    assertThat(timeline.path("rows").path(0).toString())
        .startsWith("{\"at\":300.0,\"by\":\"cluster\",\"nodes\":[\"worker-1\",")
        .endsWith("\"what\":\"Ready=Unknown\"}");
    assertThat(timeline.path("length").asDouble()).isEqualTo(1800);
    assertThat(timeline.path("spans")).hasSize(60);
  }

  @Test
  @DisplayName("the drawing is well-formed and has one lane for nodes with the same course")
  void svg() throws Exception {
    assertThat(titles("rack-loss", "--until", "30m"))
        .containsExactly(
            "unhealthy, 10m1s to 13m1s",
            "SelfNodeRemediation, 10m1s to 13m1s",
            "unhealthy, 10m1s to 30m0s",
            "SelfNodeRemediation, 10m1s to 30m0s");
    assertThat(Files.readString(folder.resolve("timeline.svg")))
        .contains(">worker-7<", ">10m0s<", ">SelfNodeRemediation<", "prefers-color-scheme: dark")
        .doesNotContain("style=");
  }

  @Test
  @DisplayName("the drawing shows holds of all nodes and of each node, with the reason")
  void drawnHolds() throws Exception {
    assertThat(titles("storm"))
        .contains(
            "waiting: 4 of 6 required nodes are healthy, 6m1s to 12m0s",
            "waiting: storm recovery: cooldown until 22m0s, 12m0s to 22m0s");
    assertThat(Files.readString(folder.resolve("timeline.svg"))).contains(">all nodes<");
  }

  @Test
  @DisplayName("the drawing shows the steps of an escalation and their timeouts")
  void drawnSteps() throws Exception {
    assertThat(titles("escalation"))
        .contains(
            "SelfNodeRemediation timed out at 12m1s",
            "SelfNodeRemediation, given up but not deleted yet, 12m1s to 17m1s",
            "FenceAgentsRemediation failed at 13m1s",
            "MachineDeletionRemediation, 13m1s to 17m31s");
  }

  @Test
  @DisplayName("RB-7, ACT-81 plays expressions that decide and that hold back")
  void expression() throws IOException {
    assertThat(simulate("expression", "-o", "json", "--until", "40m")).isZero();
    JsonNode rows = new ObjectMapper().readTree(out.toString()).path("rows");
    assertThat(rows.findValuesAsText("what"))
        .filteredOn(what -> what.startsWith("unhealthy") || what.startsWith("created"))
        .containsExactly(
            "unhealthy: unhealthy-when=True since 3m0s",
            "created SelfNodeRemediation",
            "unhealthy: unhealthy-when=True since 8m0s",
            "created SelfNodeRemediation",
            "unhealthy: unhealthy-when=True since 16m1s",
            "created SelfNodeRemediation");
    assertThat(rows)
        .filteredOn(row -> row.path("what").asText().startsWith("created"))
        .extracting(row -> row.path("nodes").path(0).asText())
        .containsExactly("gpu-2", "gpu-4", "gpu-1");
  }

  @Test
  @DisplayName(
      "MW-12 plays the example of a maintenance: what is still wrong afterwards counts anew")
  void maintenance() throws IOException {
    Path example = Path.of("../examples/maintenance");
    int exit =
        run(
            "--nhc",
            example.resolve("nhc.yaml").toString(),
            "--policy",
            example.resolve("maintenance.yaml").toString(),
            "--scenario",
            example.resolve("scenario.yaml").toString(),
            "-o",
            "json");
    assertThat(exit).as("%s", err).isZero();
    JsonNode rows = new ObjectMapper().readTree(out.toString()).path("rows");
    assertThat(rows)
        .filteredOn(row -> row.path("by").asText().equals("probelet"))
        .extracting(row ->
            "%.0f %s %s"
                .formatted(
                    row.path("at").asDouble(),
                    row.path("nodes").path(0).asText(),
                    row.path("what").asText()))
        .contains(
            "1501 worker-1 waiting: in maintenance until 1h10m0s: Maintenance rack-7-kernel",
            "2101 worker-2 waiting: in maintenance until 1h10m0s: Maintenance rack-7-kernel",
            "2161 other-1 created RebootRemediation",
            "4501 worker-2 created RebootRemediation")
        .noneMatch(row -> row.contains("worker-1 created"));
  }

  private List<String> titles(String example, String... options) throws Exception {
    Path file = folder.resolve("timeline.svg");
    String[] all = Arrays.copyOf(options, options.length + 2);
    all[options.length] = "--svg";
    all[options.length + 1] = file.toString();
    assertThat(simulate(example, all)).isZero();
    NodeList titles =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("title");
    return IntStream.range(0, titles.getLength())
        .mapToObj(i -> titles.item(i).getTextContent())
        .toList();
  }

  @Test
  @DisplayName("compares a tape with candidates, in JSON in seconds")
  void tape() throws IOException {
    Path tapes = Path.of("../examples/tape");
    assertThat(
            run(
                "--tape",
                tapes.resolve("week.jsonl").toString(),
                "--nhc",
                tapes.resolve("after-5m.yaml").toString(),
                "-o",
                "json"))
        .isZero();
    JsonNode comparison = new ObjectMapper().readTree(out.toString());
    assertThat(comparison.at("/tape/unseen").asDouble()).isEqualTo(1800);
    assertThat(comparison.findValuesAsText("name"))
        .containsExactly("recorded", "in force", "after-5m.yaml");
    assertThat(comparison.at("/columns/2/outcomes").toString())
        .isEqualTo("{\"byItself\":4,\"withHelp\":3,\"later\":0,\"deleted\":0,\"notOver\":0}");
    assertThat(comparison.at("/columns/0/list/0/over").asText()).isEqualTo("2026-10-02T02:13:59Z");
  }

  @Test
  @DisplayName("TP-1 an unreadable tape is an error, a truncated one a warning")
  void badTape() throws IOException {
    Path tape = write("tape.jsonl", "{\"tape\":1,\"start\":\"2026-10-01T00:00:00Z\"}");
    assertThat(run("--tape", tape.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "warning: has no line that ends it",
            "has neither NodeHealthChecks nor remediations; compare some with --nhc");
    String nhc = EXAMPLES.resolve("storm-nhc.yaml").toString();
    assertThat(run("--tape", tape.toString(), "--nhc", nhc)).as(err.toString()).isZero();
    Path broken = write("broken.jsonl", "{}");
    assertThat(run("--tape", broken.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(broken + ":1:1: error: tape: Required value");
  }

  @Test
  @DisplayName(
      "requires either a scenario or a tape; only a tape compares several NodeHealthChecks")
  void wrongUsage() {
    String nhc = EXAMPLES.resolve("storm-nhc.yaml").toString();
    String scenario = EXAMPLES.resolve("storm-scenario.yaml").toString();
    assertThat(run("--nhc", nhc)).isEqualTo(2);
    assertThat(run("--nhc", nhc, "--scenario", scenario, "--tape", "x")).isEqualTo(2);
    assertThat(run("--nhc", nhc, "--nhc", nhc, "--scenario", scenario)).isEqualTo(2);
    assertThat(run("--tape", "x", "--svg", "y")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "Give one of --scenario and --tape.",
            "With --scenario give --nhc once",
            "--svg has no effect with --tape.");
  }

  @Test
  @DisplayName("a drawing that cannot be written is an error")
  void unwritable() {
    Path nowhere = folder.resolve("none/timeline.svg");
    assertThat(simulate("storm", "--svg", nowhere.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(nowhere + ": cannot be written: its folder does not exist");
  }

  @Test
  @DisplayName("assumes that every template exists if none is given")
  void noTemplates() {
    assertThat(
            run(
                "--nhc",
                EXAMPLES.resolve("storm-nhc.yaml").toString(),
                "--scenario",
                EXAMPLES.resolve("storm-scenario.yaml").toString()))
        .isZero();
    assertThat(out.toString()).contains("created SelfNodeRemediation");
  }

  @Test
  @DisplayName("R-3 a template that is not among the given ones is missing")
  void missingTemplate() throws IOException {
    Path other = write("templates.yaml", "{apiVersion: v1, kind: T, metadata: {name: t}}");
    assertThat(
            run(
                "--nhc",
                EXAMPLES.resolve("storm-nhc.yaml").toString(),
                "--templates",
                other.toString(),
                "--scenario",
                EXAMPLES.resolve("storm-scenario.yaml").toString()))
        .isZero();
    assertThat(out.toString())
        .contains("disabled: RemediationTemplateNotFound: SelfNodeRemediationTemplate");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{nodes: [{name: a, labels: {pool: workers}}]}|false",
        "{nodes: [{name: a, labels: {pool: worker}}]}|true",
        "{nodes: [{name: a}, {name: b, labels: {pool: workers}}]}|false",
        "{nodes: [{name: a}], events: [{at: 5m, nodes: a, label: {pool: workers}}]}|false",
        "{nodes: [{name: a}], events: [{at: 5m, nodes: a, label: {pool: others}}]}|true",
        "{nodes: []}|true"
      })
  @DisplayName("a selector that matches no node at any time is a warning, with its line")
  void idleSelector(String nodes, boolean warned) throws IOException {
    Path file = write("scenario.yaml", nodes);
    Path nhc =
        write(
            "nhc.yaml",
            """
            apiVersion: remediation.medik8s.io/v1alpha1
            kind: NodeHealthCheck
            metadata: {name: workers}
            spec:
              selector: {matchLabels: {pool: workers}}
              minHealthy: 51%
              unhealthyConditions: [{type: Ready, status: Unknown, duration: 5m}]
              remediationTemplate: {apiVersion: a/v1, kind: ATemplate, name: a, namespace: n}
            """);
    assertThat(run("--nhc", nhc.toString(), "--scenario", file.toString())).isZero();
    assertThat(err.toString())
        .isEqualTo(
            warned
                ? nhc
                    + ":5:13: warning: spec.selector: matches no node of the scenario, so"
                    + " NodeHealthCheck workers has no effect\n"
                : "");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "events: []|1:1: error: document 1: nodes: Required value: the cluster's nodes",
        "nodes: [{name: a, count: 0}]"
            + "|1:26: error: document 1: nodes[0].count: Invalid value: 0: must be a number from 1 to 100000",
        "nodes: [{name: a}, {name: a}]"
            + "|1:27: error: document 1: nodes[1].name: Duplicate value: \"a\": node a already exists",
        "{nodes: [{name: a}], events: [{at: 5, nodes: a, delete: true}]}"
            + "|1:36: error: document 1: events[0].at: Invalid value: 5: must be a duration with a unit, such as 250ms, 1.5s or 2m",
        "{nodes: [{name: a}], events: [{at: 5m, nodes: b, delete: true}]}"
            + "|1:47: error: document 1: events[0].nodes: Invalid value: \"b\": there is no node b in this scenario",
        "{nodes: [{name: a}], events: [{at: 5m, nodes: a}]}"
            + "|1:31: error: document 1: events[0]: Required value: what happens: set, label, delete, confirm or pause",
        "{nodes: [{name: a}], events: [{at: 5m, nodes: a, set: {Ready: True}}]}"
            + "|1:63: error: document 1: events[0].set[Ready]: Invalid value: True: must be a string; put it in quotes",
        "{nodes: [{name: a}], events: [{at: 5m, nodes: a, set: {Ready: Unknwn}}]}"
            + "|1:63: error: document 1: events[0].set[Ready]: Unsupported value: \"Unknwn\": supported values: \"True\", \"False\", \"Unknown\"",
        "{nodes: [{name: a}], remediators: [{kind: A, outcome: luck}]}"
            + "|1:55: error: document 1: remediators[0].outcome: Unsupported value: \"luck\": supported values: \"heals\", \"succeeds\", \"fails\", \"nothing\"",
        "{nodes: [{name: a}], event: []}"
            + "|1:22: error: document 1: event: unknown field; did you mean \"events\"?"
      })
  @DisplayName("names file, line and field of an error in a scenario")
  void scenarioMistakes(String scenario, String line) throws IOException {
    Path file = write("scenario.yaml", scenario);
    int exit =
        run("--nhc", EXAMPLES.resolve("storm-nhc.yaml").toString(), "--scenario", file.toString());
    assertThat(err.toString().lines()).containsExactly(file + ":" + line);
    assertThat(exit).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"--until,soon", "--until,-1h", "-o,svg"})
  @DisplayName("wrong usage exits with 2")
  void usage(String option, String value) {
    assertThat(simulate("storm", option, value)).isEqualTo(2);
  }

  @Test
  @DisplayName("refuses a missing file and a file without NodeHealthCheck")
  void noCheck() throws IOException {
    Path pod = write("pod.yaml", "{kind: Pod}");
    assertThat(run("--nhc", pod.toString(), "--scenario", folder + "/none.yaml")).isEqualTo(2);
    assertThat(err.toString())
        .contains("pod.yaml: error: contains no NodeHealthCheck", "none.yaml: error: no such file");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text + "\n");
  }

  private int simulate(String example, String... options) {
    String[] args = new String[options.length + 4];
    args[0] = "--nhc";
    args[1] = EXAMPLES.resolve(example + "-nhc.yaml").toString();
    args[2] = "--scenario";
    args[3] = EXAMPLES.resolve(example + "-scenario.yaml").toString();
    System.arraycopy(options, 0, args, 4, options.length);
    return run(args);
  }

  private int run(String... args) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
