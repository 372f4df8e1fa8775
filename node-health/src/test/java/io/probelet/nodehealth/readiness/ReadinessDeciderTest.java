package io.probelet.nodehealth.readiness;

import static io.probelet.nodehealth.readiness.RuleFixtures.NETWORK;
import static io.probelet.nodehealth.readiness.RuleFixtures.OTHERS;
import static io.probelet.nodehealth.readiness.RuleFixtures.WORKERS;
import static io.probelet.nodehealth.readiness.RuleFixtures.invalid;
import static io.probelet.nodehealth.readiness.RuleFixtures.needs;
import static io.probelet.nodehealth.readiness.RuleFixtures.node;
import static io.probelet.nodehealth.readiness.RuleFixtures.rule;
import static io.probelet.nodehealth.readiness.RuleFixtures.set;
import static io.probelet.nodehealth.readiness.RuleFixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.readiness.NodeDecision.Change;
import io.probelet.nodehealth.readiness.ReadinessSpec.Requirement;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which taints a node gets and loses. */
class ReadinessDeciderTest {
  private static final String MARK = "readiness.k8s.io/network:NoSchedule";
  private static final Requirement CNI = needs("CNIReady", "True");
  private static final Requirement CSI = needs("CSIReady", "True");

  /** As {@code +rule -rule *rule !rule}: added, removed, adopted and completed. */
  private static String text(NodeDecision decision) {
    String changes =
        decision.changes().stream()
            .map(change -> (change.adds() ? "+" : "-") + change.rule())
            .collect(Collectors.joining(" "));
    String adopted =
        decision.adopted().stream()
            .map(change -> "*" + change.rule())
            .collect(Collectors.joining());
    String completed =
        decision.completed().stream().map(rule -> "!" + rule).collect(Collectors.joining(" "));
    return String.join(" ", changes, adopted, completed).strip().replaceAll(" +", " ");
  }

  @ParameterizedTest
  @CsvSource({
    // mode, conditions, taint is there, marked, completed, decision, marked afterwards
    "continuous, '',             false, false, false, +a,     true",
    "continuous, CNIReady=False, false, false, false, +a,     true",
    "continuous, CNIReady=Unknown,false,false, false, +a,     true",
    "continuous, CNIReady=False, true,  false, false, *a,     true",
    "continuous, CNIReady=False, true,  true,  false, '',     true",
    "continuous, CNIReady=True,  true,  true,  false, -a,     false",
    "continuous, CNIReady=True,  true,  false, false, -a,     false",
    "continuous, CNIReady=True,  false, false, false, '',     false",
    "continuous, CNIReady=True,  false, true,  false, '',     false",
    "bootstrap,  '',             false, false, false, +a,     true",
    "bootstrap,  '',             true,  false, false, *a,     true",
    "bootstrap,  CNIReady=True,  true,  true,  false, -a !a,  false",
    "bootstrap,  CNIReady=True,  true,  false, false, -a !a,  false",
    "bootstrap,  CNIReady=True,  false, false, false, !a,     false",
    "bootstrap,  CNIReady=False, false, false, true,  '',     false",
    "bootstrap,  CNIReady=True,  false, false, true,  '',     false",
    // issue 382 of the original: completed, but with the taint
    "bootstrap,  CNIReady=False, true,  true,  true,  '',     true",
    "bootstrap,  CNIReady=True,  true,  true,  true,  -a,     false",
    "bootstrap,  CNIReady=True,  true,  false, true,  -a,     false",
  })
  void oneRule(
      String mode,
      String conditions,
      boolean present,
      boolean marked,
      boolean completed,
      String decided,
      boolean markedAfterwards) {
    NodeReadinessRule rule = rule("a", spec(mode.equals("bootstrap"), CNI));
    ReadinessNode node =
        node(
            "n1",
            conditions,
            completed ? Set.of("readiness.k8s.io/bootstrap-completed-uid-a") : Set.of(),
            marked ? Set.of(MARK) : Set.of(),
            present ? new NodeTaint[] {OTHERS, NETWORK} : new NodeTaint[] {OTHERS});
    NodeDecision decision = ReadinessDecider.decide(set(rule), node);
    assertThat(text(decision)).isEqualTo(decided);
    assertThat(decision.marks()).isEqualTo(markedAfterwards ? Set.of(MARK) : Set.of());
    assertThat(decision.isEmpty()).isEqualTo(decided.isEmpty() && marked == markedAfterwards);
  }

  /** NRR-5: one request, so that neither is there without the other. */
  @Test
  void completionNamesTheRuleAndIsWrittenWithTheRemoval() {
    NodeDecision decision =
        ReadinessDecider.decide(
            set(rule("a", spec(true, CNI))), node("CNIReady=True", OTHERS, NETWORK));
    assertThat(decision.changes()).containsExactly(new Change(NETWORK, "a", false));
    assertThat(decision.completions())
        .isEqualTo(Map.of("readiness.k8s.io/bootstrap-completed-uid-a", "{\"rule-name\":\"a\"}"));
  }

  @Test
  void completionOfEarlyVersionsOfTheOriginalCounts() {
    ReadinessNode node = node("n1", "", Set.of("readiness.k8s.io/bootstrap-completed-a"), Set.of());
    assertThat(ReadinessDecider.decide(set(rule("a", spec(true, CNI))), node).isEmpty()).isTrue();
  }

  /** NRR-1: a missing condition is Unknown unless the rule says otherwise. */
  @ParameterizedTest
  @CsvSource({
    "True, Unknown, '', +a",
    "False, Unknown, '', +a",
    "Unknown, Unknown, '', ''",
    "False, False, '', ''",
    "False, False, C=True, +a",
    "True, False, C=Unknown, +a",
    "Unknown, True, C=Unknown, ''",
  })
  void missingConditionHasTheDefaultStatus(
      String required, String otherwise, String conditions, String decided) {
    ReadinessSpec spec = spec(false, new Requirement("C", required, otherwise));
    assertThat(text(ReadinessDecider.decide(set(rule("a", spec)), node(conditions))))
        .isEqualTo(decided);
  }

  @ParameterizedTest
  @CsvSource({
    "false, CNIReady=True, +a",
    "false, CNIReady=True CSIReady=True, ''",
    "true, CNIReady=True, ''",
    "true, CNIReady=False CSIReady=False, +a",
  })
  void allOrAnyOfTheConditions(boolean anyOf, String conditions, String decided) {
    ReadinessSpec spec =
        new ReadinessSpec(List.of(CNI, CSI), anyOf, false, NETWORK, WORKERS, false);
    assertThat(text(ReadinessDecider.decide(set(rule("a", spec)), node(conditions))))
        .isEqualTo(decided);
  }

  /** NRR-3: a taint may be several rules'. */
  @ParameterizedTest
  @CsvSource({
    "'',                           *a",
    "CNIReady=True,                *b !a",
    "CSIReady=True,                *a",
    "CNIReady=True CSIReady=True,  -a !a",
  })
  void taintOfTwoRulesStaysUntilBothAreMet(String conditions, String decided) {
    RuleSet rules = set(rule("a", spec(true, CNI)), rule("b", spec(false, CSI)));
    assertThat(text(ReadinessDecider.decide(rules, node(conditions, NETWORK)))).isEqualTo(decided);
  }

  @Test
  void ruleThatIsDeletedGivesItsTaintBack() {
    NodeReadinessRule deleted = rule("a", spec(false, CNI), true, NodeReadinessRule.FINALIZER);
    assertThat(text(ReadinessDecider.decide(set(deleted), node("", NETWORK)))).isEqualTo("-a");
    assertThat(text(ReadinessDecider.decide(set(deleted), node("")))).isEmpty();
    RuleSet withOther = set(deleted, rule("b", spec(false, CSI)));
    assertThat(text(ReadinessDecider.decide(withOther, node("", NETWORK)))).isEqualTo("*b");
  }

  /** NRR-8: it could go without its taint. */
  @Test
  void ruleWithoutFinalizerAddsNoTaint() {
    NodeReadinessRule bare = rule("a", spec(false, CNI), false);
    assertThat(ReadinessDecider.decide(set(bare), node("")).isEmpty()).isTrue();
    assertThat(text(ReadinessDecider.decide(set(bare), node("", NETWORK)))).isEqualTo("*a");
  }

  @Test
  void nodeThatIsNoLongerSelectedLosesTheTaintThatRulesTookChargeOf() {
    RuleSet rules = set(rule("a", spec(false, CNI)));
    ReadinessNode left =
        new ReadinessNode(
            "n1", "u", Map.of(), Map.of(), List.of(NETWORK), true, Set.of(), Set.of(MARK));
    assertThat(text(ReadinessDecider.decide(rules, left))).isEqualTo("-");
    ReadinessNode never =
        new ReadinessNode(
            "n1", "u", Map.of(), Map.of(), List.of(NETWORK), true, Set.of(), Set.of());
    assertThat(ReadinessDecider.decide(rules, never).isEmpty())
        .as("a label may come later than the taint of the kubelet")
        .isTrue();
  }

  /** NRR-9: it may need the taint. */
  @Test
  void taintOfAnInvalidRuleStays() {
    ReadinessNode node = node("n1", "CNIReady=True", Set.of(), Set.of(MARK), NETWORK);
    RuleSet sameTaint = set(rule("a", spec(true, CNI)), invalid("b", NETWORK));
    assertThat(ReadinessDecider.decide(sameTaint, node).isEmpty()).isTrue();
    RuleSet unreadableTaint = set(rule("a", spec(true, CNI)), invalid("b", null));
    assertThat(ReadinessDecider.decide(unreadableTaint, node).isEmpty()).isTrue();
    RuleSet otherTaint =
        set(
            rule("a", spec(true, CNI)),
            invalid("b", new NodeTaint(NETWORK.key(), "", "NoExecute")));
    assertThat(text(ReadinessDecider.decide(otherTaint, node))).isEqualTo("-a !a");
  }

  @Test
  void noTaintIsRemovedWhileNotAllRulesAreKnown() {
    RuleSet some = new RuleSet(List.of(rule("a", spec(true, CNI))), false);
    assertThat(ReadinessDecider.decide(some, node("CNIReady=True", NETWORK)).isEmpty()).isTrue();
    assertThat(text(ReadinessDecider.decide(some, node("")))).isEqualTo("+a");
  }

  @Test
  void dryRunChangesNothing() {
    ReadinessSpec spec = new ReadinessSpec(List.of(CNI), false, false, NETWORK, WORKERS, true);
    RuleSet rules = set(rule("a", spec));
    assertThat(ReadinessDecider.decide(rules, node("")).isEmpty()).isTrue();
    assertThat(ReadinessDecider.decide(rules, node("CNIReady=True", NETWORK)).isEmpty()).isTrue();
    ReadinessNode marked = node("n1", "", Set.of(), Set.of(MARK), NETWORK);
    assertThat(ReadinessDecider.decide(rules, marked).isEmpty()).isTrue();
  }

  @Test
  void taintWithAnotherValueIsTheRulesToo() {
    NodeTaint pending = new NodeTaint(NETWORK.key(), "pending", NETWORK.effect());
    RuleSet rules = set(rule("a", spec(false, CNI)));
    assertThat(text(ReadinessDecider.decide(rules, node("", pending)))).isEqualTo("*a");
    assertThat(ReadinessDecider.decide(rules, node("CNIReady=True", pending)).changes())
        .containsExactly(new Change(pending, "a", false));
  }

  @Test
  void firstRuleByNameGivesTheValueOfATaintThatTwoDisagreeAbout() {
    ReadinessSpec other =
        new ReadinessSpec(
            List.of(CNI),
            false,
            false,
            new NodeTaint(NETWORK.key(), "v", NETWORK.effect()),
            WORKERS,
            false);
    RuleSet rules = set(rule("a", spec(false, CNI)), rule("b", other));
    assertThat(ReadinessDecider.decide(rules, node("")).changes())
        .containsExactly(new Change(NETWORK, "a", true));
  }
}
