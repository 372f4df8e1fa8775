package io.probelet.nodehealth.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionException;
import io.probelet.document.field.Field;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.nodehealth.policy.PolicyLimits.Backstop;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import io.probelet.nodehealth.policy.PolicyLimits.Unreadable;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Nodes;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Percent;
import io.probelet.nodehealth.resource.NodeVariables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class RemediationPolicyReaderTest {
  private static final String ALL =
      """
      selector: {matchLabels: {pool: a}}
      windows:
      - {schedule: 0 22 * * SAT, duration: 4h, timeZone: Europe/Berlin}
      - {schedule: '* * * * *', duration: 90s}
      blackouts:
      - {from: '2026-12-20', to: '2027-01-03', timeZone: Europe/Berlin}
      - {from: '2026-10-25T02:30', to: '2026-10-25T02:30', timeZone: Europe/Berlin}
      - {from: '2026-05-01T10:00', to: '2026-05-01T10:00:01'}
      maxNodes: 10%
      maxNodesPerZone: 2
      zoneLabel: rack
      maxPerHour: 6
      backstop: {times: 3, within: 24h}
      approval: [MachineRemediation, '*']
      holdWhen: age < duration('10m')
      dryRun: true
      paused: true
      """;

  private static final CompiledExpression HOLD_WHEN = expression("age < duration('10m')");

  private static CompiledExpression expression(String text) {
    try {
      return CompiledExpression.compile(text, NodeVariables.DECLARED);
    } catch (ExpressionException wrong) {
      throw new AssertionError(wrong);
    }
  }

  @Test
  @DisplayName("ACT-73, ACT-74 all that a policy can say is read")
  void everything() {
    RemediationPolicy policy = Policies.policy("limits", ALL);
    assertThat(policy.name()).isEqualTo("limits");
    assertThat(policy.uid()).isEqualTo("limits-uid");
    assertThat(policy.selector()).isEqualTo(new LabelSelector(Map.of("pool", "a"), List.of()));
    assertThat(policy.limits())
        .isEqualTo(
            new Spec(
                List.of(
                    new Window(
                        CronSchedule.parse("0 22 * * SAT"),
                        Duration.ofHours(4),
                        ZoneId.of("Europe/Berlin")),
                    new Window(
                        CronSchedule.parse("* * * * *"), Duration.ofSeconds(90), ZoneOffset.UTC)),
                List.of(
                    new Blackout(
                        Instant.parse("2026-12-19T23:00:00Z"),
                        Instant.parse("2027-01-03T23:00:00Z")),
                    new Blackout( // shown twice: from the first to the second
                        Instant.parse("2026-10-25T00:30:00Z"),
                        Instant.parse("2026-10-25T01:30:00Z")),
                    new Blackout(
                        Instant.parse("2026-05-01T10:00:00Z"),
                        Instant.parse("2026-05-01T10:00:01Z"))),
                new Percent(10),
                2,
                "rack",
                6,
                new Backstop(3, Duration.ofHours(24)),
                Set.of("MachineRemediation", "*"),
                HOLD_WHEN,
                true,
                true));
  }

  @Test
  @DisplayName("what is not said limits nothing")
  void nothing() {
    Spec nothing =
        new Spec(
            List.of(),
            List.of(),
            null,
            null,
            RemediationPolicyReader.ZONE_LABEL,
            null,
            null,
            Set.of(),
            null,
            false,
            false);
    assertThat(Policies.policy("limits", "{}").limits()).isEqualTo(nothing);
    assertThat(Policies.policy("limits", "{}").selector()).isEqualTo(LabelSelector.EVERYTHING);
    ObjectNode object = (ObjectNode) Policies.object("limits", "{}");
    object.remove("spec");
    assertThat(RemediationPolicyReader.read(object).limits()).isEqualTo(nothing);
    assertThat(((Spec) Policies.policy("limits", "{maxNodes: 3}").limits()).maxNodes())
        .isEqualTo(new Nodes(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{maxNode: 1} | 1:2 spec.maxNode: unknown field, cannot enforce what it limits; did you mean \"maxNodes\"?",
        "{maxNodes: -1} | spec.maxNodes: Invalid value: -1: must be a number of nodes",
        "{maxNodes: 101%} | spec.maxNodes: Invalid value: \"101%\": must be a number of nodes",
        "{maxNodesPerZone: -1} | spec.maxNodesPerZone: Invalid value: -1: must be from 0 to 100000",
        "{maxNodesPerZone: 100001} | spec.maxNodesPerZone: Invalid value: 100001: must be from 0",
        "{maxPerHour: 1001} | spec.maxPerHour: Invalid value: 1001: must be from 0 to 1000",
        "{maxPerHour: many} | spec.maxPerHour: Invalid value: \"many\": must be an integer",
        "{paused: 1} | spec.paused: Invalid value: 1: must be true or false",
        "{dryRun: 'yes'} | spec.dryRun: Invalid value: \"yes\": must be true or false",
        "{backstop: {times: 3}} | spec.backstop.within: Required value: within which time",
        "{backstop: {within: 1h}} | spec.backstop.times: Required value: after how many",
        "{backstop: {times: 0, within: 1h}} | spec.backstop.times: Invalid value: 0: must be from 1 to 100",
        "{backstop: {times: 1, within: 721h}} | spec.backstop.within: Invalid value: \"721h\": must be from 1m to 720h",
        "{backstop: {times: 1, within: 1h, x: 1}} | spec.backstop.x: unknown field",
        "{approval: RebootRemediation} | spec.approval: Invalid value: \"RebootRemediation\": must be a list",
        "{approval: [RebootRemediationTemplate]} | must be the kind of the remediation, RebootRemediation",
        "{approval: [a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]} | spec.approval: must not name more than 16 kinds, but names 17",
        "{selector: {matchLabels: {'bad key!': a}}} | spec.selector.matchLabels[bad key!]: Invalid key",
        "{windows: [{duration: 1h}]} | spec.windows[0].schedule: Required value: when it opens",
        "{windows: [{schedule: 0 0 * * *}]} | spec.windows[0].duration: Required value: how long",
        "{windows: [{schedule: 0 0 * *, duration: 1h}]} | spec.windows[0].schedule: Invalid value: \"0 0 * *\": must be five fields",
        "{windows: [{schedule: 0 0 * * *, duration: 59s}]} | must be from 1m to 168h",
        "{windows: [{schedule: 0 0 * * *, duration: 169h}]} | must be from 1m to 168h",
        "{windows: [{schedule: 0 0 * * *, duration: 1h, timeZone: Mars/Olympus}]} | spec.windows[0].timeZone: Invalid value: \"Mars/Olympus\": must be a time zone",
        "{windows: [{schedule: 0 0 * * *, duration: 1h, timezone: UTC}]} | spec.windows[0].timezone: unknown field; did you mean \"timeZone\"?",
        "{blackouts: [{from: '2026-12-24'}]} | spec.blackouts[0].to: Required value",
        "{blackouts: [{from: '2026-12-24', to: '2026-12-23'}]} | spec.blackouts[0].to: Invalid value: \"2026-12-23\": must be later than from",
        "{blackouts: [{from: '2026-13-24', to: '2026-12-23'}]} | spec.blackouts[0].from: Invalid value: \"2026-13-24\": must be a day",
        "{blackouts: [{from: '2026-12-24', to: '2026-12-25', timezone: UTC}]} | spec.blackouts[0].timezone: unknown field; did you mean \"timeZone\"?",
        "{blackouts: [{from: '-0001-12-31T23:59', to: '2026-12-23'}]} | spec.blackouts[0].from: Invalid value: \"-0001-12-31T23:59\": must be a day",
        "{blackouts: [{from: '2026-12-24', to: '+10000-01-01T00:00'}]} | spec.blackouts[0].to: Invalid value: \"+10000-01-01T00:00\": must be a day",
        "{holdWhen: 'age > 5'} | spec.holdWhen: Invalid value: \"age > 5\": line 1, column 5: '>' cannot be applied to (duration, int)",
        "{holdWhen: \"labels.pool == 'a'\\n  && name == 1\"} | line 2, column 11: == needs two values of the same type",
        "{holdWhen: conditions.Ready.message == ''} | line 1, column 17: unknown field 'message'",
        "{holdWhen: 5} | spec.holdWhen: Invalid value: 5: must be",
        "{holdWhen: ''} | spec.holdWhen: Invalid value: \"\": line 1, column 1: ",
        "{blackouts: [{from: tomorrow, to: '2026-12-23'}]} | spec.blackouts[0].from: Invalid value: \"tomorrow\": must be a day",
      })
  @DisplayName("ACT-71 what is wrong is said with its place, and in a cluster limits everything")
  void refused(String spec, String complaint) {
    String message = complaint.strip().replace("1:2 ", "");
    assertThat(problems("spec: " + spec + "\n"))
        .extracting(Problem::text)
        .anySatisfy(text -> assertThat(text).contains(message));
    assertThat(Policies.policy("limits", spec).limits())
        .isInstanceOfSatisfying(
            Unreadable.class, unreadable -> assertThat(unreadable.problem()).contains(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-12-24         | 2026-12-24           |                  | 2026-12-24T00:00:00Z | 2026-12-25T00:00:00Z",
        "2026-12-24T18:00   | 2026-12-24T18:00:01  | ''               | 2026-12-24T18:00:00Z | 2026-12-24T18:00:01Z",
        "0000-01-01T00:00   | 9999-12-31T23:59     |                  | 0000-01-01T00:00:00Z | 9999-12-31T23:59:00Z",
        "0000-01-01         | 9999-12-31           |                  | 0000-01-01T00:00:00Z | +10000-01-01T00:00:00Z",
        "2026-12-24T18:00   | 2026-12-24T18:01     | America/New_York | 2026-12-24T23:00:00Z | 2026-12-24T23:01:00Z",
        "2026-03-29T02:15   | 2026-03-29T03:01     | Europe/Berlin    | 2026-03-29T01:00:00Z | 2026-03-29T01:01:00Z",
        "2026-03-29T01:59   | 2026-03-29T02:15     | Europe/Berlin    | 2026-03-29T00:59:00Z | 2026-03-29T01:00:00Z",
      })
  @DisplayName("ACT-73 a blackout is from a day or time to another, in years of four digits")
  void blackouts(String from, String to, String zone, Instant begin, Instant end) {
    String timeZone = zone == null ? "" : ", timeZone: '" + zone + "'";
    assertThat(
            Policies.policy(
                    "limits",
                    "{blackouts: [{from: '%s', to: '%s'%s}]}".formatted(from, to, timeZone))
                .limits())
        .isInstanceOfSatisfying(
            Spec.class,
            spec -> assertThat(spec.blackouts()).containsExactly(new Blackout(begin, end)));
  }

  @ParameterizedTest
  @CsvSource({"1m, PT1M", "168h, PT168H"})
  @DisplayName("ACT-74 a window is open from a minute to a week")
  void windows(String duration, Duration open) {
    assertThat(
            Policies.policy(
                    "limits",
                    "{windows: [{schedule: 0 0 * * *, duration: %s}]}".formatted(duration))
                .limits())
        .isInstanceOfSatisfying(
            Spec.class,
            spec -> assertThat(spec.windows()).extracting(Window::duration).containsExactly(open));
  }

  @Test
  @DisplayName("of a blackout whose clocks nobody knows it is not said that it ends too early")
  void noZone() {
    assertThat(
            problems("spec: {blackouts: [{from: '2026-12-24', to: '2026-12-23', timeZone: 1}]}\n"))
        .extracting(Problem::text)
        .singleElement()
        .asString()
        .startsWith("spec.blackouts[0].timeZone: Invalid value: 1");
  }

  @Test
  @DisplayName("ACT-71 a selector that is good limits only its nodes, though the rest is bad")
  void goodSelector() {
    RemediationPolicy policy =
        Policies.policy("limits", "{selector: {matchLabels: {pool: a}}, maxNode: 1}");
    assertThat(policy.selector()).isEqualTo(new LabelSelector(Map.of("pool", "a"), List.of()));
    RemediationPolicy lost =
        Policies.policy("limits", "{selector: {matchLabels: [a]}, maxNodes: 1}");
    assertThat(lost.selector()).isEqualTo(LabelSelector.EVERYTHING);
  }

  @Test
  @DisplayName("ACT-71 lists have bounds, and what is said of a problem has one")
  void bounds() {
    String window = "{schedule: 0 0 * * *, duration: 1h},";
    assertThat(Policies.policy("limits", "{windows: [" + window.repeat(32) + "]}").limits())
        .isInstanceOf(Spec.class);
    assertThat(problems("spec: {windows: [" + window.repeat(33) + "]}\n"))
        .extracting(Problem::text)
        .contains("spec.windows: must not have more than 32 items, but has 33");
    String blackout = "{from: '2026-01-01', to: '2026-01-02'},";
    assertThat(problems("spec: {blackouts: [" + blackout.repeat(65) + "]}\n"))
        .extracting(Problem::text)
        .contains("spec.blackouts: must not have more than 64 items, but has 65");
    assertThat(
            Policies.policy("limits", "{blackouts: [" + "{from: x, to: y},".repeat(60) + "]}")
                .limits())
        .isInstanceOfSatisfying(
            Unreadable.class, unreadable -> assertThat(unreadable.problem()).hasSizeLessThan(502));
    String longest = "true" + " ".repeat(CompiledExpression.MAX_CHARS - 4);
    assertThat(problems("spec: {holdWhen: '" + longest + "'}\n")).isEmpty();
    assertThat(problems("spec: {holdWhen: '" + longest + " '}\n"))
        .extracting(Problem::text)
        .singleElement()
        .asString()
        .contains("column 1025: must be no more than 1024 characters, found 1025");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec: {}\n", ""})
  @DisplayName("a policy that limits nothing is remarked upon")
  void limitsNothing(String spec) {
    assertThat(problems(spec))
        .extracting(problem -> problem.severity() + " " + problem.text())
        .containsExactly("WARNING spec: sets no limit");
  }

  private static List<Problem> problems(String spec) {
    String text =
        "apiVersion: probelet.io/v1alpha1\nkind: RemediationPolicy\nmetadata: {name: limits}\n"
            + spec;
    Document document = Document.yaml(Source.of(text)).findFirst().orElseThrow();
    Problems problems = new Problems(Path.of("limits.yaml"), 1);
    Field field = Field.ofDocument(new Scope(problems, Severity.WARNING), "", document.root());
    RemediationPolicyReader.read(field.object());
    return problems.all();
  }

  @Test
  @DisplayName("the example of the docs is a good one")
  void example() throws Exception {
    String page = Files.readString(Path.of("../docs/how-to/policy.md"));
    String yaml = page.substring(page.indexOf("```yaml\n") + 8);
    String spec = yaml.substring(yaml.indexOf("spec:"), yaml.indexOf("```"));
    assertThat(problems(spec)).isEmpty();
  }

  @Test
  @DisplayName("the definition has the fields that the reader knows, and its bounds")
  void definition() throws Exception {
    JsonNode crd =
        new ObjectMapper()
            .valueToTree(
                new Yaml()
                    .load(
                        Files.readString(
                            Path.of("../deploy/crds/remediationpolicies.probelet.io.yaml"))));
    assertThat(crd.at("/spec/names/kind").asText()).isEqualTo(RemediationPolicy.KIND);
    assertThat(crd.at("/spec/names/plural").asText()).isEqualTo(RemediationPolicy.PLURAL);
    assertThat(crd.at("/spec/scope").asText()).isEqualTo("Cluster");
    JsonNode spec = crd.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties");
    Set<String> fields = new TreeSet<>();
    spec.fieldNames().forEachRemaining(fields::add);
    Map<String, Object> read = new Yaml().load(ALL);
    assertThat(fields).containsExactlyInAnyOrderElementsOf(read.keySet());
    assertThat(spec.at("/maxPerHour/maximum").asInt()).isEqualTo(PolicyGate.MAX_HISTORY);
    assertThat(spec.at("/windows/maxItems").asInt()).isEqualTo(32);
    assertThat(spec.at("/blackouts/maxItems").asInt()).isEqualTo(64);
    assertThat(spec.at("/approval/maxItems").asInt()).isEqualTo(16);
    assertThat(spec.at("/holdWhen/maxLength").asInt()).isEqualTo(CompiledExpression.MAX_CHARS);
  }
}
