package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Healthy;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Soon;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unreported;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The groups of nodes, kept as nodes change and time passes. */
class NodeCensusTest {
  private static final NodeHealthCheckSpec SPEC = check().spec();
  private static final NodeFacts SILENT =
      new NodeFacts("silent", "silent-uid", Scene.START, Map.of(), List.of(), false, null);
  private static final NodeFacts OLD = node("old", "Unknown", 0);
  private static final NodeFacts LATER = node("later", "False", 100);
  private static final NodeFacts GOOD = node("good", "True", 0).withConfirmedHealthy(true);

  private static NodeFacts node(String name, String ready, int second) {
    return Scene.node(name).withCondition("Ready", ready, second(second));
  }

  private static Instant second(int second) {
    return Scene.START.plusSeconds(second);
  }

  private static NodeCensus census(int second, NodeFacts... nodes) {
    return NodeCensus.of(SPEC, List.of(nodes), second(second));
  }

  @Test
  @DisplayName("R-6 nodes are counted in their groups, and leave them again")
  void groups() {
    NodeCensus census = census(301, SILENT, OLD, LATER, GOOD);
    assertThat(census.asOf()).isEqualTo(second(301));
    assertThat(census.spec()).isSameAs(SPEC);
    assertThat(census.observed()).isEqualTo(4);
    assertThat(census.healthy()).isEqualTo(2);
    assertThat(census.unhealthy()).containsOnlyKeys("old");
    assertThat(census.confirmed()).containsExactly("good");
    assertThat(census.nextChange()).contains(second(401));
    assertThat(census.node("good")).contains(GOOD);
    assertThat(census.health("good").orElseThrow()).isInstanceOf(Healthy.class);
    assertThat(census.health("silent").orElseThrow()).isInstanceOf(Unreported.class);
    assertThat(census.health("later")).contains(new Soon(second(401)));
    assertThat(census.health("old")).contains(new Unhealthy("Ready", "Unknown", second(0)));
    assertThat(census.health("other")).isEmpty();
    assertThat(census.node("other")).isEmpty();

    assertThat(census.without("other")).isSameAs(census);
    NodeCensus rest = census.without("old").without("later").without("good");
    assertThat(rest.observed()).isEqualTo(1);
    assertThat(rest.healthy()).isEqualTo(1);
    assertThat(rest.unhealthy()).isEmpty();
    assertThat(rest.confirmed()).isEmpty();
    assertThat(rest.nextChange()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "400, old, 401",
    "401, 'later,old', ",
    "300, '', 301",
    "301, old, 401",
    "100, '', 301",
  })
  @DisplayName("R-5 as time passes, or a clock goes back, nodes move to the group of that moment")
  void moves(int second, String unhealthy, Integer next) {
    NodeCensus census = census(350, SILENT, OLD, LATER, GOOD).at(second(second));
    assertThat(String.join(",", census.unhealthy().keySet())).isEqualTo(unhealthy);
    assertThat(census.nextChange())
        .isEqualTo(Optional.ofNullable(next).map(NodeCensusTest::second));
    assertThat(census.asOf()).isEqualTo(second(second));
    assertThat(census.observed()).isEqualTo(4);
  }

  @Test
  @DisplayName("NHC-22 a node whose labels are not selected any more leaves")
  void selection() {
    NodeHealthCheckSpec spec = check().selecting("pool", "a").spec();
    NodeCensus census = NodeCensus.of(spec, List.of(GOOD.withLabel("pool", "a"), OLD), second(0));
    assertThat(census.observed()).isEqualTo(1);
    NodeCensus changed = census.with(GOOD.withLabel("pool", "b"));
    assertThat(changed.observed()).isZero();
    assertThat(changed.isNewsSince(census, "good")).isTrue();
    assertThat(changed.isNewsSince(census, "old")).isFalse();
    assertThat(census.isNewsSince(changed, "good")).isTrue();
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of(null, SILENT, false),
        Arguments.of(null, OLD, true),
        Arguments.of(OLD, null, true),
        Arguments.of(GOOD, GOOD.withLabel("pool", "a"), false),
        Arguments.of(GOOD, node("good", "False", 0).withConfirmedHealthy(true), true),
        Arguments.of(
            node("good", "False", 0), node("good", "False", 0).withLabel("pool", "a"), false),
        Arguments.of(node("silent", "True", 0), SILENT, false),
        Arguments.of(SILENT, node("silent", "True", 0), true),
        Arguments.of(GOOD, GOOD.withConfirmedHealthy(false), true),
        Arguments.of(GOOD, GOOD.withLabel(WireNames.CONTROL_PLANE, ""), true),
        Arguments.of(GOOD, GOOD.withLabel(WireNames.EXCLUDE, ""), true),
        Arguments.of(
            GOOD.withLabel(WireNames.EXCLUDE, "true"),
            GOOD.withLabel(WireNames.EXCLUDE, "false"),
            true));
  }

  @ParameterizedTest
  @MethodSource("changes")
  @DisplayName("R-4 only what can change a plan is news")
  void news(NodeFacts before, NodeFacts after, boolean news) {
    NodeCensus old = before == null ? census(0) : census(0, before);
    NodeCensus now = after == null ? old.without(before.name()) : old.with(after);
    assertThat(now.isNewsSince(old, (after == null ? before : after).name())).isEqualTo(news);
  }

  static Stream<Arguments> counts() {
    NodeFacts good = node("n", "True", 0);
    NodeFacts soon = node("n", "False", 400);
    NodeFacts bad = node("n", "False", 0);
    return Stream.of(
        Arguments.of("enough stay", check().minHealthy(2), good, soon, 0, true),
        Arguments.of("enough come", check().minHealthy(2), soon, good, 0, true),
        Arguments.of("one may not count yet", check().minHealthy(2), good, soon, 1, false),
        Arguments.of("one less is enough", check().minHealthy(1), good, soon, 1, true),
        Arguments.of("too few now", check().minHealthy(3), good, soon, 0, false),
        Arguments.of("enough now", check().minHealthy(3), soon, good, 0, false),
        Arguments.of("too few stay", check().minHealthy(4), good, soon, 0, true),
        Arguments.of("no such floor", check().maxUnhealthy(4), good, soon, 9, true),
        Arguments.of("new", check().minHealthy(1), null, good, 0, false),
        Arguments.of("gone", check().minHealthy(1), good, null, 0, false),
        Arguments.of("was unhealthy", check().minHealthy(1), bad, good, 0, false),
        Arguments.of("is unhealthy", check().minHealthy(1), good, bad, 0, false),
        Arguments.of(
            "was confirmed",
            check().minHealthy(1),
            good.withConfirmedHealthy(true),
            good,
            0,
            false),
        Arguments.of(
            "is confirmed", check().minHealthy(1), good, good.withConfirmedHealthy(true), 0, false),
        Arguments.of(
            "approved", check().minHealthy(1), good, good.withApproved("Reboot"), 0, false),
        Arguments.of(
            "other labels", check().minHealthy(1), good, good.withLabel("pool", "a"), 0, false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("counts")
  @DisplayName("RB-1 a plan is not made again if one node more or less is healthy, enough or not")
  void onlyCounts(
      String what,
      HealthCheckBuilder check,
      NodeFacts before,
      NodeFacts after,
      int uncertain,
      boolean onlyCount) {
    NodeCensus rest =
        NodeCensus.of(
            check.spec(), List.of(node("a", "True", 0), node("b", "True", 0)), second(600));
    NodeCensus old = before == null ? rest : rest.with(before);
    NodeCensus now = after == null ? rest : rest.with(after);

    assertThat(now.isOnlyCountSince(old, "n", uncertain)).isEqualTo(onlyCount);
  }

  @Test
  @DisplayName("RB-4 a node that never reported is unhealthy once it was asked for, and not before")
  void neverReported() {
    NodeHealthCheckSpec spec = check().neverReadyAfter(Duration.ofMinutes(20)).spec();
    NodeHealth soon = NodeHealth.of(spec, SILENT, second(1200));
    assertThat(soon).isEqualTo(new Soon(second(1201)));
    Unhealthy unhealthy = (Unhealthy) NodeHealth.of(spec, SILENT, second(1201));
    assertThat(unhealthy).isEqualTo(new Unhealthy("Ready", "", second(0)));
    assertThat(unhealthy.condition()).isEqualTo("Ready missing");
    assertThat(NodeHealth.of(spec, GOOD, second(9999))).isInstanceOf(Healthy.class);
    assertThat(new Unhealthy("Ready", "Unknown", second(0)).condition()).isEqualTo("Ready=Unknown");
  }

  @Test
  @DisplayName("R-5 of several conditions that match the first to have lasted counts")
  void earliest() {
    NodeHealthCheckSpec spec = check().spec();
    NodeFacts both =
        new NodeFacts(
            "n1",
            "n1-uid",
            Scene.START,
            Map.of(),
            List.of(
                new NodeFacts.NodeCondition("Ready", "False", second(50)),
                new NodeFacts.NodeCondition("Ready", "Unknown", second(20)),
                new NodeFacts.NodeCondition("Ready", "Unknown", second(70)),
                new NodeFacts.NodeCondition("Disk", "Unknown", second(0))),
            false,
            null);
    assertThat(NodeHealth.of(spec, both, second(100))).isEqualTo(new Soon(second(321)));
  }
}
