package io.probelet.nodehealth.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.expression.ExpressionResult;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.nodehealth.policy.PolicyAnswer.Allowed;
import io.probelet.nodehealth.policy.PolicyAnswer.Held;
import io.probelet.nodehealth.policy.PolicyFacts.State;
import io.probelet.nodehealth.policy.PolicyRequest.Evaluated;
import io.probelet.nodehealth.policy.PolicyRequest.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyGateTest {
  private static final Instant NOW = Instant.parse("2026-06-10T12:00:00Z");
  private static final String REBOOT = "RebootRemediation";

  private static PolicyNode node(String name, String... labels) {
    Map<String, String> map =
        Arrays.stream(labels)
            .map(label -> label.split("=", -1))
            .collect(java.util.stream.Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    return PolicyNode.of(name, map);
  }

  private static PolicyGate gate(List<State> states, PolicyNode... atWork) {
    return new PolicyGate(new PolicyFacts(states, List.of(atWork), null), NOW);
  }

  private static PolicyAnswer ask(String spec, PastRemediation... history) {
    return ask(gate(List.of(Policies.state(spec, 10, history))), node("n1"));
  }

  private static PolicyAnswer ask(PolicyGate gate, PolicyNode node) {
    return gate.ask(first(node));
  }

  private static PolicyRequest first(PolicyNode node) {
    return new PolicyRequest(node, NodeState.UNKNOWN, REBOOT, null);
  }

  private static PastRemediation past(String node, String ago) {
    return new PastRemediation(node, REBOOT, NOW.minus(Duration.parse("PT" + ago)));
  }

  private static String label(PolicyAnswer answer) {
    return answer.hold().map(PolicyHold::label).orElse("allowed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | allowed | ",
        "{paused: true} | PolicyPaused | ",
        "{blackouts: [{from: '2026-06-10', to: '2026-06-10'}]} | PolicyInBlackout | 2026-06-11T00:00:00Z",
        "{blackouts: [{from: '2026-06-10T12:00', to: '2026-06-10T12:01'}]} | PolicyInBlackout | 2026-06-10T12:01:00Z",
        "{blackouts: [{from: '2026-06-10T12:01', to: '2026-06-11'}]} | allowed | ",
        "{blackouts: [{from: '2026-06-01', to: '2026-06-09'}]} | allowed | ",
        "{blackouts: [{from: '2026-06-10T14:00', to: '2026-06-10T15:00', timeZone: Europe/Berlin}]} | PolicyInBlackout | 2026-06-10T13:00:00Z",
        "{windows: [{schedule: 0 12 * * *, duration: 1h}]} | allowed | ",
        "{windows: [{schedule: 0 13 * * *, duration: 1h}]} | PolicyOutsideWindows | 2026-06-10T13:00:00Z",
        "{windows: [{schedule: 0 13 * * *, duration: 1h}, {schedule: 0 11 * * *, duration: 61m}]} | allowed | ",
        "{windows: [{schedule: 0 12 * * *, duration: 1h}], blackouts: [{from: '2026-06-10', to: '2026-06-10'}]} | PolicyInBlackout | 2026-06-11T00:00:00Z",
        "{approval: [RebootRemediation]} | PolicyAwaitingApproval | ",
        "{approval: ['*']} | PolicyAwaitingApproval | ",
        "{approval: [MachineRemediation]} | allowed | ",
        "{maxPerHour: 0} | PolicyHourlyLimit | ",
        "{maxPerHour: 1} | allowed | ",
        "{maxNodes: 0} | PolicyNodeLimit | ",
        "{maxNodes: 9%} | PolicyNodeLimit | ",
        "{maxNodes: 10%} | allowed | ",
        "{maxNodesPerZone: 0} | PolicyZoneLimit | ",
        "{dryRun: true} | PolicyDryRun | ",
        "{dryRun: true, paused: true} | PolicyPaused | ",
        "{maxNode: 3} | PolicyUnreadable | ",
        "{selector: {matchLabels: {pool: a}}, paused: true} | allowed | ",
        "{selector: {matchLabels: {pool: a}}, maxNode: 3} | allowed | ",
        "{selector: {matchLabels: [pool]}, maxNodes: 3} | PolicyUnreadable | ",
      })
  @DisplayName(
      "ACT-71, ACT-72, ACT-73, ACT-80 what each limit says of the first remediation of a node")
  void limits(String spec, String label, Instant until) {
    PolicyAnswer answer = ask(spec);
    assertThat(label(answer)).isEqualTo(label);
    if (answer instanceof Held held) {
      assertThat(held.until()).isEqualTo(until);
      assertThat(held.why().message()).startsWith("RemediationPolicy limits: ");
    }
  }

  @Test
  @DisplayName("ACT-70 each policy that selects the node may hold; the strictest is said")
  void strictest() {
    State dry = new State(Policies.policy("a", "{dryRun: true}"), 10, List.of());
    State paused = new State(Policies.policy("b", "{paused: true}"), 10, List.of());
    State other =
        new State(
            Policies.policy("c", "{selector: {matchLabels: {pool: x}}, bad: 1}"), 10, List.of());
    assertThat(ask(gate(List.of(dry, paused, other)), node("n1")).hold())
        .contains(new PolicyHold.Paused("b"));
    assertThat(label(ask(gate(List.of(dry, paused, other)), node("n1", "pool=x"))))
        .isEqualTo("PolicyUnreadable");
    assertThat(label(ask(gate(List.of(dry, other)), node("n1")))).isEqualTo("PolicyDryRun");
    assertThat(gate(List.of()).isOpen()).isTrue();
    assertThat(ask(gate(List.of()), node("n1"))).isEqualTo(new Allowed(List.of(), false));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-06-10T15:00, 2026-06-10T18:00, 2026-06-10T15:00:00Z",
    "2026-06-10T18:00, 2026-06-10T15:00, 2026-06-10T15:00:00Z",
    "2026-06-10T15:00, 2026-06-10T15:00, 2026-06-10T15:00:00Z",
  })
  @DisplayName(
      "ACT-70 of several it is asked again when the first ends; of equals the first is said")
  void asksAgain(String first, String second, Instant until) {
    String blackout = "{blackouts: [{from: '2026-06-10', to: '%s'}]}";
    State a = new State(Policies.policy("a", blackout.formatted(first)), 10, List.of());
    State b = new State(Policies.policy("b", blackout.formatted(second)), 10, List.of());
    assertThat(ask(gate(List.of(a, b)), node("n1")))
        .isEqualTo(new Held(new PolicyHold.InBlackout("a", Instant.parse(first + ":00Z")), until));
  }

  @Test
  @DisplayName("ACT-71 policies that may not be listed hold everything")
  void unknown() {
    PolicyGate gate = new PolicyGate(PolicyFacts.unknown("no right to list"), NOW);
    assertThat(gate.isOpen()).isFalse();
    assertThat(ask(gate, node("n1")).hold()).contains(new PolicyHold.Unknown("no right to list"));
  }

  @Test
  @DisplayName("ACT-77 so many begin within any 60 minutes; a clock that went back counts more")
  void hour() {
    String three = "{maxPerHour: 3}";
    assertThat(label(ask(three, past("a", "1H"), past("b", "59M"), past("c", "1M"))))
        .isEqualTo("allowed");
    PolicyAnswer held = ask(three, past("a", "59M"), past("b", "58M"), past("c", "1M"));
    assertThat(held.hold())
        .contains(new PolicyHold.HourlyLimit("limits", 3, 3, NOW.plusSeconds(60)));
    assertThat(label(ask(three, past("a", "-5M"), past("b", "-9M"), past("c", "1M"))))
        .isEqualTo("PolicyHourlyLimit");
    PolicyAnswer lowered = ask("{maxPerHour: 1}", past("a", "50M"), past("b", "10M"));
    assertThat(((Held) lowered).until()).isEqualTo(NOW.plus(Duration.ofMinutes(50)));
  }

  @Test
  @DisplayName("ACT-77, ACT-78 what begins in a pass counts for what is asked next in it")
  void samePass() {
    PolicyGate gate = gate(List.of(Policies.state("{maxPerHour: 2}", 10)));
    for (String name : List.of("n1", "n2")) {
      assertThat(label(ask(gate, node(name)))).isEqualTo("allowed");
      gate.begin(first(node(name)));
    }
    assertThat(label(ask(gate, node("n3")))).isEqualTo("PolicyHourlyLimit");

    PolicyGate nodes = gate(List.of(Policies.state("{maxNodes: 20%}", 14)), node("n1"));
    assertThat(label(ask(nodes, node("n2")))).isEqualTo("allowed");
    nodes.begin(first(node("n2")));
    assertThat(label(ask(nodes, node("n3")))).isEqualTo("PolicyNodeLimit");
    assertThat(label(ask(nodes, node("n2")))).as("its next step").isEqualTo("allowed");
  }

  @Test
  @DisplayName("ACT-78 only nodes that the policy selects count, and those that are gone")
  void selectedNodes() {
    String spec = "{selector: {matchLabels: {pool: x}}, maxNodes: 1}";
    PolicyNode mine = node("n1", "pool=x");
    List<State> states = List.of(Policies.state(spec, 3));
    assertThat(label(ask(gate(states, node("n2", "pool=y")), mine))).isEqualTo("allowed");
    assertThat(label(ask(gate(states, node("n2", "pool=x")), mine))).isEqualTo("PolicyNodeLimit");
    assertThat(label(ask(gate(states, PolicyNode.of("n2", null)), mine)))
        .isEqualTo("PolicyNodeLimit");
  }

  @Test
  @DisplayName("ACT-78 in each zone so many; nodes without one are in one together")
  void zones() {
    String zone = RemediationPolicyReader.ZONE_LABEL;
    List<State> states = List.of(Policies.state("{maxNodesPerZone: 1}", 9));
    PolicyNode a = node("n2", zone + "=a");
    assertThat(label(ask(gate(states, a), node("n1", zone + "=b")))).isEqualTo("allowed");
    assertThat(ask(gate(states, a), node("n1", zone + "=a")).hold())
        .contains(new PolicyHold.ZoneLimit("limits", "a", 1, 1));
    assertThat(label(ask(gate(states, a), node("n1")))).isEqualTo("allowed");
    assertThat(label(ask(gate(states, node("n3")), node("n1")))).isEqualTo("PolicyZoneLimit");
    assertThat(label(ask(gate(states, PolicyNode.of("n3", null)), node("n1", zone + "=b"))))
        .isEqualTo("PolicyZoneLimit");
    List<State> racks = List.of(Policies.state("{maxNodesPerZone: 1, zoneLabel: rack}", 9));
    assertThat(label(ask(gate(racks, node("n2", "rack=1")), node("n1", "rack=1"))))
        .isEqualTo("PolicyZoneLimit");
  }

  @Test
  @DisplayName("ACT-75 a node that was remediated so often is given up until that is over")
  void backstop() {
    String spec = "{backstop: {times: 2, within: 24h}}";
    assertThat(label(ask(spec, past("n1", "25H"), past("n1", "1H")))).isEqualTo("allowed");
    assertThat(label(ask(spec, past("n2", "2H"), past("n2", "1H")))).isEqualTo("allowed");
    PolicyAnswer held = ask(spec, past("n1", "20H"), past("n1", "2H"), past("n1", "1H"));
    assertThat(label(held)).isEqualTo("PolicyGivenUp");
    assertThat(((Held) held).until()).isEqualTo(NOW.plus(Duration.ofHours(22)));
    assertThat(((Held) held).why().message())
        .isEqualTo(
            "RemediationPolicy limits: node n1 was remediated 2 times within 24h; gave up"
                + " until 2026-06-11T10:00:00Z, or until you annotate the node with"
                + " probelet.io/approved=RebootRemediation");
  }

  @Test
  @DisplayName("ACT-75, ACT-76 a human allows one remediation of this node and kind, nothing else")
  void approval() {
    State state =
        Policies.state("{approval: ['*'], backstop: {times: 1, within: 24h}}", 9, past("n1", "2H"));
    PolicyNode approved = new PolicyNode("n1", Map.of(), Set.of(REBOOT));
    assertThat(ask(gate(List.of(state)), approved)).isEqualTo(new Allowed(List.of("limits"), true));
    PolicyNode other = new PolicyNode("n1", Map.of(), Set.of("MachineRemediation", "true"));
    assertThat(label(ask(gate(List.of(state)), other))).isEqualTo("PolicyGivenUp");
    PolicyNode second = new PolicyNode("n2", Map.of(), Set.of("true"));
    assertThat(label(ask(gate(List.of(state)), second))).isEqualTo("PolicyAwaitingApproval");
    assertThat(ask(gate(List.of(Policies.state("{maxNodes: 1}", 9))), approved))
        .as("not needed, so not taken")
        .isEqualTo(new Allowed(List.of("limits"), false));
    State paused = Policies.state("{approval: ['*'], paused: true}", 9);
    assertThat(label(ask(gate(List.of(paused)), approved))).isEqualTo("PolicyPaused");
  }

  @Test
  @DisplayName("ACT-79 a remediation that is counted already is asked for times and numbers only")
  void counted() {
    PastRemediation first = past("n1", "1M");
    State state =
        Policies.state(
            "{approval: ['*'], maxPerHour: 1, backstop: {times: 1, within: 1h}}", 9, first);
    PolicyRequest again = new PolicyRequest(node("n1"), NodeState.UNKNOWN, REBOOT, first.time());
    assertThat(gate(List.of(state)).ask(again)).isEqualTo(new Allowed(List.of(), false));
    PolicyRequest forged =
        new PolicyRequest(node("n1"), NodeState.UNKNOWN, REBOOT, first.time().plusMillis(1));
    assertThat(label(gate(List.of(state)).ask(forged))).isEqualTo("PolicyGivenUp");
    PolicyRequest otherKind =
        new PolicyRequest(node("n1"), NodeState.UNKNOWN, "MachineRemediation", first.time());
    assertThat(label(gate(List.of(state)).ask(otherKind))).isEqualTo("PolicyGivenUp");
    State paused = Policies.state("{paused: true}", 9, first);
    assertThat(label(gate(List.of(paused)).ask(again))).isEqualTo("PolicyPaused");
  }

  @Test
  @DisplayName("ACT-79 what would not be remembered does not begin")
  void historyFull() {
    PastRemediation[] many =
        IntStream.range(0, PolicyGate.MAX_HISTORY)
            .mapToObj(i -> new PastRemediation("n" + i, REBOOT, NOW.minusSeconds(i)))
            .toArray(PastRemediation[]::new);
    assertThat(label(ask("{}", many))).isEqualTo("PolicyHistoryFull");
    many[0] = past("x", "61M");
    assertThat(label(ask("{}", many))).isEqualTo("allowed");
    assertThat(label(ask("{backstop: {times: 9, within: 2h}}", many)))
        .isEqualTo("PolicyHistoryFull");

    PolicyGate gate = gate(List.of(Policies.state("{}", 10, many)));
    assertThat(label(ask(gate, node("n1")))).isEqualTo("allowed");
    gate.begin(first(node("n1")));
    assertThat(ask(gate, node("n2")))
        .as("with what the same pass lets begin, until the oldest is an hour old")
        .isEqualTo(
            new Held(
                new PolicyHold.HistoryFull("limits", NOW.plusSeconds(3600 - 999)),
                NOW.plusSeconds(3600 - 999)));
  }

  @Test
  @DisplayName("ACT-76 the annotation names kinds; the one that was made use of is taken off")
  void annotation() {
    assertThat(PolicyNode.approvals(null)).isEmpty();
    assertThat(PolicyNode.approvals(" A , B,,")).containsExactlyInAnyOrder("A", "B");
    assertThat(PolicyNode.approvals("x,".repeat(50_000))).hasSize(1);
    assertThat(PolicyNode.approvalsWithout("C, B,A", "B")).isEqualTo("A,C");
    assertThat(PolicyNode.approvalsWithout("B", "B")).isEmpty();
  }

  @Test
  @DisplayName("ACT-79 an entry of a status is what was written; others are passed over")
  void entries() {
    PastRemediation entry =
        new PastRemediation("n1", REBOOT, Instant.parse("2026-06-10T12:00:00.123456Z"));
    assertThat(entry.key()).isEqualTo("2026-06-10T12:00:00.123Z n1");
    assertThat(PastRemediation.read(entry.key(), REBOOT)).contains(entry);
    assertThat(PastRemediation.read("n1", REBOOT)).isEmpty();
    assertThat(PastRemediation.read("yesterday n1", REBOOT)).isEmpty();
    assertThat(PastRemediation.read(" n1", REBOOT)).isEmpty();
    assertThat(PastRemediation.read("9999-12-31T23:59:59.999Z n1", REBOOT)).isPresent();
    assertThat(PastRemediation.read("+10000-01-01T00:00:00Z n1", REBOOT)).isEmpty();
  }

  @Test
  @DisplayName("ACT-79 an entry of the last moment there is, which is none of ours, stops nothing")
  void lastMoment() {
    PastRemediation[] read =
        PastRemediation.read("+1000000000-12-31T23:59:59Z n1", REBOOT).stream()
            .toArray(PastRemediation[]::new);
    assertThat(label(ask("{maxPerHour: 1, backstop: {times: 1, within: 1h}}", read)))
        .isEqualTo("allowed");
    assertThat(Policies.state("{}", 9, read).nextChange(NOW)).isEmpty();
  }

  private static PolicyAnswer askWith(String spec, ExpressionResult result, Instant until) {
    NodeState state = (_, _) -> new Evaluated(result, until);
    return gate(List.of(Policies.state(spec, 10)))
        .ask(new PolicyRequest(node("n1"), state, REBOOT, null));
  }

  @Test
  @DisplayName("ACT-81 an expression that is true or has no value holds back, and names its node")
  void expression() {
    String spec = "{holdWhen: age < duration('10m')}";
    Instant later = NOW.plusSeconds(60);
    assertThat(label(askWith(spec, new Decided(false), later))).isEqualTo("allowed");
    assertThat(askWith(spec, new Decided(true), later))
        .isEqualTo(new Held(new PolicyHold.ByExpression("limits", "n1"), later));
    assertThat(askWith(spec, new Undecided("no such key: pool"), null))
        .isInstanceOfSatisfying(
            Held.class,
            held ->
                assertThat(held.why().message())
                    .isEqualTo(
                        "RemediationPolicy limits: holdWhen has no value for node n1: no such key: pool"));
    assertThat(label(ask(spec))).as("a node that is gone").isEqualTo("PolicyUndecided");
    assertThat(label(ask("{}"))).as("without an expression nothing is read").isEqualTo("allowed");
  }

  @Test
  @DisplayName("ACT-81 a remediation that is counted already is held back, too")
  void expressionOfCounted() {
    PastRemediation counted = past("n1", "1M");
    PolicyRequest again =
        new PolicyRequest(
            node("n1"), (_, _) -> new Evaluated(new Decided(true), null), REBOOT, counted.time());
    State state = Policies.state("{holdWhen: 'true', maxPerHour: 1}", 10, counted);
    assertThat(label(gate(List.of(state)).ask(again))).isEqualTo("PolicyByExpression");
  }
}
