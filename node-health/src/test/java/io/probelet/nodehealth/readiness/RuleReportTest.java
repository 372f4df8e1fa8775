package io.probelet.nodehealth.readiness;

import static io.probelet.nodehealth.readiness.RuleFixtures.NETWORK;
import static io.probelet.nodehealth.readiness.RuleFixtures.WORKERS;
import static io.probelet.nodehealth.readiness.RuleFixtures.needs;
import static io.probelet.nodehealth.readiness.RuleFixtures.node;
import static io.probelet.nodehealth.readiness.RuleFixtures.rule;
import static io.probelet.nodehealth.readiness.RuleFixtures.set;
import static io.probelet.nodehealth.readiness.RuleFixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.readiness.ReadinessSpec.Requirement;
import io.probelet.nodehealth.readiness.RuleReport.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The status of a rule. */
class RuleReportTest {
  private static final ReadinessSpec SPEC = spec(false, needs("CNIReady", "True"));

  private static RuleReport report(
      RuleSet rules, List<ReadinessNode> nodes, Map<String, Failure> failures) {
    NodeReadinessRule first = rules.rules().getFirst();
    return RuleReport.of(first, first.specOrNull(), rules, nodes, failures);
  }

  private static ReadinessNode named(String name, String conditions, boolean tainted) {
    return tainted
        ? node(name, conditions, Set.of(), Set.of(), NETWORK)
        : node(name, conditions, Set.of(), Set.of());
  }

  @Test
  void listsNodesThatWaitFirst() {
    RuleReport report =
        report(
            set(rule("a", SPEC)),
            List.of(
                named("n1", "CNIReady=True", false), named("n2", "", true), named("n3", "", false)),
            Map.of("n3", new Failure("AddTaintError", "no\nright")));
    JsonNode status = report.statusAt("2026-01-01T00:00:00Z");
    assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
    assertThat(status.path("appliedNodes").toString()).isEqualTo("[\"n1\",\"n2\"]");
    assertThat(status.path("failedNodes").toString())
        .isEqualTo(
            """
            [{"nodeName":"n3","reason":"AddTaintError","message":"no right",\
            "lastEvaluationTime":"2026-01-01T00:00:00Z"}]\
            """);
    assertThat(status.path("nodeEvaluations").findValuesAsText("nodeName"))
        .containsExactly("n2", "n3", "n1");
    assertThat(status.path("nodeEvaluations").findValuesAsText("taintStatus"))
        .containsExactly("Present", "Absent", "Absent");
    assertThat(status.at("/nodeEvaluations/0/conditionResults/0").toString())
        .isEqualTo(
            """
            {"type":"CNIReady","currentStatus":"Unknown","requiredStatus":"True",\
            "defaultStatus":"Unknown"}\
            """);
    assertThat(status.path("dryRunResults").isNull()).isTrue();
    assertThat(List.of(report.held(), report.released(), report.omitted()))
        .containsExactly(1, 2, 0);
  }

  /** NRR-6: within what etcd takes, whatever the names are. */
  @Test
  void staysWithinItsLimitsAndSaysHowManyNodesAreLeftOut() {
    List<Requirement> many = new ArrayList<>();
    IntStream.range(0, ReadinessSpec.MAX_CONDITIONS)
        .forEach(i -> many.add(needs("example.org/" + "c".repeat(290) + i, "True")));
    ReadinessSpec large = new ReadinessSpec(many, false, false, NETWORK, WORKERS, false);
    List<ReadinessNode> nodes =
        IntStream.range(0, 20_000).mapToObj(i -> named("n".repeat(240) + i, "", true)).toList();
    RuleReport report = report(set(rule("a", large)), nodes, Map.of());
    int listed = report.status().path("nodeEvaluations").size();
    assertThat(listed).isPositive();
    assertThat(report.omitted()).isEqualTo(nodes.size() - listed);
    assertThat(report.held()).isEqualTo(nodes.size());
    assertThat(report.statusAt("2026-01-01T00:00:00Z").toString()).hasSizeLessThan(300 * 1024);

    Map<String, Failure> failures = new HashMap<>();
    nodes.forEach(
        node -> failures.put(node.name(), new Failure("AddTaintError", "x".repeat(9999))));
    report = report(set(rule("a", SPEC)), nodes, failures);
    assertThat(report.status().path("failedNodes")).hasSize(RuleReport.MAX_FAILED);
    assertThat(report.status().path("nodeEvaluations").size())
        .isLessThanOrEqualTo(RuleReport.MAX_EVALUATIONS);
    assertThat(report.statusAt("2026-01-01T00:00:00Z").toString()).hasSizeLessThan(300 * 1024);
  }

  @Test
  void dryRunCountsWhatItWouldDo() {
    ReadinessSpec dry = new ReadinessSpec(SPEC.conditions(), false, true, NETWORK, WORKERS, true);
    ReadinessNode done =
        node(
            "n4", "CNIReady=False", Set.of("readiness.k8s.io/bootstrap-completed-uid-a"), Set.of());
    RuleReport report =
        report(
            set(rule("a", dry)),
            List.of(
                named("n1", "CNIReady=True", true),
                named("n2", "CNIReady=False", false),
                named("n3", "", true),
                done),
            Map.of());
    assertThat(report.status().path("dryRunResults").toString())
        .isEqualTo(
            """
            {"affectedNodes":4,"taintsToAdd":1,"taintsToRemove":1,"riskyOperations":1,\
            "summary":"the rule selects 4 nodes: 1 would get the taint, 1 would lose it, 1 lack a condition"}\
            """);
    assertThat(report.status().path("appliedNodes").isNull()).isTrue();
  }

  /** NRR-4: both are carried out, so that the node is never released. */
  @Test
  void reportsARuleThatNoNodeCanSatisfyTogetherWithThisOne() {
    RuleSet rules = set(rule("a", SPEC), rule("b", spec(true, needs("CNIReady", "False"))));
    RuleReport report = report(rules, List.of(named("n1", "CNIReady=True", true)), Map.of());
    assertThat(report.conflict()).isEqualTo("b");
    assertThat(report.status().at("/failedNodes/0/reason").asText()).isEqualTo("ConflictingRule");
    assertThat(report.status().at("/failedNodes/0/message").asText()).startsWith("rule b has");
    assertThat(report(rules, List.of(), Map.of()).conflict())
        .as("no node is selected by both")
        .isEmpty();
    RuleSet agreeing = set(rule("a", SPEC), rule("b", spec(true, needs("CSIReady", "False"))));
    assertThat(report(agreeing, List.of(named("n1", "", true)), Map.of()).conflict()).isEmpty();
  }
}
