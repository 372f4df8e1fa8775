package io.probelet.nodehealth.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.probelet.document.field.Problem;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelector.Operator;
import io.probelet.document.selector.LabelSelector.Requirement;
import io.probelet.nodehealth.resource.NodeHealthCheckReader.Reading;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor.MaxUnhealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor.MinHealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Nodes;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Percent;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.resource.TemplateKinds.Several;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a NodeHealthCheck may say, and what is said of one that says something else. */
class NodeHealthCheckReaderTest {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();
  private static final String SELECTOR = "selector: {matchLabels: {pool: 'a'}}";
  private static final String TEMPLATE =
      "remediationTemplate: {apiVersion: 'v1', kind: 'ATemplate', namespace: 'n', name: 'a'}";
  private static final String GOOD = SELECTOR + ", minHealthy: '51%', " + TEMPLATE;

  @Test
  @DisplayName("NHC-1 without unhealthyConditions: Ready False or Unknown for 300 s")
  void defaults() {
    NodeHealthCheckSpec spec = valid(GOOD);
    assertThat(spec)
        .isEqualTo(
            new NodeHealthCheckSpec(
                new LabelSelector(Map.of("pool", "a"), List.of()),
                List.of(
                    new UnhealthyCondition("Ready", "False", Duration.ofMinutes(5)),
                    new UnhealthyCondition("Ready", "Unknown", Duration.ofMinutes(5))),
                new MinHealthy(new Percent(51)),
                List.of(new RemediationStep(new ObjectRef("v1", "ATemplate", "n", "a"), null)),
                null,
                List.of(),
                Duration.ZERO,
                null,
                Duration.ofSeconds(2),
                null));
  }

  @Test
  @DisplayName("everything that can be said is read; steps come in their order")
  void everything() {
    NodeHealthCheckSpec spec =
        read("""
        {metadata: {name: 'x', annotations: {'probelet.io/never-ready-after': '20m', 'probelet.io/settle': '500ms'}}, spec: {
          selector: {matchExpressions: [{key: 'example.io/pool', operator: 'In', values: ['a', 'b']},
                                        {key: 'gone', operator: 'DoesNotExist'}]},
          unhealthyConditions: [{type: 'Ready', status: 'Unknown', duration: '1m30s'}],
          maxUnhealthy: 2, stormCooldownDuration: '10m', healthyDelay: '-1s',
          pauseRequests: ['me'],
          escalatingRemediations: [
            {order: 2, timeout: '1h', remediationTemplate: {apiVersion: 'v1', kind: 'BTemplate', name: 'b'}},
            {order: 1, timeout: '60s', remediationTemplate: {apiVersion: 'v1', kind: 'ATemplate', name: 'a'}}]}}
        """)
            .spec()
            .orElseThrow();
    assertThat(spec)
        .isEqualTo(
            new NodeHealthCheckSpec(
                new LabelSelector(
                    Map.of(),
                    List.of(
                        new Requirement("example.io/pool", Operator.IN, List.of("a", "b")),
                        new Requirement("gone", Operator.DOES_NOT_EXIST, List.of()))),
                List.of(new UnhealthyCondition("Ready", "Unknown", Duration.ofSeconds(90))),
                new MaxUnhealthy(new Nodes(2)),
                List.of(
                    new RemediationStep(
                        new ObjectRef("v1", "ATemplate", null, "a"), Duration.ofMinutes(1)),
                    new RemediationStep(
                        new ObjectRef("v1", "BTemplate", null, "b"), Duration.ofHours(1))),
                Duration.ofMinutes(10),
                List.of("me"),
                Duration.ofSeconds(-1),
                Duration.ofMinutes(20),
                Duration.ofMillis(500),
                null));
  }

  @ParameterizedTest
  @CsvSource({
    "minHealthy, '51%', 3, 2",
    "minHealthy, '0%', 3, 0",
    "minHealthy, '100%', 3, 3",
    "minHealthy, '2', 3, 2",
    "maxUnhealthy, '49%', 3, 1",
    "maxUnhealthy, '0%', 3, 3",
    "maxUnhealthy, '4', 3, -1"
  })
  @DisplayName("NHC-2, NHC-3, R-10 how many must be healthy; percentages round up")
  void floors(String field, String value, int total, int required) {
    HealthyFloor floor = valid(SELECTOR + ", " + field + ": '" + value + "', " + TEMPLATE).floor();
    assertThat(floor.required(total).orElse(-1)).isEqualTo(required);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'101%'", "'-1%'", "-1", "'abc'", "'1.5'", "1.5", "true", "99999999999"})
  @DisplayName("NHC-2 what is no number of nodes is refused")
  void badCounts(String value) {
    assertThat(refusals(SELECTOR + ", minHealthy: " + value + ", " + TEMPLATE))
        .singleElement()
        .asString()
        .startsWith("spec.minHealthy: Invalid value: ")
        .endsWith("must be a number of nodes, 0 or more, or a percentage from 0% to 100%");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        SELECTOR + ", " + TEMPLATE + "|spec: Required value: one of minHealthy and maxUnhealthy",
        GOOD
            + ", maxUnhealthy: 1"
            + "|spec.maxUnhealthy: Forbidden: may not be set together with minHealthy",
        SELECTOR
            + ", minHealthy: 1"
            + "|spec: Required value: one of remediationTemplate and escalatingRemediations",
        GOOD
            + ", escalatingRemediations: [{order: 1, timeout: '60s', remediationTemplate: {apiVersion: 'v1', kind: 'BTemplate', name: 'b'}}]"
            + "|spec.escalatingRemediations: Forbidden: may not be set together with remediationTemplate",
        "minHealthy: 1, "
            + TEMPLATE
            + "|spec.selector: Required value: which nodes to check, as matchLabels or matchExpressions",
        "selector: {matchExpressions: [{key: 'a', operator: 'Is'}]}, minHealthy: 1, "
            + TEMPLATE
            + "|spec.selector.matchExpressions[0].operator: Unsupported value: \"Is\": supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\"",
        GOOD
            + ", unhealthyConditions: [{type: 'Ready', status: '', duration: '5m'}]"
            + "|spec.unhealthyConditions[0].status: Required value: True, False or Unknown",
        GOOD
            + ", unhealthyConditions: [{type: 'A', status: 'True', duration: '5m'}, {type: 'A', status: 'True', duration: '6m'}]"
            + "|spec.unhealthyConditions[1]: Duplicate value: A True is already listed",
        GOOD
            + ", stormCooldownDuration: '-5m'"
            + "|spec.stormCooldownDuration: Invalid value: \"-5m\": must be a duration such as 90s, 1.5h or 2h45m",
        GOOD
            + ", healthyDelay: 5"
            + "|spec.healthyDelay: Invalid value: 5: must be a duration such as 90s or 2h45m, or a negative one",
        SELECTOR
            + ", maxUnhealthy: 1, remediationTemplate: {apiVersion: 'v1', kind: 'machinedeletionremediationTemplate', name: 'a'}"
            + "|spec.maxUnhealthy: Forbidden: may not be used with MachineDeletionRemediationTemplate: deleted nodes are not counted",
        SELECTOR
            + ", minHealthy: 1, remediationTemplate: {apiVersion: 'v1', kind: 'Pod', name: 'a'}"
            + "|spec.remediationTemplate.kind: Invalid value: \"Pod\": must end with Template; the part before it is the remediation's kind"
      })
  @DisplayName("acceptance 5, NHC-4, NHC-5: one mistake, one clear refusal")
  void oneMistake(String spec, String refusal) {
    assertThat(refusals(spec)).containsExactly(refusal);
  }

  @ParameterizedTest
  @CsvSource({
    "4611686018427387904, ''",
    "-9223372036854775808, ''",
    "9223372036854775808, must be a whole number of at most 64 bits",
    "1.5, must be a whole number",
    "true, must be an integer",
  })
  @DisplayName("NHC-5 an order is any whole number of 64 bits; what is none is told so")
  void orders(String order, String says) {
    List<String> refusals =
        refusals(
            escalating(
                "{order: %s, timeout: '1m', %s}".formatted(order, template("A")),
                "{order: 1, timeout: '1m', %s}".formatted(template("B"))));
    if (says.isEmpty()) {
      assertThat(refusals).isEmpty();
    } else {
      assertThat(refusals).singleElement().asString().contains(says);
    }
  }

  @Test
  @DisplayName("NHC-5 orders are unique, and a timeout is a minute at least")
  void escalation() {
    assertThat(
            refusals(
                escalating(
                    "{order: 1, timeout: '59s', " + template("A") + "}",
                    "{order: 1, timeout: '1m', " + template("B") + "}",
                    "{order: 1, timeout: '1m', " + template("C") + "}")))
        .containsExactly(
            "spec.escalatingRemediations[0].timeout: Invalid value: \"59s\": must be at least 60s",
            "spec.escalatingRemediations[2].order: Duplicate value: 1: each remediation needs a"
                + " unique order");
  }

  @ParameterizedTest
  @CsvSource({"ALLOWED, 0, 0", "REFUSED, 1, 0", "UNKNOWN, 0, 1"})
  @DisplayName("NHC-5 two templates of one kind need the annotation on every template of the kind")
  void twoOfAKind(Several several, int refusals, int remarks) {
    String spec =
        escalating(
            "{order: 1, timeout: '1m', " + template("A") + "}",
            "{order: 2, timeout: '1m', " + template("A") + "}");
    Reading reading = NodeHealthCheckReader.ofNew((_, _) -> several).read(resource(spec));
    assertThat(reading.refusals()).hasSize(refusals);
    assertThat(reading.remarks()).hasSize(remarks);
  }

  @Test
  @DisplayName("an existing resource with an empty selector selects all nodes")
  void existingWithoutSelector() {
    JsonNode resource = resource("minHealthy: 1, " + TEMPLATE);
    assertThat(
            NodeHealthCheckReader.ofExisting(TemplateKinds.UNKNOWN)
                .read(resource)
                .spec()
                .orElseThrow()
                .selector()
                .matches(Map.of()))
        .isTrue();
  }

  @Test
  @DisplayName("an unknown field is a remark: the API server drops it")
  void unknownField() {
    assertThat(read("{metadata: {name: 'x'}, spec: {" + GOOD + ", minHealthly: 1}}").problems())
        .extracting(Problem::toString)
        .containsExactly(
            "NodeHealthCheck: warning: spec.minHealthly: unknown field; did you mean"
                + " \"minHealthy\"?");
    assertThat(valid(GOOD + ", minHealthly: 1")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{metadata: {name: 'x'}, spec: []}",
        "{metadata: [], spec: {selector: 1, unhealthyConditions: {}, escalatingRemediations: 3}}",
        "{metadata: {name: 'x'}, spec: {escalatingRemediations: [1, null, {}], pauseRequests: [1]}}",
        "{metadata: {name: 'x'}, spec: {selector: {matchLabels: {a: null, b: 1}, matchExpressions: [1]}}}"
      })
  @DisplayName("anything at all gets an answer")
  void total(String resource) {
    assertThat(read(resource).spec()).isEmpty();
    assertThat(read(resource).problems()).anyMatch(Problem::isError);
  }

  @Test
  @DisplayName(
      "NHC-21 while a remediation runs, neither deletion nor a change of what it is made by")
  void frozen() {
    JsonNode running =
        parse(
            "{metadata: {name: 'x'}, spec: {"
                + GOOD
                + "}, status: {unhealthyNodes: [{name: 'n', remediations: [{}]}]}}");
    JsonNode idle = resource(GOOD);
    JsonNode otherNodes = resource(GOOD.replace("pool: 'a'", "pool: 'b'"));
    JsonNode otherFloor = resource(GOOD.replace("51%", "52%"));

    assertThat(
            NodeHealthCheckAdmission.update(
                running, otherNodes, TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN))
        .extracting(Problem::text)
        .containsExactly("spec.selector: update prohibited due to running remediation");
    assertThat(NodeHealthCheckAdmission.delete(running, RunningRemediations.UNKNOWN))
        .extracting(Problem::text)
        .containsExactly("deletion prohibited due to running remediation");
    assertThat(
            NodeHealthCheckAdmission.update(
                running, otherFloor, TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN))
        .isEmpty();
    assertThat(
            NodeHealthCheckAdmission.update(
                idle, otherNodes, TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN))
        .isEmpty();
    assertThat(NodeHealthCheckAdmission.delete(idle, RunningRemediations.UNKNOWN)).isEmpty();
    assertThat(NodeHealthCheckAdmission.delete(idle, _ -> RunningRemediations.Presence.SOME))
        .extracting(Problem::text)
        .containsExactly("deletion prohibited due to running remediation");
  }

  @Test
  @DisplayName("admission: an empty selector may stay empty, but not become so")
  void emptySelector() {
    JsonNode empty = resource("minHealthy: 1, " + TEMPLATE);
    assertThat(NodeHealthCheckAdmission.create(empty, TemplateKinds.UNKNOWN)).hasSize(1);
    assertThat(
            NodeHealthCheckAdmission.update(
                empty, empty, TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN))
        .isEmpty();
    assertThat(
            NodeHealthCheckAdmission.update(
                resource(GOOD), empty, TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN))
        .hasSize(1);
  }

  private static String template(String name) {
    return "remediationTemplate: {apiVersion: 'v1', kind: '"
        + name
        + "Template', name: '"
        + name
        + "'}";
  }

  private static String escalating(String... items) {
    return SELECTOR + ", minHealthy: 1, escalatingRemediations: [" + String.join(", ", items) + "]";
  }

  private static NodeHealthCheckSpec valid(String spec) {
    return read("{metadata: {name: 'x'}, spec: {" + spec + "}}").spec().orElseThrow();
  }

  private static List<String> refusals(String spec) {
    return read("{metadata: {name: 'x'}, spec: {" + spec + "}}").refusals().stream()
        .map(Problem::text)
        .toList();
  }

  private static Reading read(String resource) {
    return NodeHealthCheckReader.ofNew(TemplateKinds.UNKNOWN).read(parse(resource));
  }

  private static JsonNode resource(String spec) {
    return parse("{metadata: {name: 'x'}, spec: {" + spec + "}}");
  }

  private static JsonNode parse(String resource) {
    try {
      return JSON.readTree(resource);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
