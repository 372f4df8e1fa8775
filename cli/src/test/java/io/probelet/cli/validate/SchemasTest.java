package io.probelet.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.probelet.agent.config.ConfigurationDocuments;
import io.probelet.agent.node.SystemStatsDocuments;
import io.probelet.document.field.Field;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
import io.probelet.document.tree.Position;
import io.probelet.document.tree.ScalarType;
import io.probelet.document.tree.Source;
import io.probelet.manifest.annotation.ProbeAnnotation;
import io.probelet.manifest.annotation.TlsFiles;
import io.probelet.manifest.pod.KindlessReader;
import io.probelet.manifest.policy.HostRules;
import io.probelet.manifest.policy.NamePatterns;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.policy.Preset;
import io.probelet.manifest.policy.Profile;
import io.probelet.manifest.probe.DeclaredProbes;
import io.probelet.monitor.rule.MonitorReader;
import io.probelet.nodehealth.tape.TapeLines;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeSpec;
import io.probelet.rehearsal.simulate.ScenarioDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * docs/schemas/ says what the readers say: the same fields at the same places, and their values.
 */
class SchemasTest {
  private static final Path ROOT = Path.of("..");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NAME = Pattern.compile("\"([A-Za-z][A-Za-z_]+)\"");
  private static final Pattern HEADER =
      Pattern.compile("# yaml-language-server: \\$schema=(\\S+)\\s");

  private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  /** A document reports at most 200 problems. */
  private static final int AT_ONCE = 60;

  /** Where the readers are whose schemas these are. */
  private static final List<String> SOURCES =
      List.of(
          "agent/src/main/java/io/probelet/agent/config",
          "rehearsal/src/main/java/io/probelet/rehearsal/simulate/ScenarioReader.java",
          "agent/src/main/java/io/probelet/agent/node/SystemStatsReader.java",
          "manifests/src/main/java/io/probelet/manifest/annotation",
          "manifests/src/main/java/io/probelet/manifest/probe",
          "node-health/src/main/java/io/probelet/nodehealth/tape/TapeLines.java",
          "node-monitor/src/main/java/io/probelet/monitor/rule");

  /** A schema, and who reads what it describes. */
  enum Kind {
    AGENT_CONFIGURATION("agent-configuration"),
    PROBE_ANNOTATION("probe-annotation"),
    SCENARIO("scenario"),
    LOG_MONITOR("log-monitor"),
    PLUGIN_MONITOR("plugin-monitor"),
    CHECK_MONITOR("check-monitor"),
    EXPRESSION_MONITOR("expression-monitor"),
    SYSTEM_STATS("system-stats"),
    TAPE("tape");

    private final String file;

    Kind(String file) {
      this.file = file;
    }

    List<Problem> read(String text) {
      Problems problems = new Problems(Path.of(file), 0);
      Node root = root(text);
      switch (this) {
        case PROBE_ANNOTATION -> annotation(text, problems);
        case LOG_MONITOR, PLUGIN_MONITOR, CHECK_MONITOR, EXPRESSION_MONITOR ->
            MonitorReader.read(root, problems);
        case AGENT_CONFIGURATION -> kindless(new ConfigurationDocuments(), root, problems);
        case SCENARIO -> kindless(new ScenarioDocuments(), root, problems);
        case SYSTEM_STATS -> kindless(new SystemStatsDocuments(), root, problems);
        case TAPE -> tape((Node.Mapping) root, problems);
      }
      return problems.all();
    }

    private static void kindless(KindlessReader reader, Node root, Problems problems) {
      reader.read(Path.of("file"), 1, (Node.Mapping) root, problems);
    }

    private static void tape(Node.Mapping line, Problems problems) {
      if (line.entries().containsKey("tape")) {
        TapeLines.header(line, problems);
      } else {
        TapeLines.line(line, problems);
      }
    }

    private static void annotation(String text, Problems problems) {
      NamespacePolicy trusted = Preset.TRUSTED.policy();
      Profile mesh =
          new Profile(
              "mesh",
              new NamePatterns(List.of("*")),
              Preset.TRUSTED.policy().hosts(),
              null,
              List.of(new HttpHeader("A", "b")));
      NamespacePolicy policy =
          new NamespacePolicy(
              true,
              HostRules.ANY,
              trusted.enforcement(),
              trusted.sources(),
              trusted.shortestPeriod(),
              trusted.longestRecoveryTime(),
              true,
              List.of(mesh));
      Node scalar = new Node.Scalar(Position.START, ScalarType.STRING, text);
      Field field = Field.ofDocument(new Scope(problems, Severity.WARNING), "", scalar);
      DeclaredProbes none = new DeclaredProbes(Set.of(), Map.of(), Set.of("http"));
      new ProbeAnnotation(policy, ProbeSpec.LONGEST_THROTTLE_HOLD, new TlsFiles.OnTheNode(), true)
          .read(field, Source.of(text), problems, Map.of("web", none), Set.of());
    }

    Path path() {
      return ROOT.resolve("docs/schemas/" + file + ".schema.json");
    }

    Schema schema() throws IOException {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
          .getSchema(JSON.readTree(path().toFile()));
    }

    /** Good documents that have every field. */
    List<JsonNode> examples() throws IOException {
      try (InputStream in = SchemasTest.class.getResourceAsStream(file + ".yaml")) {
        return documents(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  private static Node root(String text) {
    return Document.yaml(Source.of(text)).findFirst().orElseThrow().root();
  }

  private static List<JsonNode> documents(String text) {
    return Document.yaml(Source.of(text))
        .map(document -> NodeJson.of(document.root()).orElseThrow())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("good documents please schema and reader, and together have every field")
  void good(Kind kind) throws IOException {
    Set<String> seen = new TreeSet<>();
    for (JsonNode example : kind.examples()) {
      assertThat(kind.read(example.toString())).isEmpty();
      assertThat(kind.schema().validate(example)).isEmpty();
      names(example, seen);
    }
    Set<String> described = new TreeSet<>();
    JSON.readTree(kind.path().toFile())
        .findValues("properties")
        .forEach(each -> each.fieldNames().forEachRemaining(described::add));
    described.removeAll(Set.of("ca")); // instead of caFile
    assertThat(seen).containsAll(described);
  }

  private static void names(JsonNode node, Set<String> seen) {
    node.fieldNames().forEachRemaining(seen::add);
    node.forEach(each -> names(each, seen));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("at every place the schema has the fields that the reader knows, and no others")
  void sameFields(Kind kind) throws IOException {
    List<String> universe = new ArrayList<>(universe());
    Schema schema = kind.schema();
    Set<String> readersOnly = new TreeSet<>();
    Set<String> schemasOnly = new TreeSet<>();
    for (JsonNode example : kind.examples()) {
      for (String pointer : objects(example, "")) {
        for (int from = 0; from < universe.size(); from += AT_ONCE) {
          JsonNode changed = example.deepCopy();
          ObjectNode object = (ObjectNode) changed.at(pointer);
          universe.subList(from, Math.min(from + AT_ONCE, universe.size())).stream()
              .filter(name ->
                  object.properties().stream()
                      .noneMatch(each -> each.getKey().equalsIgnoreCase(name)))
              .forEach(name -> object.put(name, "x"));
          Set<String> unread = unread(kind, changed, plain(pointer));
          Set<String> undescribed = undescribed(schema, changed, plain(pointer));
          undescribed.stream()
              .filter(each -> !unread.contains(each))
              .forEach(each -> readersOnly.add(pointer + " " + each));
          unread.stream()
              .filter(each -> !undescribed.contains(each))
              .forEach(each -> schemasOnly.add(pointer + " " + each));
        }
      }
    }
    assertThat(readersOnly).as("known to the reader, not to the schema").isEmpty();
    assertThat(schemasOnly).as("known to the schema, not to the reader").isEmpty();
  }

  private static Set<String> unread(Kind kind, JsonNode changed, String path) {
    Set<String> names = new TreeSet<>();
    for (Problem problem : kind.read(changed.toString())) {
      String field = plain(problem.field());
      int last = field.lastIndexOf('.');
      if (problem.message().startsWith("unknown field") && field.substring(0, last).equals(path)) {
        names.add(field.substring(last + 1));
      }
    }
    return names;
  }

  private static Set<String> undescribed(Schema schema, JsonNode changed, String path) {
    Set<String> names = new TreeSet<>();
    for (Error error : schema.validate(changed)) {
      boolean here = plain(error.getInstanceLocation().toString()).equals(path);
      if (here && List.of("additionalProperties", "propertyNames").contains(error.getKeyword())) {
        names.add(error.getProperty());
      }
    }
    return names;
  }

  /** One way to write a place, for both ways of naming it. */
  private static String plain(String path) {
    String dotted = path.replace("~1", ".").replaceAll("[/\\[\\].$]+", ".").replaceAll("\\.$", "");
    return dotted.isEmpty() || dotted.startsWith(".") ? dotted : "." + dotted;
  }

  private static List<String> objects(JsonNode node, String pointer) {
    List<String> found = new ArrayList<>();
    if (node.isObject()) {
      found.add(pointer);
      node.properties()
          .forEach(each ->
              found.addAll(
                  objects(each.getValue(), pointer + "/" + each.getKey().replace("/", "~1"))));
    } else if (node instanceof ArrayNode) {
      for (int i = 0; i < node.size(); i++) {
        found.addAll(objects(node.get(i), pointer + "/" + i));
      }
    }
    return found;
  }

  /** Every word that a reader may ask for, and every name in a schema. */
  private static Set<String> universe() throws IOException {
    Set<String> names = new TreeSet<>(Set.of("bogus"));
    for (String source : SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(source))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          NAME.matcher(Files.readString(file)).results().forEach(each -> names.add(each.group(1)));
        }
      }
    }
    for (Kind kind : Kind.values()) {
      NAME.matcher(Files.readString(kind.path()))
          .results()
          .forEach(each -> names.add(each.group(1)));
    }
    return names;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "AGENT_CONFIGURATION|guard: {percent: 100}",
        "AGENT_CONFIGURATION|probes: {userAgent: curl}",
        "AGENT_CONFIGURATION|guard: {window: 10}",
        "AGENT_CONFIGURATION|policy: {namespaces: [{exec: true}]}",
        "AGENT_CONFIGURATION|policy: {profiles: [{name: a, namespaces: [b]}]}",
        "AGENT_CONFIGURATION|http: {hosts: ['a:80']}",
        "AGENT_CONFIGURATION|enforcement: {namespaces: {a: sometimes}}",
        "PROBE_ANNOTATION|web: {liveness: {tcpSocket: {port: 70000}}}",
        "PROBE_ANNOTATION|web: {liveness: {tcpSocket: {port: 1}, exec: {command: [a]}}}",
        "PROBE_ANNOTATION|web: {liveness: {exec: {command: []}}}",
        "PROBE_ANNOTATION|web: {liveness: {period: 10, exec: {command: [a]}}}",
        "PROBE_ANNOTATION|web: {liveness: {grpc: {port: 1, mode: tls}}}",
        "PROBE_ANNOTATION|web: {liveness: {httpGet: {port: 1, method: PUT}}}",
        "PROBE_ANNOTATION|web: {liveness: {dns: {queryName: a, queryType: ANY}}}",
        "PROBE_ANNOTATION|web: {liveness: {udpSocket: {port: 1}}}",
        "PROBE_ANNOTATION|web: {liveness: {icmp: {port: 1}}}",
        "PROBE_ANNOTATION|web: {liveness: {tcpSocket: {port: 1, queryResponse: [{}]}}}",
        "PROBE_ANNOTATION|web: {liveness: {tcpSocket: {port: 1}, tls: {minValidity: 5}}}",
        "PROBE_ANNOTATION|web: {liveness: {httpGet: {port: 1, protocol: h2c}}}",
        "PROBE_ANNOTATION|web: {readiness: {httpGet: {port: 1}, expect: {headers: [{a: b}]}}}",
        "PROBE_ANNOTATION|web: {readiness: {allOf: [{tls: {}}]}}",
        "PROBE_ANNOTATION|web: {readiness: {httpGet: {port: 1}, expect: {statuses: [99]}}}",
        "PROBE_ANNOTATION|web: {readiness: {httpGet: {port: 1}, expect: {cel: 5}}}",
        "PROBE_ANNOTATION|web: {readiness: {httpGet: {port: 1}, expect: {body: {}}}}",
        "SCENARIO|events: []",
        "SCENARIO|nodes: [{name: a, count: 0}]",
        "SCENARIO|{nodes: [{name: a}], events: [{at: 5, nodes: a, delete: true}]}",
        "SCENARIO|{nodes: [{name: a}], events: [{at: 5m, times: 2, nodes: a, delete: true}]}",
        "SCENARIO|{nodes: [{name: a}], events: [{at: 5m, nodes: a, set: {Ready: true}}]}",
        "SCENARIO|{nodes: [{name: a}], remediators: [{kind: A, outcome: luck}]}",
        "LOG_MONITOR|{plugin: journald, source: a}",
        "LOG_MONITOR|{plugin: filelog, source: a, logPath: /a, pluginConfig: {message: a}}",
        "LOG_MONITOR|{plugin: kmsg, source: a, rules: [{type: temporary, reason: R}]}",
        "LOG_MONITOR|{plugin: kmsg, source: a, rules: [{type: permanent, reason: R, pattern: a}]}",
        "LOG_MONITOR|{plugin: kmsg, source: a, conditions: [{type: A, reason: B, flapCount: 1}]}",
        "LOG_MONITOR|{plugin: kmsg, source: a, lookback: 5}",
        "PLUGIN_MONITOR|{plugin: custom, source: a, rules: [{type: temporary, reason: R}]}",
        "PLUGIN_MONITOR|{plugin: custom, source: a, pluginConfig: {env: {'a b': c}}}",
        "PLUGIN_MONITOR|{plugin: custom, source: a, pluginConfig: {concurrency: 0}}",
        "CHECK_MONITOR|{plugin: check, rules: [{check: disk}]}",
        "CHECK_MONITOR|{plugin: check, rules: [{check: kubelet, mounts: [/]}]}",
        "CHECK_MONITOR|{plugin: check, rules: [{check: disk-space, maxUsedPercent: 101}]}",
        "CHECK_MONITOR|{plugin: check, rules: [{check: disk-space, mounts: [data]}]}",
        "EXPRESSION_MONITOR|{plugin: expression, rules: [{condition: A, reason: B, message: c}]}",
        "EXPRESSION_MONITOR|{plugin: expression, conditions: [{type: A, reason: B}], rules: [{condition: A, reason: B, when: 'true'}]}",
        "SYSTEM_STATS|cpu: {metricsConfigs: {cpu/load_1m: {displayName: 1}}}",
        "SYSTEM_STATS|disk: {includeRootBlk: 'yes'}",
        "SYSTEM_STATS|invokeInterval: 60",
        "TAPE|{tape: 2, start: '2026-10-01T00:00:00Z'}",
        "TAPE|{tape: 1}",
        "TAPE|{at: '2026-10-01T00:00:00Z'}",
        "TAPE|{at: '2026-10-01', end: true}",
        "TAPE|{at: '2026-10-01T00:00:00Z', node: {name: A_}}",
        "TAPE|{at: '2026-10-01T00:00:00Z', node: {name: a, conditions: [{type: Ready}]}}",
        "TAPE|{at: '2026-10-01T00:00:00Z', cordon: {node: a}}",
        "TAPE|{at: '2026-10-01T00:00:00Z', nodeGone: a, end: true}",
        "TAPE|{at: '2026-10-01T00:00:00Z', end: false}"
      })
  @DisplayName("what the reader refuses the schema refuses")
  void bad(Kind kind, String text) throws IOException {
    assertThat(kind.read(text)).as("reader").anyMatch(Problem::isError);
    assertThat(kind.schema().validate(documents(text).getFirst())).as("schema").isNotEmpty();
  }

  @Test
  @DisplayName("each section of a configuration is enough to recognise it, and so for the others")
  void recognised() throws IOException {
    Map<Kind, KindlessReader> readers =
        Map.of(
            Kind.AGENT_CONFIGURATION, new ConfigurationDocuments(),
            Kind.SCENARIO, new ScenarioDocuments(),
            Kind.SYSTEM_STATS, new SystemStatsDocuments());
    for (Kind kind : readers.keySet()) {
      for (var name : JSON.readTree(kind.path().toFile()).get("properties").properties()) {
        Node.Mapping document = (Node.Mapping) root(name.getKey() + ": {}");
        readers.forEach((other, reader) ->
            assertThat(reader.recognises(document))
                .as("%s by %s", name.getKey(), other)
                .isEqualTo(kind == other));
      }
    }
  }

  @Test
  @DisplayName("files and examples with the line for editors name a schema, and keep to it")
  void headers() throws IOException {
    List<String> checked = new ArrayList<>();
    for (String folder : List.of("examples", "docs", "deploy")) {
      try (Stream<Path> found = Files.walk(ROOT.resolve(folder))) {
        for (Path file :
            found.filter(each -> each.toString().matches(".*\\.(ya?ml|md)")).toList()) {
          for (String text : texts(file)) {
            Matcher header = HEADER.matcher(text);
            if (header.lookingAt()) {
              Path schema = file.resolveSibling(header.group(1)).normalize();
              assertKeepsTo(schema, text, file);
              checked.add(file.getFileName() + " " + schema.getFileName());
            }
          }
        }
      }
    }
    assertThat(checked)
        .contains(
            "storm-scenario.yaml scenario.schema.json",
            "simulate.md scenario.schema.json",
            "configuration.md agent-configuration.schema.json",
            "node-monitoring.md check-monitor.schema.json",
            "node-monitoring.md expression-monitor.schema.json",
            "expressions.yaml expression-monitor.schema.json");
    assertThat(examples("simulate", "-scenario.yaml"))
        .allMatch(name -> checked.contains(name + " scenario.schema.json"));
  }

  private static List<String> examples(String folder, String end) throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("examples").resolve(folder))) {
      return files.map(each -> each.getFileName().toString()).filter(n -> n.endsWith(end)).toList();
    }
  }

  /** The file itself, or the YAML in a page. */
  private static List<String> texts(Path file) throws IOException {
    String text = Files.readString(file);
    return file.toString().endsWith(".md")
        ? BLOCK.matcher(text).results().map(each -> each.group(1)).toList()
        : List.of(text);
  }

  private static void assertKeepsTo(Path schema, String text, Path file) throws IOException {
    assertThat(schema).as("named in %s", file).exists();
    Schema read =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
            .getSchema(JSON.readTree(schema.toFile()));
    for (JsonNode document : documents(text)) {
      assertThat(read.validate(document)).as("%s", file).isEmpty();
    }
  }
}
