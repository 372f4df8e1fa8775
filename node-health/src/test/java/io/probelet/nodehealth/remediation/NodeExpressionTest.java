package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Soon;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Undecided;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that an expression makes unhealthy (RB-7). */
class NodeExpressionTest {
  private static final NodeFacts NODE =
      new NodeFacts(
          "n1",
          "n1-uid",
          Scene.START,
          Map.of("pool", "gpu"),
          List.of(
              new NodeCondition("Ready", "True", Scene.START, "KubeletReady"),
              new NodeCondition("GpuHealthy", "False", second(60), "XidError"),
              new NodeCondition("degraded.probelet.io/Slow", "True", second(60), "Slow")),
          List.of(new NodeTaint("maintenance", "", "NoSchedule")),
          false,
          null,
          null);

  private static Instant second(int second) {
    return Scene.START.plusSeconds(second);
  }

  private static NodeHealth health(String expression, NodeFacts node, int second) {
    return NodeHealth.of(check().unhealthyWhen(expression).spec(), node, second(second));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conditions.GpuHealthy.status == 'False' && conditions.GpuHealthy.reason == 'XidError'",
        "conditions.GpuHealthy.age > duration('1m') && labels.pool == 'gpu'",
        "taints.exists(t, t.key == 'maintenance' && t.effect == 'NoSchedule') && name == 'n1'",
        "age > duration('2m') && !('Missing' in conditions)",
        "conditions.filter(t, conditions[t].severity == 'degraded') == ['degraded.probelet.io/Slow']",
        "conditions.Ready.severity == 'critical'",
      })
  @DisplayName("RB-7 an expression reads conditions, labels, taints, name and ages")
  void unhealthy(String expression) {
    assertThat(health(expression, NODE, 200)).isInstanceOf(Unhealthy.class);
  }

  @Test
  @DisplayName("RB-7 a node is soon unhealthy until its age is exceeded, and then unhealthy")
  void byAge() {
    String expression =
        "conditions.GpuHealthy.status == 'False' && conditions.GpuHealthy.age > duration('5m')";

    assertThat(health(expression, NODE, 200)).isEqualTo(new Soon(second(361)));
    assertThat(health(expression, NODE, 360)).isEqualTo(new Soon(second(361)));
    assertThat(health(expression, NODE, 361))
        .isEqualTo(new Unhealthy("unhealthy-when", "True", second(361)));
    assertThat(health(expression, NODE, 9_999))
        .isEqualTo(new Unhealthy("unhealthy-when", "True", second(361)));
  }

  @Test
  @DisplayName("RB-7 a node is unhealthy since its last change, as far as ages and conditions tell")
  void since() {
    NodeFacts later = NODE.withCondition("DiskPressure", "True", second(90));

    assertThat(health("'DiskPressure' in conditions", later, 100))
        .isEqualTo(new Unhealthy("unhealthy-when", "True", second(90)));
  }

  @Test
  @DisplayName("RB-7 a node that will be too old in more than an hour is healthy until then")
  void farAhead() {
    String expression = "age > duration('24h')";
    NodeCensus census =
        NodeCensus.of(check().unhealthyWhen(expression).spec(), List.of(NODE), second(0));

    assertThat(census.healthy()).isEqualTo(1);
    assertThat(census.nextChange()).contains(second(23 * 3_600 + 1));
    assertThat(census.at(second(23 * 3_600 + 1)).health("n1"))
        .contains(new Soon(second(24 * 3_600 + 1)));
    assertThat(census.at(second(24 * 3_600 + 1)).unhealthy()).containsOnlyKeys("n1");
  }

  @Test
  @DisplayName("RB-7 a node that was unhealthy while young is healthy by time alone")
  void healthyAgain() {
    NodeCensus census =
        NodeCensus.of(
            check().unhealthyWhen("conditions.GpuHealthy.age < duration('5m')").spec(),
            List.of(NODE),
            second(100));

    assertThat(census.unhealthy()).containsOnlyKeys("n1");
    assertThat(census.nextChange()).contains(second(361));
    assertThat(census.at(second(361)).healthy()).isEqualTo(1);
    assertThat(census.at(second(361)).nextChange()).isEmpty();
  }

  @Test
  @DisplayName("RB-7 an expression without a value makes a node neither healthy nor unhealthy")
  void undecided() {
    String expression = "conditions.Missing.status == 'True'";
    NodeCensus census =
        NodeCensus.of(check().unhealthyWhen(expression).spec(), List.of(NODE), second(0));

    assertThat(census.health("n1").orElseThrow())
        .isInstanceOfSatisfying(
            Undecided.class,
            undecided -> assertThat(undecided.reason()).startsWith("a field or key is missing"));
    assertThat(census.observed()).isEqualTo(1);
    assertThat(census.healthy()).isZero();
    assertThat(census.unhealthy()).isEmpty();
    assertThat(census.without("n1").healthy()).isZero();
  }

  @Test
  @DisplayName("RB-7 conditions of the spec count as ever, whatever the expression says")
  void conditionsCount() {
    NodeFacts down = NODE.withCondition("Ready", "Unknown", second(0));

    assertThat(health("false", down, 301)).isEqualTo(new Unhealthy("Ready", "Unknown", second(0)));
    assertThat(health("conditions.Missing.status == 'x'", down, 301))
        .isEqualTo(new Unhealthy("Ready", "Unknown", second(0)));
    assertThat(health("conditions.Missing.status == 'x'", down, 100))
        .isEqualTo(new Soon(second(301)));
  }

  @Test
  @DisplayName("RB-7 a node by expression is remediated, and its remediation ends with the cause")
  void remediates() {
    Scene scene =
        Scene.of(
            check()
                .unhealthyWhen(
                    "conditions.exists(c, conditions[c].reason == 'XidError')"
                        + " && labels.pool == 'gpu'"),
            3);
    scene.label("n1", "pool", "gpu");
    scene.minutes(1);
    assertThat(scene.remediations()).isEmpty();

    scene.cluster.put(
        scene
            .cluster
            .nodes()
            .get("n1")
            .withCondition(
                new NodeCondition("GpuHealthy", "False", scene.cluster.now(), "XidError")));
    scene.controller.settle();
    assertThat(scene.remediations()).hasSize(1);

    scene.cluster.put(
        scene.cluster.nodes().get("n1").withCondition("GpuHealthy", "True", scene.cluster.now()));
    scene.controller.settle();
    assertThat(scene.remediations()).isEmpty();
  }

  @Test
  @DisplayName("RB-7 an undecided node is not remediated, has one event, and keeps its remediation")
  void undecidedIsHeld() {
    Scene scene = Scene.of(check().unhealthyWhen("conditions['GpuHealthy'].status == 'False'"), 3);
    scene.minutes(10);

    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().healthyNodes()).isZero();
    assertThat(
            scene.done.stream()
                .filter(action ->
                    action instanceof EmitEvent event
                        && event.message().contains("probelet.io/unhealthy-when has no value")))
        .hasSize(3);
    assertThat(scene.controller.lastPlan("nhc").orElseThrow().holdOf("n1").orElseThrow().label())
        .isEqualTo("Undecided");

    for (String name : List.of("n1", "n2", "n3")) {
      String status = name.equals("n1") ? "False" : "True";
      NodeFacts node = scene.cluster.nodes().get(name);
      scene.cluster.put(node.withCondition("GpuHealthy", status, scene.cluster.now()));
    }
    scene.controller.settle();
    assertThat(scene.remediations()).hasSize(1);

    NodeFacts without = Scene.node("n1");
    scene.cluster.put(without);
    scene.controller.settle();
    scene.pass(Duration.ofMinutes(1));
    assertThat(scene.remediations()).hasSize(1);
  }

  @Test
  @DisplayName(
      "RB-7 of a node with very many conditions only the next hundred moments are looked at")
  void manyConditions() {
    List<NodeCondition> many =
        IntStream.rangeClosed(1, NodeExpression.MAX_AHEAD + 10)
            .mapToObj(each -> new NodeCondition("C" + each, "True", second(each), ""))
            .toList();
    NodeFacts node =
        new NodeFacts("n1", "n1-uid", second(-9_000), Map.of(), many, List.of(), false, null, null);
    CompiledExpression expression =
        Objects.requireNonNull(
            check()
                .unhealthyWhen("'X' in conditions && age < duration('1h')")
                .spec()
                .unhealthyWhen());

    NodeExpression.Course course = new NodeExpression(expression, node, Instant.MIN).at(second(0));

    assertThat(course.until()).isEqualTo(second(3_601 + NodeExpression.MAX_AHEAD + 1));
    assertThat(course.then()).isNull();
    assertThat(new NodeExpression(expression, node, Instant.MIN).at(second(3_700)).until())
        .isNull();
  }
}
